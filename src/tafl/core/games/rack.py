"""A rack of six rows, where stones fall to the lowest free cell: what games of four in a row share.

cell = columns * row + column, row 0 at the bottom; bit = cell, so the row above is a shift by the
number of columns.
"""

from collections.abc import Callable, Sequence
from typing import Any

from tafl.core.compile import inline
from tafl.core.games.board import LETTERS, Board, Cell, Label, Target, stones
from tafl.core.games.grid import ORTHOGONAL, lines_of_grid, mirrored_board

ROWS = 6


def column(cols: int) -> int:
    """Return the cells of the first column, as bits."""
    return sum(1 << (cols * r) for r in range(ROWS))


def four_in_a_row(cols: int) -> Callable:
    """Make the function that finds four stones in a row."""
    left = column(cols) * ((1 << (cols - 3)) - 1)  # a line to the right, or up right, can begin
    right = left << 3  # a line up to the left can begin
    up, up_right, up_left = cols, cols + 1, cols - 1

    @inline
    def four(stones):
        """Return the cells where four stones in a row begin."""
        begin = stones & (stones >> 1) & (stones >> 2) & (stones >> 3) & left
        begin |= stones & (stones >> up) & (stones >> 2 * up) & (stones >> 3 * up)
        rising = stones & (stones >> up_right) & (stones >> 2 * up_right)
        falling = stones & (stones >> up_left) & (stones >> 2 * up_left)
        begin |= rising & (stones >> 3 * up_right) & left
        return begin | (falling & (stones >> 3 * up_left) & right)

    return four


def won_by_last(four: Callable, stones: Sequence[Any], mover: int, cols: int) -> bool:
    """Return whether the mover's last stone, on top of a column, won; refuse an earlier win."""
    taken, latest = 0, stones[mover]
    for own in stones:
        taken |= own
    tops = [1 << c for c in range(ROWS * cols) if latest & ~(taken >> cols) & (1 << c)]
    before = four(latest) and all(four(latest ^ top) for top in tops)
    if before or any(four(own) for p, own in enumerate(stones) if p != mover):
        raise ValueError("the game was already won before the last stone")
    return bool(four(latest))


def facts_of_rack(cols: int) -> dict[str, Any]:
    """Return the facts of a rack, where an action is a column."""
    columns = list(range(cols))
    board = mirrored_board(ROWS, cols, ORTHOGONAL)
    board["lines"] = lines_of_grid(ROWS, cols, 4)
    return {"actions": cols, "action_symmetries": [columns, columns[::-1]], **board}


def column_name(self, action):
    """Return the letter of a column."""
    return LETTERS[action]


def drawn(cols: int, signs: Sequence[str]) -> str:
    """Return a rack as text, with the sign on each cell."""
    lines = [" ".join(signs[cols * r :][:cols]) for r in reversed(range(ROWS))]
    return "\n".join([*lines, " ".join(LETTERS[:cols])])


def picture(cols: int, colours: Sequence[str]) -> Board:
    """Return a rack in pictures."""
    top, cells = ROWS - 1, range(ROWS * cols)
    return Board(
        cells=[Cell(c % cols, top - c // cols, "hole") for c in cells],
        pieces=[*stones(colours), None],
        targets=[Target(cells=list(cells[a::cols])) for a in range(cols)],
        labels=[Label(x, top + 0.9, name) for x, name in enumerate(LETTERS[:cols])],
        look="rack",
        falling=True,
    )
