"""Hexagons of hexagonal cells, numbered row by row from the top: lines, symmetries, pictures."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Edge, Label, Piece, on_cells, path
from tafl.core.games.grid import inverse, straight_lines
from tafl.core.games.multiplayer import owner
from tafl.core.games.rules import SIGNS

STEPS = ((0, 1), (1, 0), (1, -1))  # (row, column) to the right, down right, down left
ROWS = "abcdefghi"
DEEP = 0.85  # from a row to the next one, in pictures
# of a cell in pictures, clockwise from the upper left, and a little outside
CORNERS = ((-0.53, -0.3), (0, -0.62), (0.53, -0.3), (0.53, 0.3), (0, 0.62), (-0.53, 0.3))


@cache
def places(size: int) -> tuple[tuple[int, int], ...]:
    """Return (row, column) of the cells; columns run down to the right, as in Hex.

    >>> places(2)
    ((0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1))
    """
    width, short = 2 * size - 1, size - 1
    grid = [(r, c) for r in range(width) for c in range(width)]
    return tuple((r, c) for r, c in grid if short <= r + c <= 3 * short)


def neighbours(size: int) -> list[list[int]]:
    """Return the adjacent cells of each cell."""
    cells = places(size)
    around = [*STEPS, *((-dr, -dc) for dr, dc in STEPS)]
    near = [[(r + dr, c + dc) for dr, dc in around] for r, c in cells]
    return [sorted(cells.index(place) for place in row if place in cells) for row in near]


@inline
def owner_or_out(state, cell, cells, out):
    """Return the value of a cell; the extra cell says which of three players is out.

    It is 0 if no player is out, and if two are: then the game is over.
    """
    if cell < cells:
        return owner(state, cell)
    return out if out < 3 else (3 if out == 4 else 0)


def lines_through(size: int, length: int) -> np.ndarray:
    """Return, for each cell, all lines of `length` cells through it as bits, padded with -1."""
    lines = lines_of_board(size, length)
    table = np.full((len(places(size)), 3 * length), -1)
    for cell in range(len(table)):
        found = [sum(1 << c for c in line) for line in lines if cell in line]
        table[cell, : len(found)] = found
    return table


def lines_of_board(size: int, length: int) -> list[list[int]]:
    """Return all lines of `length` cells.

    >>> lines_of_board(2, 3)
    [[0, 3, 6], [1, 3, 5], [2, 3, 4]]
    """
    return straight_lines(places(size), length, STEPS)


def symmetries(size: int) -> list[list[int]]:
    """Return the six rotations of a board, then those of its mirror image; the identity first."""
    cells, centre = places(size), size - 1
    turned = list(cells)
    found = []
    for _ in range(6):
        found.append([cells.index(place) for place in turned])
        turned = [(r + c - centre, 2 * centre - r) for r, c in turned]
    mirror = [cells.index((c, r)) for r, c in cells]
    return found + [[board[cell] for cell in mirror] for board in found]


def sides(size: int) -> list[list[int]]:
    """Return the cells of each side, clockwise from the top; corners belong to two sides."""
    cells = places(size)
    top = [cell for cell, (r, _) in enumerate(cells) if r == 0]
    turns = symmetries(size)[:6]
    return [[turns[k][cell] for cell in top] for k in range(6)]


def cell_name(size: int, cell: int) -> str:
    """Return a letter for the row and a number for the line that runs up to the right.

    >>> cell_name(5, 0), cell_name(5, 30), cell_name(5, 60)
    ('a1', 'e5', 'i9')
    """
    r, c = places(size)[cell]
    return f"{ROWS[r]}{r + c - size + 2}"


def drawn(size: int, values: Sequence[int]) -> str:
    """Return a board as text, with the sign of each cell's value."""
    left = iter([SIGNS[value] for value in values])
    lines = [" " * (size + 2) + " ".join(str(n + 1) for n in range(size))]
    for r in range(2 * size - 1):
        away = abs(size - 1 - r)
        row = [next(left) for _ in range(2 * size - 1 - away)]
        after = [str(size + r + 1)] if r < size - 1 else []
        lines.append(" " * away + " ".join([ROWS[r], *row, *after]))
    return "\n".join(lines)


def point(row: float, column: float) -> tuple[float, float]:
    """Return the centre of a cell in pictures."""
    return column + row / 2, round(DEEP * row, 3)


def border(size: int, side: int) -> str:
    """Return the points of a line around a side, from corner to corner."""
    corners = [CORNERS[(side + k) % 6] for k in range(3)]
    centres = [point(*places(size)[cell]) for cell in sides(size)[side]]
    line = [(x + dx, y + dy) for x, y in centres for dx, dy in corners]
    for end, next_to_it in ((0, 1), (-1, -2)):  # only half of the first and the last piece
        (x, y), (to_x, to_y) = line[end], line[next_to_it]
        line[end] = (x + to_x) / 2, (y + to_y) / 2
    return path(line)


def facts_of_board(size: int, boards: list[list[int]], aside: bool = False) -> dict[str, Any]:
    """Return the facts of a board where action c is played on cell c.

    One more cell beside the board is next to all others and stays in its place.
    """
    cells, near = len(places(size)), neighbours(size)
    return {
        "actions": cells,
        "cells": cells + aside,
        "symmetries": [board + [cells] * aside for board in boards],
        "action_symmetries": inverse(boards),
        "neighbours": [[*n, cells] for n in near] + [list(range(cells))] if aside else near,
    }


def picture(
    size: int,
    pieces: Sequence[Piece | None],
    edges: Sequence[Edge] = (),
    aside: str = "",
    **more: Any,
) -> Board:
    """Return the board in pictures; `aside` names one more cell, on the lower right."""
    x, y = point(2 * size - 2, size + 1)
    one = bool(aside)
    # names of rows on the left, and of lines where they come out at the upper right
    rows = [(r, max(size - 2 - r, -1), ROWS[r]) for r in range(2 * size - 1)]
    above = [(-1, size - 1 + n, str(n)) for n in range(1, size + 1)]
    right = [(n - size - 1, 2 * size - 1, str(n)) for n in range(size + 1, 2 * size)]
    labels = [Label(*point(r, c), name) for r, c, name in (*rows, *above, *right)]
    return Board(
        cells=[Cell(*point(r, c), "hexagon") for r, c in places(size)]
        + [Cell(x, y, "hexagon")] * one,
        pieces=pieces,
        targets=on_cells(len(places(size))),
        labels=labels + [Label(x, y - 0.8, aside)] * one,
        edges=edges,
        **more,
    )
