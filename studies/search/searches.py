"""Stored searches around trained agents, and which of them is recommended."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from studies.opponents import gtp_rhino, shown
from studies.records import Measurement, command, where
from tafl.agents.spec import parse
from tafl.runs.champions import champion_file, champions, read_card

LONGEST = 100.0  # milliseconds per move: short enough to play against


class Kind(NamedTuple):
    """A kind of measurement: the same for agents with and without search."""

    metric: str
    against: str = ""
    role: str | None = None
    tile: int | None = None
    stones: tuple[int, int] | None = None

    @classmethod
    def of(cls, one: Measurement) -> "Kind":
        """Return the kind of a measurement."""
        role, tile, stones = map(one.condition.get, ("role", "tile", "stones"))
        return cls(one.metric, one.against, role, tile, tuple(stones) if stones else None)

    @property
    def label(self) -> str:
        """Return its name for tables.

        >>> Kind("wins", "ab-dl", role="first").label, Kind("reached", tile=2048).label
        ('first against ab-dl: wins', 'reached 2048')
        """
        return {
            "wins": f"{self.role} against {self.against}: wins",
            "win_rate": f"win rate against {shown(self.against)}",
            "reached": f"reached {self.tile}",
            "right_moves": "right moves",
            "score": "points",
        }.get(self.metric, self.metric)


class SearchedGame(NamedTuple):
    """A game, and how its searches are compared."""

    name: str
    title: str
    main: Kind  # the measure that decides which search is recommended ...
    then: tuple[Kind, ...] = ()  # ... and those that choose among the best, by their sum


FIRST = Kind("wins", "ab-dl", role="first")
SECOND = Kind("wins", "ab-dl(error=0.1)", role="second")
RIGHT = Kind("right_moves")
GAMES = [
    SearchedGame("connectfour", "ConnectFour", RIGHT, (FIRST, SECOND)),
    SearchedGame("hex", "Hex 6x6", Kind("win_rate", "mcts(iterations=10000)"), (RIGHT,)),
    SearchedGame("othello", "Othello", Kind("win_rate", gtp_rhino(3)), (RIGHT,)),
    SearchedGame("2048", "2048", Kind("score")),
]
# Agents that are too large to come with tafl.
TRAINED = {
    "connectfour": "tafl train connectfour --preset best --set evaluation.every=0 --seed 101 "
    "--device cuda --threads 256",
    "2048": "tafl train '2048(fold=16384)' --preset best --set episodes=4000000 "
    "--set evaluation.every=1000000 --set start.again=0.5 --set td.backward=0 --seed 1 "
    "--device cuda --threads 1024",
}


@dataclass(frozen=True)
class Search:
    """One search around one trained agent, with all that was measured of it."""

    game: str
    agent: str  # around A, a run, or around the champion
    command: str  # that trained the agent
    milliseconds: float  # of a move
    measures: dict[Kind, Measurement]

    @property
    def shown(self) -> str:
        """Return the agent string as a user writes it."""
        return self.agent.replace("A", "run:PATH")

    @property
    def time(self) -> str:
        """Return the time of a move for tables."""
        return f"{self.milliseconds:.3g} ms"

    @cached_property
    def way(self) -> tuple[str, int]:
        """Return the kind of search with its parameters, and its effort, the first of them."""
        if self.agent in ("A", "champion"):
            return "", 0
        name, _, parameters = parse(self.agent)
        effort, *others = [*parameters.items()] or [("", "0")]
        kind = f"{name} by positions" if effort[0] == "positions" else name
        return ", ".join([kind, *(f"{key}={value}" for key, value in others)]), int(effort[1])


def searches_in(found: Iterable[Measurement]) -> list[Search]:
    """Return all searches of a study's measurements."""
    groups: dict[tuple[str, str, str], list[Measurement]] = {}
    for one in where(found, part="strength"):
        groups.setdefault((one.game, command(one), one.agent), []).append(one)
    return [_search(*key, some) for key, some in groups.items()]


def _search(game: str, trained_by: str, agent: str, found: list[Measurement]) -> Search:
    measures = {Kind.of(one): one for one in found}
    time = measures.pop(Kind("milliseconds")).value
    return Search(game, agent, trained_by, time, measures)


def command_of(name: str) -> str:
    """Return what trained the agent that is searched around: a champion, or a long training."""
    return read_card(champion_file(name)).command if around_champion(name) else TRAINED[name]


def around_champion(name: str) -> bool:
    """Return whether searches are around the champion: that of 2048 is too small for it."""
    return name in champions() and name != "2048"


def of_agent(searches: Iterable[Search], name: str, trained_by: str) -> list[Search]:
    """Return the searches around the agent that a command trained."""
    return [one for one in searches if (one.game, one.command) == (name, trained_by)]


def of_game(searches: Iterable[Search], name: str, trained_by: str = "") -> list[Search]:
    """Return the searches around today's agent: the agent itself, then each kind by effort."""
    found = of_agent(searches, name, trained_by or command_of(name))
    return sorted(found, key=lambda one: (one.way[0] != "", *one.way))


def recommended(searches: Iterable[Search], game: SearchedGame) -> Search | None:
    """Return the best search that is fast enough.

    Chance may have put it before others: of all within one standard error it is the one that is
    best by further measures, of equals the fastest.
    """
    fast = [one for one in of_game(searches, game.name) if one.milliseconds <= LONGEST]
    if not fast:
        return None
    best = max((one.measures[game.main] for one in fast), key=lambda m: (m.value, m.error or 0.0))
    least = best.value - (best.error or 0.0)

    def rank(one: Search) -> tuple[float, float]:
        others = sum(one.measures[kind].value for kind in game.then if kind in one.measures)
        return others, -one.milliseconds

    return max((one for one in fast if one.measures[game.main].value >= least), key=rank)
