"""Cells on grids and other boards: their neighbours, and the symmetries of a board.

The functions write the lists that `Facts` takes.
"""

from typing import Any

import numpy as np

ORTHOGONAL = ((-1, 0), (1, 0), (0, -1), (0, 1))
ALL_AROUND = (*ORTHOGONAL, (-1, -1), (-1, 1), (1, -1), (1, 1))
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))  # along rows, columns and both diagonals


def grid_neighbours(rows: int, cols: int, steps) -> list[list[int]]:
    """Return, for each cell of a grid, the cells one of the (row, column) steps away."""
    return [
        sorted(
            (r + dr) * cols + c + dc
            for dr, dc in steps
            if 0 <= r + dr < rows and 0 <= c + dc < cols
        )
        for r in range(rows)
        for c in range(cols)
    ]


def straight_lines(places, length: int, steps=LINES) -> list[list[int]]:
    """Return the lines of `length` cells at (row, column), along the (row, column) steps.

    >>> straight_lines([(0, 0), (0, 1), (0, 2)], 2)
    [[0, 1], [1, 2]]
    """
    number = {place: c for c, place in enumerate(places)}
    rows = [
        [(r + k * dr, c + k * dc) for k in range(length)] for r, c in number for dr, dc in steps
    ]
    return [[number[place] for place in row] for row in rows if set(row) <= set(number)]


def lines_of_grid(rows: int, cols: int, length: int) -> list[list[int]]:
    """Return the lines of `length` cells on a grid: rows, columns and diagonals.

    >>> len(lines_of_grid(3, 3, 3))
    8
    """
    return straight_lines([(r, c) for r in range(rows) for c in range(cols)], length)


def square_symmetries(size: int) -> list[list[int]]:
    """Return the eight rotations and reflections of a square board, the identity first."""
    board = np.arange(size * size).reshape(size, size)
    return [np.rot90(b, turns).ravel().tolist() for b in (board, board.T) for turns in range(4)]


def mirror_images(places) -> list[list[int]]:
    """Return the rotations and reflections of cells at (x, y) that put a cell on every cell.

    >>> mirror_images([(0, 0), (1, 0), (2, 0)])
    [[0, 1, 2], [2, 1, 0]]
    """
    xs, ys = zip(*places, strict=True)
    u, v = min(xs) + max(xs), min(ys) + max(ys)  # twice the centre
    number = {(2 * x - u, 2 * y - v): c for c, (x, y) in enumerate(places)}
    images = []
    for swap in (False, True):
        for sx, sy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
            moved = [(sx * y, sy * x) if swap else (sx * x, sy * y) for x, y in number]
            images.append([number.get(place, -1) for place in moved])
    found = [image for image in images if -1 not in image]
    return [image for i, image in enumerate(found) if image not in found[:i]]


def inverse(permutations: list[list[int]]) -> list[list[int]]:
    """Return the inverse permutations: where each cell goes."""
    return [np.argsort(p).tolist() for p in permutations]


def square_board(size: int, steps, symmetries: list[list[int]] | None = None) -> dict[str, Any]:
    """Return the facts of a square board where action c is played on cell c."""
    symmetries = symmetries or square_symmetries(size)
    return {
        "actions": size * size,
        "cells": size * size,
        "symmetries": symmetries,
        "action_symmetries": inverse(symmetries),
        "neighbours": grid_neighbours(size, size, steps),
    }


def mirrored_board(rows: int, cols: int, steps) -> dict[str, Any]:
    """Return the facts of a grid with left-right symmetry."""
    cells = list(range(rows * cols))
    mirror = [cols * (c // cols) + cols - 1 - c % cols for c in cells]
    return {
        "cells": len(cells),
        "symmetries": [cells, mirror],
        "neighbours": grid_neighbours(rows, cols, steps),
    }
