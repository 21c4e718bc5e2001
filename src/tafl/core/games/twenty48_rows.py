"""What a move of 2048 makes of each row of four tiles."""

import numpy as np

ROW = 0xFFFF  # four exponents of 4 bits, the first cell in the lowest
LARGEST = 15  # the exponent of a tile that merges no more: 4 bits hold no larger one


def close_gaps(tiles: np.ndarray) -> np.ndarray:
    """Move empty cells to the end of rows of exponents; tiles[i] are the i-th cells."""
    return np.take_along_axis(tiles, np.argsort(tiles == 0, axis=0, kind="stable"), axis=0)


def slide_left(tiles: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return rows after a move to the left, and its points."""
    tiles = close_gaps(tiles)
    points = np.zeros(tiles.shape[1], tiles.dtype)
    for i in range(3):
        merge = (tiles[i] == tiles[i + 1]) & (tiles[i] > 0) & (tiles[i] < LARGEST)
        tiles[i] += merge
        tiles[i + 1] *= ~merge
        points += merge << tiles[i]
    return close_gaps(tiles), points


def row_table() -> np.ndarray:
    """Return, for each row, left | right << 16 | points << 32; bits 0-3 are the first cell."""
    shifts = np.array([[0], [4], [8], [12]])
    tiles = (np.arange(ROW + 1) >> shifts) & 15
    left, points = slide_left(tiles)
    right = slide_left(tiles[::-1])[0][::-1]
    table: np.ndarray = (left << shifts).sum(0) | (right << shifts).sum(0) << 16 | points << 32
    return table
