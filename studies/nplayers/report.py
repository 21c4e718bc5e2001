"""Writes docs/science/nplayers.md from the stored measurements.

A share of wins is that of one agent where the opponent plays all other roles; ties are shared. With
several seeds "±" is the standard error over seeds, otherwise over games.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import mean

import tafl
from studies.nplayers.plan import MCTS, RESULTS, SEARCH
from studies.pages import DOCS, write_page
from studies.records import Measurement, assignments, read, where
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.training.progress import duration

WORDS = Path(__file__).with_name("page.md")
GREEDY = "A"

Records = list[Measurement]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    command = "python -m studies nplayers report"
    return [write_page(docs / "science" / "nplayers.md", WORDS, command, words(read(RESULTS)))]


def words(records: Records) -> dict[str, str]:
    """Return what stands in the places of the page."""
    presets = where(records, preset="best")
    trials = [one for one in records if one.preset != "best"]
    on_gpu = [one for one in trials if one.device == "cuda"]
    on_core = [one for one in trials if one.device == "cpu"]
    several = [one for one in on_core if tafl.game(one.game).facts.players > 2]
    return {
        "machines": ", ".join(sorted({one.processor for one in records})),
        "search": SEARCH.agent.replace("(A", "(run:PATH"),
        "presets": preset_table(presets),
        "trials": trial_table(on_gpu),
        "searches": search_table(on_gpu),
        "ceilings": ceilings(records),
        "shared": trial_table(several),
        "defaults": trial_table([one for one in on_core if one not in several]),
    }


def groups(records: Records) -> list[Records]:
    """Return the measurements of the same game and settings together, of all seeds."""
    found: dict[tuple[str, str, str], Records] = {}
    for one in records:
        key = one.game, one.preset, str(sorted(one.overrides.items(), key=str))
        found.setdefault(key, []).append(one)
    return list(found.values())


def average(records: Records, metric: str = "wins") -> tuple[float, float]:
    """Return a mean over seeds with its standard error; of one seed, over games."""
    found = where(records, metric=metric)
    values = [one.value for one in found]
    return mean(values), standard_error(values) if len(values) > 1 else found[0].error or 0.0


def share(records: Records) -> str:
    """Return a share of wins in percent, or nothing."""
    if not where(records, metric="wins"):
        return "-"
    value, error = average(records)
    return with_error(100 * value, 100 * error, ".1f") + " %"


def ratio(records: Records) -> str:
    """Return a share of wins divided by the share of equal players."""
    if not where(records, metric="wins"):
        return "-"
    return f"{average(records)[0] * tafl.game(records[0].game).facts.players:.2f}"


def seconds(records: Records) -> str:
    """Return how long a training took."""
    return duration(mean(one.seconds or 0.0 for one in records))


def rows_of(records: Records, row: Callable[[Records], list[str]]) -> Iterable[list[str]]:
    """Yield a row for each game and its settings, games in order."""
    for some in sorted(groups(records), key=lambda some: some[0].game):
        yield row(some)


def preset_table(records: Records) -> str:
    """Return the strength of the presets, alone and with search."""

    def row(some: Records) -> list[str]:
        alone, searched = where(some, agent=GREEDY), where(some, agent=SEARCH.agent)
        time = f"{average(searched, 'milliseconds')[0]:.1f}" if searched else "-"
        seeds = str(len({one.seed for one in alone}))
        players = tafl.game(some[0].game).facts.players
        found = [f"`{some[0].game}`", f"{100 / players:.0f} %", seeds]
        found += [f"{some[0].episodes:,}", seconds(alone), share(alone), ratio(alone)]
        return [*found, share(searched), ratio(searched), time]

    columns = ["game", "equal share", "seeds", "episodes", "training", "wins", "/ equal"]
    return markdown_table([*columns, "with search", "/ equal", "ms a move"], rows_of(records, row))


def trial_table(records: Records) -> str:
    """Return what was trained, and how strong it is."""

    def row(some: Records) -> list[str]:
        alone = where(some, agent=GREEDY, against=MCTS)
        settings = " ".join(map(shortened, assignments(some[0].overrides)))
        seeds = str(len({one.seed for one in some}))
        return [
            f"`{some[0].game}`",
            f"`{settings}`",
            seeds,
            seconds(some),
            share(alone),
            ratio(alone),
        ]

    columns = ["game", "settings", "seeds", "training", "wins", "/ equal"]
    return markdown_table(columns, rows_of(records, row))


def shortened(assignment: str) -> str:
    """Return a setting, without a list of n-tuples that has all cells in one."""
    name, _, value = assignment.partition("=")
    return f"{name}=[all cells]" if value.startswith("[[") else assignment


def search_table(records: Records) -> str:
    """Return searches around the agents of some trainings, one column for each search."""
    agents = list(dict.fromkeys(one.agent for one in records))
    several = [some for some in groups(records) if len({one.agent for one in some}) > 2]
    rows = []
    for agent in agents:
        cells = [cell(where(some, agent=agent)) for some in several]
        if sum(text != "-" for text in cells) > 1:
            rows.append(
                [f"`{agent.replace('(A', '(run:PATH')}`" if agent != "A" else "alone", *cells]
            )
    return markdown_table(["agent", *(f"`{some[0].game}`" for some in several)], rows)


def ceilings(records: Records) -> str:
    """Return what agents that learned nothing win in Sim."""
    untrained = [one for one in records if "(A" not in one.agent and one.agent != GREEDY]
    told = [
        f"`{one.agent}` wins {100 * one.value:.1f} ± {100 * (one.error or 0):.1f} %"
        for one in where(untrained, game="sim(players=3)", metric="wins")
    ]
    return f"For comparison, {' and '.join(told)} against it." if told else ""


def cell(records: Records) -> str:
    """Return a share of wins, and the time of a move."""
    if not records:
        return "-"
    return f"{share(records)}, {average(records, 'milliseconds')[0]:.1f} ms"
