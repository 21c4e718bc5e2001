"""docs/science/new_games.md and a part of each game's page, from stored results.

Numbers are means over seeds with their standard errors; of a single seed, over games.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import mean
from typing import Any

import tafl
from studies.new_games.plan import ITSELF, MCTS, RESULTS, uses_trained
from studies.pages import DOCS, write_page
from studies.records import Measurement, assignments, read
from tafl.arena.statistics import standard_error
from tafl.files import replacing
from tafl.reproduction.cells import markdown_table, with_error
from tafl.training.progress import duration

WORDS = Path(__file__).with_name("page.md")
PLACE = re.compile(r"(?<=<!-- strength -->\n).*(?=<!-- end of strength -->)", re.DOTALL)
SEARCH = ("maxn", "expectimax")

Records = list[Measurement]
Settings = tuple[str, str, tuple[tuple[str, Any], ...]]  # game, preset, overrides


def of(records: Iterable[Measurement], **wanted: str) -> Records:
    """Return the measurements with these fields; scores in a single role are left out."""
    return [
        one
        for one in records
        if "role" not in one.condition
        and all(getattr(one, name) == value for name, value in wanted.items())
    ]


def settings_of(one: Measurement) -> Settings:
    """Return what a training was started with."""
    return one.game, one.preset, tuple(one.overrides.items())


def groups(records: Records) -> dict[Settings, Records]:
    """Return the measurements of each game and its settings."""
    found: dict[Settings, Records] = {}
    for one in records:
        found.setdefault(settings_of(one), []).append(one)
    return found


def is_usual(records: Records, one: Measurement) -> bool:
    """Say whether it has default settings, or those that were measured first in their place."""
    mine = [settings_of(other) for other in of(records, game=one.game)]
    default = (one.game, "", ())
    whole = [other for other in mine if "episodes" not in dict(other[2])]  # not shorter
    return settings_of(one) == (default if default in mine else [*whole, *mine][0])


def average(records: Records) -> tuple[float, float]:
    """Return a mean and its standard error."""
    if len(records) == 1:
        return records[0].value, records[0].error or 0.0
    values = [one.value for one in records]
    return mean(values), standard_error(values)


def share(records: Records) -> str:
    """Return a share in percent."""
    if not records:
        return "-"
    value, error = average(records)
    if value in (0, 1):  # such a share has an error, but games do not say which
        return f"{'all' if value else 'none'} of {sum(one.n or 0 for one in records)}"
    return with_error(100 * value, 100 * error, ".1f") + " %"


def points(records: Records) -> str:
    """Return a mean score."""
    value, error = average(records)
    return with_error(value, error, ".2f")


def speed(trained: Records) -> float:
    """Return the moves per second of training."""
    return sum(one.moves or 0 for one in trained) / sum(one.value for one in trained)


def time_of(trained: Records) -> str:
    """Return how long a training takes."""
    return duration(mean(one.value for one in trained))


def command(settings: Settings) -> str:
    """Return the command that trains a game like this."""
    name, preset, overrides = settings
    words = ["tafl train", name, *([f"--preset {preset}"] if preset else [])]
    for key, value in overrides:
        change = assignments({key: value})[0]
        words.append(f"--episodes {value}" if key == "episodes" else f"--set {change}")
    return " ".join(words)


def players_table(records: Records) -> str:
    """Return games for two and more: one row for each game and its settings."""
    rows = []
    for settings, mine in groups(records).items():
        players = tafl.game(settings[0]).facts.players
        ours, trained = of(mine, agent="A", metric="win_rate"), of(mine, agent="")
        if players == 1 or not of(ours, against="random"):
            continue
        searches = [one for one in ours if one.against.startswith(SEARCH)]
        depth = f" (`{searches[0].against}`)" if searches else ""
        row = [f"`{command(settings)}`", str(len(trained)), time_of(trained)]
        row += [f"{speed(trained):,.0f}", f"{100 / players:.0f} %"]
        row += [share(of(ours, against=other)) for other in ("random", MCTS)]
        rows.append([*row, share(searches) + depth])
    columns = ["training", "seeds", "time", "moves/s", "equal play", "`random`", f"`{MCTS}`"]
    return markdown_table([*columns, "search"], rows)


def alone_table(records: Records, names: Iterable[str]) -> str:
    """Return games for one: the agent, searches around it, and others."""
    rows = []
    for settings, mine in groups(of(records, against="")).items():
        if settings[0] in names:
            for agent in dict.fromkeys(one.agent for one in mine if one.agent):
                same, learned = of(mine, agent=agent), uses_trained(agent)
                scores, solved = of(same, metric="score"), of(same, metric="solved")
                shown = "run:PATH" if agent == "A" else agent.replace("(A,", "(run:PATH,")
                training = f"`{command(settings)}`" if learned else f"no training ({settings[0]})"
                row = [f"`{shown}`", training, str(len(scores))]
                rows.append([*row, points(scores), share(solved)])
    return markdown_table(["agent", "training", "seeds", "points", "solved"], rows)


def costs_table(records: Records) -> str:
    """Return the weights that a move of learning reads, and its speed."""
    rows = []
    for settings, mine in groups(records).items():
        trained, own = of(mine, agent=""), of(mine, against=ITSELF)
        if not trained or not own:
            continue
        choices, network = mean(one.value for one in own), trained[0].condition
        weights, rate = choices * network["tuples"] * network["boards"], speed(trained)
        row = [f"`{command(settings)}`", f"{choices:.1f}", f"{network['tuples']}"]
        row += [str(network["boards"]), f"{weights:,.0f}", f"{rate:,.0f}"]
        rows.append([*row, f"{weights * rate / 1e6:,.0f}"])
    rows.sort(key=lambda row: int(row[5].replace(",", "")))
    columns = ["training", "actions", "n-tuples", "boards", "weights per move", "moves/s"]
    return markdown_table([*columns, "million weights/s"], rows)


def words(records: Records) -> dict[str, str]:
    """Return what stands in the places of docs/science/new_games.md."""
    alone = [name for name, game in tafl.games().items() if game.facts.players == 1]
    return {
        "machines": ", ".join(sorted({one.processor for one in records})),
        "players": players_table([one for one in records if is_usual(records, one)]),
        "alone": alone_table(records, alone),
        "costs": costs_table(records),
        "trials": players_table([one for one in records if not is_usual(records, one)]),
    }


def part(name: str, records: Records) -> str:
    """Return the part of a game's page: default settings, or those that were measured instead."""
    mine = [one for one in records if one.game == name and is_usual(records, one)]
    trained, players = of(mine, agent=""), tafl.game(name).facts.players
    text = (
        f"`{command(settings_of(mine[0]))}` takes {time_of(trained)} (minutes:seconds) on one core "
    )
    text += f"({speed(trained):,.0f} moves/s). "
    seeds = f"{len(trained)} seed{'s' if len(trained) > 1 else ''}"
    if players == 1:
        return f"{text}Results are of {seeds}:\n\n{alone_table(records, [name])}\n"
    rows = []
    for agent, against in dict.fromkeys((one.agent, one.against) for one in mine if one.agent):
        if against != ITSELF:
            pair = [one for one in mine if (one.agent, one.against) == (agent, against)]
            who = f"`{against}`" if agent == "A" else f"`{against}`, played by `{agent}`"
            rates, scores = of(pair, metric="win_rate"), of(pair, metric="score")
            each = ", ".join(f"{score:.2f}" for score in roles(pair, players))
            rows.append([who, share(rates), points(scores), each])
    text += f"Results are of {seeds}, in all roles; equal play wins {100 / players:.0f} %:\n\n"
    columns = ["against", "win rate", "mean score", "mean score as player 1, 2, ..."]
    return f"{text}{markdown_table(columns, rows)}\n"


def roles(records: Records, players: int) -> list[float]:
    """Return the mean score in each role."""
    return [
        mean(one.value for one in records if one.condition.get("role") == role)
        for role in range(players)
    ]


def with_part(text: str, strength: str) -> str:
    """Return the page of a game with its strength, if it has a place for it."""
    return PLACE.sub(lambda _: strength, text)


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page, and the strength of each game into its own; return their paths."""
    records = read(RESULTS)
    page = docs / "science" / "new_games.md"
    found = [write_page(page, WORDS, "python -m studies new_games report", words(records))]
    for name in dict.fromkeys(one.game for one in records):
        source = DOCS / "games" / f"{name}.md"
        text = with_part(source.read_text("utf-8"), part(name, records))
        (docs / "games").mkdir(exist_ok=True)
        with replacing(docs / "games" / source.name) as file:
            file.write(text)
        found.append(docs / "games" / source.name)
    return found
