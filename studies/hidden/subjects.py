"""The games of the study, with the episodes of a training, and the ways to learn them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from studies.records import results

RESULTS = results("hidden")
SEEDS = tuple(range(11, 21))
EXACT = {"algo": "regret"}
NO_FARL = {"algo": "regret", "td.farl_others": False}

Way = dict[str, Any]


class Points(NamedTuple):
    """Random n-tuples, without regard to neighbours."""

    number: int
    length: int

    @property
    def overrides(self) -> Way:
        """Return the settings that draw them."""
        network = {"tuples": "random-points", "number": self.number, "length": self.length}
        named = {f"network.{name}": value for name, value in network.items()}
        return {**EXACT, "regret.store": "n-tuples", **named}

    def named(self, cells: int) -> str:
        """Return what these n-tuples are, in a game with so many cells."""
        return f"{self.number} random ones of {self.length} of {cells} cells"


class Chosen(NamedTuple):
    """N-tuples that were chosen by hand."""

    name: str
    cells: list[list[int]]

    @property
    def overrides(self) -> Way:
        """Return the settings that name them."""
        return {**EXACT, "regret.store": "n-tuples", "network.tuples": self.cells}

    def named(self, cells: int) -> str:
        """Return what these n-tuples are, in a game with so many cells."""
        return f"{self.name}, at most {max(map(len, self.cells))} of {cells} cells"


@dataclass(frozen=True)
class Subject:
    """A game of the study; `states` is the most information states that tables have room for."""

    title: str
    game: str
    episodes: int
    cells: int = 0
    tuples: list[Points | Chosen] = field(default_factory=list)
    states: int | None = None
    opponents: list[str] = field(default_factory=list)  # where NashConv takes too long: games

    @property
    def ways(self) -> list[Way]:
        """Return the settings of each way to learn it."""
        room = {} if self.states is None else {"regret.states": self.states}
        exact: list[Way] = [EXACT | room, NO_FARL | room]
        return exact + [tuples.overrides for tuples in self.tuples]


def kuhn(players: int) -> str:
    """Return the name of Kuhn poker for so many players."""
    return f"kuhn(players={players})"


# Leduc poker: the cards, with the moves of a round, or with moves around the public card
CARDS = [0, 1, 2]
ROUNDS = [[*CARDS, *range(first, first + 4)] for first in (3, 7)]
LEDUC = Chosen("cards with the moves of a round", ROUNDS)
LEDUC_MORE = Chosen(
    "cards with six of the eight moves",
    [[*CARDS, *moves] for moves in ([3, 4, 5, 6, 7, 8], [3, 4, 5, 7, 8, 9], [3, 4, 7, 8, 9, 10])],
)
WITHOUT_FARL = "A without FARL"  # an opponent: the agent with the same seed
SEARCHES = ["pimc(worlds=50)", "ismcts(iterations=1000)"]

SUBJECTS = [
    Subject("Liar's Dice, six sides", "liarsdice(players=2,dice=1,sides=6)", 80_000_000),
    Subject(
        "Liar's Dice, four sides",
        "liarsdice(players=2,dice=1,sides=4)",
        10_000_000,
        10,
        [Points(10, 5), Points(10, 7)],
    ),
    Subject(
        "Leduc poker",
        "leduc(players=2)",
        20_000_000,
        11,
        [Points(10, 5), Points(10, 8), LEDUC, LEDUC_MORE],
    ),
    Subject("Kuhn poker", kuhn(2), 1_000_000, 5, [Points(5, 3), Points(5, 4)]),
    Subject("Kuhn poker, 3 players", kuhn(3), 10_000_000),
    Subject("Kuhn poker, 4 players", kuhn(4), 4_000_000),
    Subject("small Hearts, 3 players, 2 ranks", "hearts(players=3,ranks=2)", 4_000_000),
    Subject("small Hearts, 4 players, 2 ranks", "hearts(players=4,ranks=2)", 4_000_000),
    Subject("TicTacToe", "tictactoe", 4_000_000),
]
DUELS = [
    Subject(
        "small Hearts, 4 players, 2 ranks",
        "hearts(players=4,ranks=2)",
        4_000_000,
        opponents=[WITHOUT_FARL, *SEARCHES],
    ),
    Subject(
        "Phantom TicTacToe",
        "phantom",
        10_000_000,
        states=5_000_000,
        opponents=[WITHOUT_FARL, *SEARCHES],
    ),
    Subject(
        "small Hearts, 4 players, 3 ranks",
        "hearts(players=4,ranks=3)",
        5_000_000,
        states=40_000_000,
        opponents=SEARCHES,
    ),
]
BLACKJACK = Subject("Blackjack", "blackjack", 10_000_000)  # by TD, as its page says


def trials() -> Iterator[tuple[Subject, Way, int]]:
    """Yield everything to train for NashConv."""
    for subject in SUBJECTS:
        for way in subject.ways:
            for seed in SEEDS:
                yield subject, dict(sorted(way.items())), seed
