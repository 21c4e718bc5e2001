"""Search at play time: what it adds to a trained agent, and how long a move takes, as stored.

benchmarks/search_strength.py measures; each line of results/search.jsonl is one search around one
agent: {game, command, agent, kind, effort, milliseconds, measures: {name: [mean, error, number]}}.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import mean

from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.reproduction.lines import read_lines
from tafl.runs.champions import champion_file, champions, read_card
from tafl.settings.tables import Fields

STORE, OPENINGS, TRAPS = "search.jsonl", "search_openings.json", "search_traps.json"
LONGEST = 100.0  # milliseconds that a person does not mind


@dataclass(frozen=True)
class Measured:
    """A game, and how its searches are compared."""

    name: str
    title: str
    main: str  # the measure that decides which search is recommended ...
    then: tuple[str, ...] = ()  # ... and those that choose among the best, by their sum


FIRST, SECOND = "first against ab-dl: wins", "second against ab-dl(error=0.1): wins"
GAMES = [
    Measured("connectfour", "ConnectFour", "right moves", (FIRST, SECOND)),
    Measured("hex", "Hex 6x6", "win rate against mcts(iterations=10000)", ("right moves",)),
    Measured("othello", "Othello", "win rate against gtp-rhino, level 3", ("right moves",)),
    Measured("2048", "2048", "points"),
]
# Agents that are too large to come with tafl.
TRAINED = {
    "connectfour": "tafl train connectfour --preset best --set evaluation.every=0 --seed 101 "
    "--device cuda --threads 256",
    "2048": "tafl train '2048(fold=16384)' --preset best --set episodes=4000000 "
    "--set evaluation.every=1000000 --set start.again=0.5 --set td.backward=0 --seed 1 "
    "--device cuda --threads 1024",
}


def load_searches(results: Path) -> list[Fields]:
    """All that was measured."""
    return read_lines(results / STORE)


def command_of(name: str) -> str:
    """What trained the agent that is searched around: the champion, or else a long training."""
    return read_card(champion_file(name)).command if name in champions() else TRAINED[name]


def of_agent(lines: Iterable[Fields], name: str, command: str) -> list[Fields]:
    """The searches around the agent that a command trained."""
    return [line for line in lines if (line["game"], line["command"]) == (name, command)]


def of_game(lines: Iterable[Fields], name: str, command: str = "") -> list[Fields]:
    """The searches around today's agent of a game: the agent itself, each kind by its effort."""
    found = of_agent(lines, name, command or command_of(name))
    return sorted(found, key=lambda line: (line["kind"] != "", line["kind"], line["effort"]))


def recommended(lines: Iterable[Fields], game: Measured) -> Fields | None:
    """The best search that is fast enough.

    Chance may have put it before others: of all within one standard error it is the one that is
    best by further measures, of equals the fastest.
    """
    fast = [line for line in of_game(lines, game.name) if line["milliseconds"] <= LONGEST]
    if not fast:
        return None
    best, error, _ = max(line["measures"][game.main] for line in fast)

    def rank(line: Fields) -> tuple[float, float]:
        others = sum(line["measures"].get(name, (0.0,))[0] for name in game.then)
        return others, -line["milliseconds"]

    return max((line for line in fast if line["measures"][game.main][0] >= best - error), key=rank)


def recommendations(lines: list[Fields]) -> dict[str, Fields]:
    """For the cards of champions: the search to use, what trained its agent, and its strength."""
    found = {}
    for game in GAMES:
        line = recommended(lines, game) if game.name in champions() else None
        if line is not None:
            strength = [f"{name} {cell(name, m)}" for name, m in line["measures"].items()]
            text = f"{line['agent']}, {time_of(line)} a move: {', '.join(strength)}"
            found[game.name] = {"command": line["command"], "search": text}
    return found


def cell(name: str, measured: tuple[float, float, int]) -> str:
    """A measurement as people write it."""
    value, error, number = measured
    if name == "points":
        return with_error(value, error, ",.0f")
    if name == "right moves":
        return with_error(value, error, ".3f")
    if value in (0, 1):  # such a share has an error, but games do not say which
        return f"all of {number}" if value else f"none of {number}"
    return with_error(100 * value, 100 * error, ".1f") + " %"


def time_of(line: Fields) -> str:
    """Milliseconds of a move."""
    return f"{line['milliseconds']:.3g} ms"


def section(lines: list[Fields]) -> str:
    """The tables of all games."""
    measured = [game for game in GAMES if of_game(lines, game.name)]
    return "\n\n".join(filter(None, (text for game in measured for text in _tables(lines, game))))


def _tables(lines: list[Fields], game: Measured) -> Iterator[str]:
    """Around the champion, around a larger agent, around others."""
    if game.name in champions():
        yield _table(lines, game, command_of(game.name), "the champion")
    large = TRAINED.get(game.name, "")
    if of_agent(lines, game.name, large):
        yield _table(lines, game, large, f"`{large}`")
    yield _other_agents(lines, game)


def _table(lines: list[Fields], game: Measured, command: str, around: str) -> str:
    mine = of_game(lines, game.name, command)
    names = list(dict.fromkeys(name for line in mine for name in line["measures"]))
    best = recommended(lines, game)
    rows = []
    for line in mine:
        measures = line["measures"]
        shown = [cell(name, measures[name]) if name in measures else "-" for name in names]
        mark = " (recommended)" if line is best else ""
        rows.append([f"`{line['agent']}`{mark}", time_of(line), *shown])
    heads = [f"{name} ({_numbers(mine, name)})" for name in names]
    table = markdown_table(["agent", "time of a move", *heads], rows)
    return f"### {game.title}: search around {around}\n\n{table}"


def _other_agents(lines: list[Fields], game: Measured) -> str:
    """What the same searches are worth around agents of other trainings, where one was tried."""
    mine = [line for line in lines if line["game"] == game.name]
    commands = dict.fromkeys(line["command"] for line in mine)
    if game.name in champions() or len(commands) == 1:
        return ""
    agents = dict.fromkeys(line["agent"] for line in [*of_game(lines, game.name), *mine])
    rows = []
    for command in commands:
        found = {line["agent"]: line["measures"] for line in of_agent(mine, game.name, command)}
        cells = [_counted(game.main, found[agent]) if agent in found else "-" for agent in agents]
        rows.append([f"`{command}`", *cells])
    return markdown_table([f"{game.main}, by training", *(f"`{a}`" for a in agents)], rows)


def _counted(name: str, measures: Fields) -> str:
    """A measurement, and of how many games."""
    return f"{cell(name, measures[name])} ({measures[name][2]})"


def openings(results: Path) -> str:
    """Where searches around ConnectFour's champion go wrong when they move first."""
    agents, rows = _agents(results / OPENINGS), []
    if not agents:
        return ""
    for line in agents:
        mistakes = line["first_mistakes"].items()
        often = ", ".join(f"{columns}: {number}" for columns, number in mistakes if number > 2)
        others = sum(number for _, number in mistakes if number <= 2)
        counted = f"{often}; others: {others}" if others else often
        shares = [cell("right moves", mean_of(right)) for right in line["right"].values()]
        not_won = f"{line['not_won']} of {line['games']}"
        rows.append([f"`{line['agent']}`", not_won, counted, *shares])
    sets = [
        f"right moves, {name} ({len(right)} positions)"
        for name, right in agents[0]["right"].items()
    ]
    return markdown_table(["moving first", "games not won", "first mistakes", *sets], rows)


def traps(results: Path) -> str:
    """How agents that move second fare against perfect play that errs."""
    columns, rows = ["moving second, wins (draws)"], []
    for line in _agents(results / TRAPS):
        found, number = line["errors"], line["games"]
        columns[1:] = [f"`ab-dl(error={error})` ({number:,} games)" for error in found]
        cells = [
            [_share(one[name], number) for name in ("wins", "draws")] for one in found.values()
        ]
        rows.append([f"`{line['agent']}`", *(f"{wins} ({draws})" for wins, draws in cells)])
    return markdown_table(columns, rows) if rows else ""


def _agents(path: Path) -> list[Fields]:
    """What a benchmark has stored of some agents."""
    if not path.exists():
        return []
    found: list[Fields] = json.loads(path.read_text(encoding="utf-8"))["agents"]
    return found


def _share(value: float, games: int) -> str:
    return cell("wins", (value, sqrt(value * (1 - value) / games), games))


def mean_of(values: list[float]) -> tuple[float, float, int]:
    """A mean with its standard error, and of how many."""
    return mean(values), standard_error(values), len(values)


def _numbers(lines: list[Fields], name: str) -> str:
    """How many positions or games a measure comes from."""
    numbers = sorted({line["measures"][name][2] for line in lines if name in line["measures"]})
    things = "positions" if name == "right moves" else "games"
    return f"{' to '.join(str(n) for n in dict.fromkeys([numbers[0], numbers[-1]]))} {things}"
