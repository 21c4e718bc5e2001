"""The board of 2048 as one word, four bits a cell: new tiles, moves, and what networks see of it.

Networks may see large tiles folded: if a tile is missing, those above it are halved.
"""

import numpy as np

from tafl.core.compile import inline, popcount, trailing_zeros

ONES = 0x1111111111111111  # the lowest bit of each cell
LEFT = 0x0111011101110111  # and of each but the last in a row
ROW = 0xFFFF  # four exponents of 4 bits, the first cell in the lowest
LARGEST = 15  # the exponent of a tile that merges no more: 4 bits hold no larger one
EVEN, FIRST = 0x0F0F0F0F0F0F0F0F, 0x0101010101010101  # every second cell, and its lowest bit
# boards full of one tile, by its exponent; as words are signed, those from 8 on are negative
FULL = tuple(e * ONES - (e >> 3 << 64) for e in range(16))


@inline
def occupied(board):
    """Return the lowest bit of each cell that is not empty."""
    folded = board | (board >> 1)
    return (folded | (folded >> 2)) & ONES


@inline
def empty_cells(board):
    """Return how many cells are empty."""
    return 16 - popcount(occupied(board))


@inline
def with_tile(board, k, exponent):
    """Return the board with a new tile on its k-th empty cell."""
    empty = ONES & ~occupied(board)
    for _ in range(k):
        empty &= empty - 1
    return board | (exponent << trailing_zeros(empty))


@inline
def slides(board):
    """Return where tiles move or merge when all slide left, and when all slide right."""
    there = occupied(board)
    left, right = there & LEFT, (there >> 4) & LEFT  # of each two neighbours in a row
    largest = board & (board >> 1) & (board >> 2) & (board >> 3)
    merge = left & ~occupied(board ^ (board >> 4)) & ~largest
    return (right & ~left) | merge, (left & ~right) | merge


@inline
def transpose(board):
    """Return the board with rows and columns exchanged."""
    swap = (board ^ (board >> 12)) & 0x0000F0F00000F0F0
    board = board ^ swap ^ (swap << 12)
    swap = (board ^ (board >> 24)) & 0x00000000FF00FF00
    return board ^ swap ^ (swap << 24)


@inline
def slide(table, board, action):
    """Return the board after a move, and the points it gives."""
    board = board if action & 1 else transpose(board)
    shift = 16 if action == 1 or action == 2 else 0
    slid, points = 0, 0
    for row in (0, 16, 32, 48):
        entry = table[(board >> row) & ROW]
        slid |= ((entry >> shift) & ROW) << row
        points += entry >> 32
    return slid if action & 1 else transpose(slid), points


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


@inline
def tile(board, c):
    """Return the exponent of a cell's tile; 14 stands also for 15."""
    exponent = (board >> (4 * c)) & 15
    return exponent if exponent < 15 else 14


@inline
def lowered(cells, exponent):
    """Return every second cell of a board, one less where its tile is at least this large."""
    return cells - (((cells + (16 - exponent) * FIRST) >> 4) & FIRST)


@inline
def halved(board, exponent):
    """Return the board with all tiles that are at least this large half as large."""
    low, high = board & EVEN, (board >> 4) & EVEN
    return lowered(low, exponent) | (lowered(high, exponent) << 4)


@inline
def has_tile(board, exponent):
    """Return whether the board has such a tile."""
    return occupied(board ^ FULL[exponent]) != ONES


@inline
def folded(board, limit):
    """Return the board as networks see it that know tiles below 2 ** limit best.

    While there is a tile as large as that or larger, and one smaller than the largest is missing,
    all above the missing one are halved: moves do the same to both boards until it is made.
    """
    for largest in range(15, limit - 1, -1):
        if has_tile(board, largest):
            gap = largest - 1
            while gap > 0 and has_tile(board, gap):
                gap -= 1
            if gap == 0:
                return board
            board = halved(board, gap + 1)
    return board


@inline
def where(fold):
    """Return the word of the state that is the board."""
    return 2 if fold else 0


@inline
def put(state, board, fold):
    """Write the board, and what networks see of it."""
    state[where(fold)] = board
    if fold:
        state[0] = folded(board, trailing_zeros(fold))
