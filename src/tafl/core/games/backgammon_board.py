"""The board of Backgammon as people see it: text, a picture, and names of actions."""

from typing import Any

import numpy as np

from tafl.core.games.backgammon_dice import BEGUN, HIGH, LOW, MORE, PLAYER
from tafl.core.games.backgammon_moves import BAR, OFF, PLACES, add, count, held
from tafl.core.games.board import Board, Cell, Label, Piece, Target

UPPER, LOWER = range(13, 25), range(12, 0, -1)  # points, from left to right
ALL = 15  # checkers of a player
DIGIT_0 = 2 * ALL + 1  # the value of a digit 0
FAR = 3.2  # from the upper points to the lower ones
HALF = 6  # points to the left of the bar


def column(point: int) -> float:
    """Return where a point is, from left to right; the bar lies in the middle."""
    i = (UPPER if point > 12 else LOWER).index(point)
    return i + 1.2 * (i >= HALF)


def place_cell(place: int) -> Cell:
    """Return the cell of a place."""
    if place in (0, 25):
        return Cell(HALF + 0.1, FAR if place == 0 else 0, "field")
    up = place > 12
    return Cell(column(place), 0 if up else FAR, "hanging" if up else "standing")


def board(rules: Any) -> Board:
    """Return the board: 24 points, the bars, the checkers that are off, and four dice."""
    end = column(24) + 1.2
    off = [Cell(end, 0, "field"), Cell(end, FAR, "field")]
    dice = [Cell(column(21) - 0.5 + k, FAR / 2, kind="die") for k in range(4)]
    counts = [Cell(x + 0.62 * k, FAR / 2, "ring") for x in (1.45, 5.1) for k in range(3)]
    pips = [Label(0.35, FAR / 2, "red pips"), Label(3.95, FAR / 2, "blue pips")]
    points = [
        Label(column(point), -1 if point > 12 else FAR + 1, str(point)) for point in range(1, 25)
    ]
    checkers = [
        Piece("disc", colour, str(n) if n > 1 else "", player=p)
        for p, colour in enumerate(("red", "blue"))
        for n in range(1, ALL + 1)
    ]
    return Board(
        cells=[*map(place_cell, range(PLACES)), *off, *dice, *counts],
        pieces=[
            None,
            *checkers,
            *(Piece("stone", "white", str(n)) for n in range(10)),
        ],
        targets=[Target() for _ in range(2 * PLACES + 1)],
        labels=[*points, *pips, Label(end, -1, "off"), Label(HALF + 0.1, -1, "bar")],
        colours=("red", "blue"),
    )


def sign_of(value: int) -> str:
    """Return checkers as text: 2x are two of player 0.

    >>> sign_of(2), sign_of(15 + 3), sign_of(0)
    ('2x', '3o', '.')
    """
    if value == 0:
        return "."
    return f"{value}x" if value <= ALL else f"{value - ALL}o"


def drawn(rules: Any, state: Any) -> str:
    """Return a position as text: points 13 to 24 above, 12 to 1 below, then bars, off and dice."""
    cells = [sign_of(int(rules.cell(state, c))) for c in range(PLACES + 2)]
    dice = [int(rules.cell(state, PLACES + 2 + k)) for k in range(4)]
    rows = []
    for points in (UPPER, LOWER):
        for texts in ([str(point) for point in points], [cells[point] for point in points]):
            row = [f"{text:>3}" for text in texts]
            rows.append("".join(row[:HALF]) + "  |" + "".join(row[HALF:]))
    bars = " ".join(cells[place] for place in (0, PLACES - 1))
    dice_left = " ".join(str(die) for die in dice if die > 0) or "-"
    off = " ".join(cells[PLACES:])
    return "\n".join([*rows[:2], *rows[3:1:-1], f"bar: {bars}   off: {off}   dice: {dice_left}"])


def action_name(rules: Any, action: int) -> str:
    """Return the place of the checker, and with which die it moves.

    >>> action_name(None, 6), action_name(None, PLACES + 25), action_name(None, 2 * PLACES)
    ('6 high', 'bar of o low', 'pass')
    """
    if action == 2 * PLACES:
        return "pass"
    place, die = action % PLACES, "low" if action >= PLACES else "high"
    bars = {0: "bar of x", PLACES - 1: "bar of o"}
    return f"{bars.get(place, place)} {die}"


def set_up(rules: Any, state: Any, cells: Any, player: int) -> None:
    """Set up a position from the values of its cells."""
    empty = np.zeros_like(state)
    rules.start(empty)
    for p in (0, 1):
        for c, value in enumerate(cells[: PLACES + 2]):
            if 0 < value - ALL * p <= ALL:
                if c in (BAR[1 - p], PLACES + 1 - p):
                    raise ValueError(f"cell {c} is for checkers of the other player")
                for _ in range(value - ALL * p):
                    add(state, p, c if c < PLACES else OFF[p])
        mine, all_of_them = (sum(count(s, p, c) for c in range(PLACES)) for s in (state, empty))
        if mine != all_of_them:
            raise ValueError(f"player {p} has {mine} checkers, not {all_of_them}")
    dice = list(cells[PLACES + 2 : PLACES + 6])
    state[HIGH], state[LOW] = dice[0], dice[1] if dice[1] != dice[0] else 0
    state[MORE] = sum(die > 0 for die in dice[1:]) if dice[0] == dice[1] > 0 else 0
    state[PLAYER], state[BEGUN] = player, 1
    if [rules.cell(state, c) for c in range(len(cells))] != list(cells):
        raise ValueError("dice come first: the higher, the lower; or up to four equal ones")
    if rules.over(state) != (not any(dice)) or (held(state, 0) | held(state, 1)) == 0:
        raise ValueError("there are dice until one player has borne off all checkers")
