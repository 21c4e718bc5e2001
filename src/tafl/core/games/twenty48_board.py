"""The board of 2048 as one word, four bits a cell: what is empty, new tiles, moves."""

from tafl.core.compile import inline, popcount, trailing_zeros
from tafl.core.games.twenty48_rows import ROW

ONES = 0x1111111111111111  # the lowest bit of each cell
LEFT = 0x0111011101110111  # and of each but the last in a row


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
