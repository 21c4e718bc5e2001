"""docs/science/approximators.md from stored results."""

from pathlib import Path

import numpy as np

import tafl
from studies.approximators.plan import NETWORKS, RESULTS, SUBJECTS, Subject
from studies.pages import DOCS, write_page
from studies.records import Measurement, read, where
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.settings.build import make_tuples, weights_of
from tafl.settings.presets import compose
from tafl.settings.tables import nested

WORDS = Path(__file__).with_name("page.md")
MEASURES = {
    "solved": "right moves",
    "exact": "score against `exact`",
    "reference": "score against n-tuples",
}


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    stored = read(RESULTS)
    values = {
        "equal_time": table(stored, farl=True, equal="time"),
        "no_farl": table(stored, farl=False, equal="time"),
        "equal_episodes": table(stored, farl=True, equal="episodes"),
        "gain": gains(stored),
        "sizes": sizes(stored),
        "fresh": fresh(stored),
        "processor": ", ".join(sorted({one.processor for one in stored})),
        "choice": choice(stored),
        "seeds": str(fewest_seeds(stored)),
        **connectfour(stored),
    }
    command = "python -m studies approximators report"
    return [write_page(docs / "science" / "approximators.md", WORDS, command, values)]


def found(
    stored: list[Measurement], subject: Subject, network: str, farl: bool, equal: str
) -> list[Measurement]:
    """Return the measurements of one cell, one for each seed."""
    if equal == "episodes" and network == "n-tuples":
        equal = "time"  # the others had its episodes
    cell = where(stored, game=subject.name, network=network, equal=equal, positions=None)
    return [one for one in cell if ("td.farl_others" not in one.overrides) == farl]


def values_of(cell: list[Measurement]) -> list[float]:
    """Return the numbers of a cell."""
    return [one.value for one in cell]


def text(numbers: list[float], best: bool = False) -> str:
    """Return mean and standard error; the best of a row is bold."""
    if not numbers:
        return "-"
    shown = with_error(float(np.mean(numbers)), standard_error(numbers), ".3f")
    return f"**{shown}**" if best else shown


def table(stored: list[Measurement], farl: bool, equal: str) -> str:
    """Return a table with a row for each game, and a column for each network that has results."""
    cells = {
        (subject, network): values_of(found(stored, subject, network, farl, equal))
        for subject in SUBJECTS
        for network in NETWORKS
    }
    columns = [name for name in NETWORKS if any(cells[one, name] for one in SUBJECTS)]
    rows = []
    for subject in SUBJECTS:
        row = {name: cells[subject, name] for name in columns}
        top = max((float(np.mean(numbers)) for numbers in row.values() if numbers), default=0.0)
        shown = [text(x, best=bool(x) and float(np.mean(x)) == top) for x in row.values()]
        rows.append([subject.name, MEASURES[subject.measure], *shown])
    return markdown_table(["game", "measure", *columns], rows)


def gains(stored: list[Measurement]) -> str:
    """Return what FARL adds to each network, game by game."""
    rows = []
    columns = [n for n in NETWORKS if any(found(stored, s, n, False, "time") for s in SUBJECTS)]
    for subject in SUBJECTS:
        row = [subject.name]
        for network in columns:
            with_farl, without = (
                values_of(found(stored, subject, network, farl, "time")) for farl in (True, False)
            )
            both = with_farl and without
            gain = float(np.mean(with_farl) - np.mean(without)) if both else 0.0
            error = float(np.hypot(standard_error(with_farl), standard_error(without)))
            row.append(f"{gain:+.3f} ± {error:.3f}" if both else "-")
        rows.append(row)
    return markdown_table(["game", *columns], rows)


def sizes(stored: list[Measurement]) -> str:
    """Return weights, and moves per second, of each network."""
    rows = []
    for subject in SUBJECTS:
        game, row = tafl.game(subject.name), [subject.name]
        for network in NETWORKS:
            cell = found(stored, subject, network, True, "time")
            if not cell:
                row.append("-")
                continue
            changes = nested({**subject.overrides(network), "algo": "td"})
            settings = compose(game, overrides=changes)
            weights = weights_of(game, settings, make_tuples(game, settings))
            speed = np.median([(one.moves or 0) / (one.seconds or 1.0) for one in cell])
            row.append(f"{weights:,} / {speed / 1000:,.0f}k")
        rows.append(row)
    return markdown_table(["game", *NETWORKS], rows)


def fresh(stored: list[Measurement]) -> str:
    """Return the table of ConnectFour's positions that no setting was chosen on."""
    rows = []
    for network in NETWORKS:
        cell = where(stored, network=network, equal="time", positions="fresh")
        on, off = (
            [one.value for one in cell if ("td.farl_others" not in one.overrides) == farl]
            for farl in (True, False)
        )
        if on:
            rows.append([network, text(on), text(off), str(len(on))])
    return markdown_table(["network", "with FARL", "without", "seeds"], rows)


def fewest_seeds(stored: list[Measurement]) -> int:
    """Return how many seeds every cell of the first table has at least."""
    cells = [found(stored, one, name, True, "time") for one in SUBJECTS for name in one.networks]
    return min(map(len, cells))


def connectfour(stored: list[Measurement]) -> dict[str, str]:
    """Return what the words of the page say about ConnectFour."""
    (subject,) = (one for one in SUBJECTS if one.name == "connectfour")
    game, values = tafl.game(subject.name), dict[str, str]()
    for name in ("n-tuples", "lines", "mlp 64"):
        on, off = (values_of(found(stored, subject, name, farl, "time")) for farl in (True, False))
        settings = compose(game, overrides=nested({**subject.overrides(name), "algo": "td"}))
        key = name.replace("-", "_").replace(" ", "_")
        weights = weights_of(game, settings, make_tuples(game, settings))
        values |= {f"c4_weights_{key}": f"{weights:,}", f"c4_{key}": f"{np.mean(on):.2f}"}
        values[f"c4_off_{key}"] = f"{np.mean(off):.2f}"
    return values


def best_of(stored: list[Measurement], subject: Subject) -> str:
    """Return the network with the highest mean after equal time."""
    means = {
        name: float(np.mean(numbers))
        for name in NETWORKS
        if (numbers := values_of(found(stored, subject, name, True, "time")))
    }
    return max(means, key=lambda name: means[name]) if means else "none"


def choice(stored: list[Measurement]) -> str:
    """Return which networks came first after equal time, and in which games."""
    winners: dict[str, list[str]] = {}
    for subject in SUBJECTS:
        winners.setdefault(best_of(stored, subject), []).append(subject.name)
    ranked = sorted(winners.items(), key=lambda item: -len(item[1]))
    return "; ".join(f"{name} in {', '.join(games)}" for name, games in ranked)
