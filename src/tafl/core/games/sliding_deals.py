"""How a sliding puzzle begins: every order of tiles that can be solved, by its number."""

from tafl.core.compile import inline

ORDERED = 0x0FEDCBA987654321  # tile 1 on cell 0, tile 2 on cell 1, ...


@inline
def ordered(cells):
    """Return the board with all tiles in order, and the gap at the end."""
    return ORDERED & ((1 << 4 * (cells - 1)) - 1)


@inline
def dealt(cells, number):
    """Return a solvable board with the gap at the end, by its number; number 0 is in order.

    Tile after tile is the k-th of those that are left. All k together are the inversions, which
    have to be even: that leaves no choice for the last two tiles.
    """
    left, board, odd = ordered(cells), 0, 0
    for c in range(cells - 1):
        n = cells - 1 - c
        k = number % n if n > 2 else odd if n == 2 else 0
        number = number // n
        odd ^= k & 1
        board |= ((left >> 4 * k) & 15) << 4 * c
        low = (1 << 4 * k) - 1
        left = (left & low) | ((left >> 4) & ~low)
    return board


@inline
def deals(cells):
    """Return the number of such boards, without the ordered one."""
    number = 1
    for n in range(3, cells):
        number *= n
    return number - 1
