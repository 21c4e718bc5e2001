"""The board of Backgammon as people see it: text, a picture, and names of actions."""

from typing import Any

import numpy as np

from tafl.core.games.backgammon_dice import BEGUN, HIGH, LOW, MORE, PLAYER
from tafl.core.games.backgammon_moves import BAR, OFF, PLACES, add, count, held
from tafl.core.games.board import Board, Cell, Label, Piece, Target

UPPER, LOWER = range(13, 25), range(12, 0, -1)  # points, from left to right
ALL = 15  # checkers of a player
DIGIT_0 = 2 * ALL + 1  # the value of a digit 0
FAR = 9  # from the upper points to the lower ones
HALF = 6  # points to the left of the bar
STEP, SEEN = 0.72, 5  # from a checker to the next one; checkers of a heap that are drawn
SHAPES: dict[str, dict[str, Any]] = {
    "standing": {"tag": "polygon", "points": "-.47,.5 .47,.5 0,-3.5"},
    "hanging": {"tag": "polygon", "points": "-.47,-.5 .47,-.5 0,3.5"},
    "bar": {"tag": "rect", "x": -0.42, "y": -0.5, "width": 0.84, "height": 1, "rx": 0.1},
}


def column(point: int) -> float:
    """Return where a point is, from left to right; the bar lies in the middle."""
    i = (UPPER if point > 12 else LOWER).index(point)
    return i + (i >= HALF)


def place_cell(place: int) -> Cell:
    """Return the cell of a place."""
    if place in (0, 25):  # checkers on the bar begin in the middle
        below = place == 0
        return Cell(HALF, FAR / 2 + (1 if below else -1), "bar", step=STEP if below else -STEP)
    if place > 12:
        return Cell(column(place), 0, "hanging", step=STEP)
    return Cell(column(place), FAR, "standing", step=-STEP)


def board(rules: Any) -> Board:
    """Return the board: 24 points, the bars, the checkers that are off, and four dice."""
    end = column(24) + 1.3
    off = [Cell(end, 0, "bar", step=STEP), Cell(end, FAR, "bar", step=-STEP)]
    dice = [Cell(column(22) - 0.5 + k, FAR / 2, kind="die") for k in range(4)]
    counts = [
        Cell(0.2 + 3.2 * p + 0.62 * k, FAR / 2, "ring", "note", 1 + p)
        for p in (0, 1)
        for k in range(3)
    ]
    points = [
        Label(column(point), -0.9 if point > 12 else FAR + 0.9, str(point))
        for point in range(1, 25)
    ]
    checkers = [
        Piece("disc", colour, str(n) if n > SEEN else "", min(n, SEEN), p)
        for p, colour in enumerate(("red", "blue"))
        for n in range(1, ALL + 1)
    ]
    pips = [[Piece("stone", colour, str(n)) for n in range(10)] for colour in ("red", "blue")]
    return Board(
        cells=[*map(place_cell, range(PLACES)), *off, *dice, *counts],
        pieces=[None, *checkers, *[None] * 10],
        decks=[[*[None] * DIGIT_0, *digits] for digits in pips],
        targets=[Target() for _ in range(2 * PLACES + 1)],
        labels=[*points, Label(end, -0.9, "off")],
        look="check",
        shapes=SHAPES,
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
