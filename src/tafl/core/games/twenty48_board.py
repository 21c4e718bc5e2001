"""The board of 2048 as one word, four bits a cell: what is empty, new tiles, moves."""

from tafl.core.compile import inline, popcount, trailing_zeros
from tafl.core.games.twenty48_rows import ROW

ONES = 0x1111111111111111  # the lowest bit of each cell
LEFT = 0x0111011101110111  # and of each but the last in a row
EVEN, FIRST = 0x0F0F0F0F0F0F0F0F, 0x0101010101010101  # every second cell, and its lowest bit
# boards full of one tile, by its exponent; as words are signed, those from 8 on are negative
FULL = tuple(e * ONES - (e >> 3 << 64) for e in range(16))


@inline
def occupied(board):
    """The lowest bit of each cell that is not empty."""
    folded = board | (board >> 1)
    return (folded | (folded >> 2)) & ONES


@inline
def empty_cells(board):
    """How many cells are empty."""
    return 16 - popcount(occupied(board))


@inline
def with_tile(board, k, exponent):
    """The board with a new tile on its k-th empty cell."""
    empty = ONES & ~occupied(board)
    for _ in range(k):
        empty &= empty - 1
    return board | (exponent << trailing_zeros(empty))


@inline
def slides(board):
    """Do tiles move, or merge, when all slide left? And when all slide right?"""
    there = occupied(board)
    left, right = there & LEFT, (there >> 4) & LEFT  # of each two neighbours in a row
    largest = board & (board >> 1) & (board >> 2) & (board >> 3)
    merge = left & ~occupied(board ^ (board >> 4)) & ~largest
    return (right & ~left) | merge, (left & ~right) | merge


@inline
def transpose(board):
    """The board with rows and columns exchanged."""
    swap = (board ^ (board >> 12)) & 0x0000F0F00000F0F0
    board = board ^ swap ^ (swap << 12)
    swap = (board ^ (board >> 24)) & 0x00000000FF00FF00
    return board ^ swap ^ (swap << 24)


@inline
def slide(table, board, action):
    """The board after a move, and the points it gives."""
    board = board if action & 1 else transpose(board)
    shift = 16 if action == 1 or action == 2 else 0
    slid, points = 0, 0
    for row in (0, 16, 32, 48):
        entry = table[(board >> row) & ROW]
        slid |= ((entry >> shift) & ROW) << row
        points += entry >> 32
    return slid if action & 1 else transpose(slid), points


@inline
def lowered(cells, exponent):
    """Every second cell of a board, one less where its tile is at least this large."""
    return cells - (((cells + (16 - exponent) * FIRST) >> 4) & FIRST)


@inline
def halved(board, exponent):
    """The board with all tiles that are at least this large half as large."""
    low, high = board & EVEN, (board >> 4) & EVEN
    return lowered(low, exponent) | (lowered(high, exponent) << 4)


@inline
def has_tile(board, exponent):
    """Is there such a tile?"""
    return occupied(board ^ FULL[exponent]) != ONES


@inline
def missing(board, largest):
    """The exponent of the largest tile below `largest` that is not there; 0 if all are."""
    exponent = largest - 1
    while exponent > 0 and has_tile(board, exponent):
        exponent -= 1
    return exponent


@inline
def folded(board, limit):
    """The board as a network sees it that knows boards with tiles below 2 ** limit best.

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
