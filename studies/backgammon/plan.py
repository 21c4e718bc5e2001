"""What is trained, and who plays whom: n-tuple sets, the presets, and search."""

from dataclasses import dataclass, field
from typing import Any

from studies.make.tuple_sets import Cells, backgammon
from studies.records import results

STORE = results("backgammon")
SHORT, LONGER, FEW = 40_000, 200_000, 4_000  # episodes of a trial, and games that judge it
SEARCHES = ("nply(A,depth=2)",)
SEARCHED = 100  # games of a search


def pairs(distance: int) -> list[Cells]:
    """Return n-tuples of the die that is left and two places this far apart."""
    return [[28, 29, x, x + distance] for x in range(26 - distance)]


def around_bar() -> list[Cells]:
    """Return n-tuples of both bars and three points in a row."""
    return [[0, 25, x, x + 1, x + 2] for x in range(1, 23, 2)]


def in_every(cells: list[Cells], one: int) -> list[Cells]:
    """Return the n-tuples, each with one more cell."""
    return [list(dict.fromkeys([*row, one])) for row in cells]


SIX = backgammon()
SETS: dict[str, tuple[str, list[Cells]]] = {
    "sixes": ("six places in a row, homes, race, dice apart: the preset", SIX),
    "fives": ("the same with five places in a row", backgammon(5)),
    "no race": ("without the n-tuples of the race", backgammon(seen="homes dice")),
    "no dice": ("without the die that is left", backgammon(seen="homes race")),
    "die in rows": (
        "rows of five places with the die in each, instead of six without",
        in_every(backgammon(5)[:22], 28) + SIX[21:],
    ),
    "two and a die": (
        "the die with two points in a row",
        [*backgammon(seen="homes race"), [28, 29, 0, 25], *pairs(1)],
    ),
    "fives, two and a die": (
        "five places in a row, and the die with two points",
        [*backgammon(5, "homes race"), [28, 29, 0, 25], *pairs(1)],
    ),
    "die and distance": (
        "the die with places that are 1 to 6 apart",
        backgammon(seen="homes race") + [row for d in range(1, 7) for row in pairs(d)],
    ),
    "jumps": (
        "also every second of nine places",
        SIX + [list(range(x, x + 9, 2)) for x in range(18)],
    ),
    "bars": ("also both bars with three points", SIX + around_bar()),
}


@dataclass(frozen=True)
class Trial:
    """One training."""

    game: str
    name: str  # of an n-tuple set; "": those of the preset
    seed: int = 1
    episodes: int | None = SHORT
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def overrides(self) -> dict[str, Any]:
        """Return what is not as in the preset."""
        return self.settings | ({"network.tuples": SETS[self.name][1]} if self.name else {})


FRESH = range(11, 21)  # seeds that no choice was made by
LONG = 1_000_000  # episodes
TRIALS = [
    *(Trial("backgammon", name, seed, LONGER) for name in ("die in rows", "") for seed in FRESH),
    *(Trial("backgammon(hyper=true)", "", seed, LONGER) for seed in FRESH),
    *(Trial("backgammon", "die in rows", seed, LONG) for seed in FRESH[:3]),
    Trial("backgammon", "", 1, LONGER),
    Trial("backgammon(hyper=true)", "", 1, LONGER),
    *(Trial("backgammon", name) for name in ("", "fives", "no dice", "no race", "die in rows")),
    *(Trial("backgammon", "", seed, LONGER) for seed in (2, 3)),
    *(Trial("backgammon", name) for name in ("die and distance", "jumps", "bars")),
]
