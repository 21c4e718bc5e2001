"""Boards of ConnectFour for its solver: words where a column takes seven bits.

A position is the stones of the player to move (`own`) and all stones (`taken`), with bit = 7 *
column + row. The seventh bit of a column stays empty, so no line runs round the edge of the board.
These functions take words or arrays of words.
"""

from tafl.core.compile import inline
from tafl.core.games.connectfour import CELLS, COLS, ROWS

HEIGHT = ROWS + 1  # bits of a column
COLUMN = (1 << ROWS) - 1
BOTTOM = sum(1 << HEIGHT * c for c in range(COLS))
BOARD = BOTTOM * COLUMN


@inline
def fourths(stones, step):
    """Return the cells that lie in a line with three stones, in one direction."""
    above = (stones << step) & (stones << 2 * step)
    below = (stones >> step) & (stones >> 2 * step)
    cells = above & ((stones << 3 * step) | (stones >> step))
    return cells | (below & ((stones >> 3 * step) | (stones << step)))


@inline
def winning(stones, taken):
    """Return the empty cells that complete a line of four."""
    upright = (stones << 1) & (stones << 2) & (stones << 3)
    across = fourths(stones, HEIGHT) | fourths(stones, HEIGHT + 1) | fourths(stones, HEIGHT - 1)
    return (upright | across) & BOARD & ~taken


@inline
def reachable(taken):
    """Return the lowest empty cell of each column."""
    return (taken + BOTTOM) & BOARD


@inline
def several(cells):
    """Return whether there is more than one cell."""
    return cells & (cells - 1) != 0


@inline
def mirrored(word):
    """Return a word with left and right exchanged."""
    image = 0
    for c in range(COLS):
        image |= ((word >> HEIGHT * c) & 127) << HEIGHT * (COLS - 1 - c)
    return image


@inline
def by_columns(stones):
    """Convert stones from the row-by-row order of the rules to this layout."""
    word = 0
    for cell in range(CELLS):
        word |= ((stones >> cell) & 1) << (HEIGHT * (cell % COLS) + cell // COLS)
    return word
