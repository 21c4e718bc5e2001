"""What games say: parameters that make no sense, drawings, names of actions."""

import pytest

from oracles import position, start
from tafl.core.games.connectfour import ConnectFour
from tafl.core.games.hex import Hex
from tafl.core.games.nim import Nim
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.othello import Othello
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.games.twenty48 import Twenty48


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Hex(size=1), "size must be a whole number from 2 to 7, not 1"),
        (Hex(size=8), "size must be a whole number from 2 to 7, not 8"),
        (Hex(size=2.5), "size must be a whole number from 2 to 7, not 2.5"),
        (Nim(heaps=0), "heaps must be a whole number from 1 to 16, not 0"),
        (Nim(heaps=17), "heaps must be a whole number from 1 to 16, not 17"),
        (Nim(stones=0), "stones must be a whole number from 1 to 255, not 0"),
        (Nim(take=0), "take must be a whole number from 1 to 255, not 0"),
        (Nim3P(take=-1), "take must be a whole number from 1 to 255, not -1"),
    ],
)
def test_parameters_that_make_no_sense(rules, message):
    with pytest.raises(ValueError, match=message):
        rules.validate()


@pytest.mark.parametrize(
    "rules", [Hex(size=2), Hex(size=7), Nim(heaps=16, stones=255, take=1), Othello(), Twenty48()]
)
def test_parameters_that_make_sense(rules):
    rules.validate()


OTHELLO = """\
  a b c d e f g h
1 . . . . . . . .
2 . . . . . . . .
3 . . . * . . . .
4 . . * o x . . .
5 . . . x o * . .
6 . . . . * . . .
7 . . . . . . . .
8 . . . . . . . ."""

HEX = """\
  a b c
1 x . .
 2 . . o
  3 . . ."""

CONNECTFOUR = """\
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . o . . .
. . . x . . .
a b c d e f g"""

TWENTY48 = """\
    .     2     4     8
    .     .     .     .
16384     .     .     .
    .     .     .   128"""


@pytest.mark.parametrize(
    ("rules", "moves", "drawing"),
    [
        (TicTacToe(), [0, 5], "x . .\n. . o\n. . ."),
        (ConnectFour(), [3, 3], CONNECTFOUR),
        (Hex(size=3), [0, 5], HEX),
        (Othello(), [], OTHELLO),
        (Nim(), [10], "0: ooooo\n1: o\n2: ooooo"),
        (Nim3P(heaps=2), [9], "0: ooooo\n1: "),
    ],
)
def test_drawings(rules, moves, drawing):
    state = start(rules)
    for action in moves:
        rules.play(state, action)
    assert rules.draw(state) == drawing


def test_2048_drawing():
    rules = Twenty48()
    assert (
        rules.draw(position(rules, [0, 1, 2, 3, 0, 0, 0, 0, 14, 0, 0, 0, 0, 0, 0, 7])) == TWENTY48
    )


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (TicTacToe(), {0: "a3", 4: "b2", 8: "c1"}),
        (ConnectFour(), {0: "a", 6: "g"}),
        (Hex(size=6), {0: "a1", 7: "b2", 35: "f6"}),
        (Othello(), {0: "a1", 19: "d3", 63: "h8"}),
        (Nim(), {0: "1 from heap 0", 14: "5 from heap 2"}),
        (Twenty48(), {0: "up", 1: "right", 2: "down", 3: "left"}),
    ],
)
def test_action_names(rules, names):
    assert {action: rules.action_name(action) for action in names} == names
