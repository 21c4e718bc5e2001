"""Tablut: sixteen attackers hunt a king with eight men, who has to reach an edge of 9x9 cells."""

from typing import NamedTuple

from tafl.core.games.brandubh import Brandubh
from tafl.core.games.hnefatafl import line_table, place_table, setup_table
from tafl.core.games.rules import Table, rules_like

SIZE = 9
SETUP = (
    "...xxx...",
    "....x....",
    "....o....",
    "x...o...x",
    "xxooKooxx",
    "x...o...x",
    "....o....",
    "....x....",
    "...xxx...",
)


@rules_like(Brandubh)
class Tablut(NamedTuple):
    """The state is that of Brandubh; action = (4 * cell + direction) * 8 + distance - 1."""

    limit: int = 200
    quiet = ("limit",)
    lines: Table = line_table(SIZE)
    places: Table = place_table(SIZE, corners=False)
    setup: Table = setup_table(SETUP)
