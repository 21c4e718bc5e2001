"""Boards of 2048 as networks see them: where a tile is missing, those above it are seen halved."""

from tafl.core.compile import inline, trailing_zeros
from tafl.core.games.twenty48_board import ONES, occupied

EVEN, FIRST = 0x0F0F0F0F0F0F0F0F, 0x0101010101010101  # every second cell, and its lowest bit
# boards full of one tile, by its exponent; as words are signed, those from 8 on are negative
FULL = tuple(e * ONES - (e >> 3 << 64) for e in range(16))


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
def missing(board, largest):
    """Return the exponent of the largest missing tile below `largest`; 0 if none is missing."""
    exponent = largest - 1
    while exponent > 0 and has_tile(board, exponent):
        exponent -= 1
    return exponent


@inline
def folded(board, limit):
    """Return the board as networks see it that know tiles below 2 ** limit best.

    While there is a tile as large as that or larger, and one smaller than the largest is missing,
    all above the missing one are halved: moves do the same to both boards until it is made.
    """
    for largest in range(15, limit - 1, -1):
        if has_tile(board, largest):
            gap = missing(board, largest)
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
