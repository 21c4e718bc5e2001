"""The stones of EinStein würfelt nicht: where they begin, where they are, which ones may move."""

from tafl.core.compile import inline

SIZE, STONES = 5, 6
CELLS = SIZE * SIZE
PLAYER, DIE, WON = 2 * STONES, 2 * STONES + 1, 2 * STONES + 2  # where in the state
STEPS = (1, SIZE, SIZE + 1)  # across, down, diagonally; the second player's go the other way
FIRST_COLUMN, FIRST_ROW = sum(1 << SIZE * r for r in range(SIZE)), (1 << SIZE) - 1
LAST_COLUMN, LAST_ROW = FIRST_COLUMN << (SIZE - 1), FIRST_ROW << SIZE * (SIZE - 1)
EDGES = (  # where a step would leave the board: by step and player
    (LAST_COLUMN, FIRST_COLUMN),
    (LAST_ROW, FIRST_ROW),
    (LAST_COLUMN | LAST_ROW, FIRST_COLUMN | FIRST_ROW),
)
GOAL = (1 << (CELLS - 1), 1)
HOME = (0, 1, 2, 5, 6, 10)  # cells of the first player's stones at the start
ORDERS = 720  # of six stones


@inline
def arrange(state, order):
    """Place the stones of both players in one of 720 orders, each seen from its corner."""
    for j in range(STONES):
        order, k = order // (STONES - j), order % (STONES - j)
        stone = 0
        while k > 0 or state[stone] != 0:  # the k-th of those that are left
            k -= state[stone] == 0
            stone += 1
        state[stone] = 1 << HOME[j]
        state[STONES + stone] = 1 << (CELLS - 1 - HOME[j])


@inline
def stones_of(state, player):
    """Return the cells of a player's stones."""
    stones = 0
    for i in range(STONES * player, STONES * (player + 1)):
        stones |= state[i]
    return stones


@inline
def begins(state):
    """Return whether there are no stones yet."""
    return stones_of(state, 0) | stones_of(state, 1) == 0


@inline
def movable(state, stone):
    """Return whether the die allows a stone: its own number, or the nearest one that is left."""
    first, die = STONES * state[PLAYER], state[DIE] - 1
    if die < 0 or state[first + stone] == 0:
        return False
    low, high = (stone, die) if stone < die else (die, stone)
    between = 0
    for i in range(low, high + 1):
        between += state[first + i] != 0
    return between == 1
