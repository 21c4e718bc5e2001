"""Halma: pieces step, or jump in chains over others; the first in the opposite corner wins."""

from typing import NamedTuple

from tafl.rules import ALL_AROUND, Facts, grid_neighbours, inline, popcount, rules, trailing_zeros

SIZE, CELLS, LONGEST = 6, 36, 100
COLUMN = sum(1 << SIZE * row for row in range(SIZE))
INSIDE = (1 << CELLS) - 1
# the cells from which a step to the left or to the right stays on the board, by column
FREE = {-1: INSIDE & ~COLUMN, 0: INSIDE, 1: INSIDE & ~(COLUMN << (SIZE - 1))}
STEPS = tuple((SIZE * row + col, FREE[col]) for row, col in ALL_AROUND)
CAMPS = (0b1_000011_000111, 0b111000_110000_100000 << 18)  # where players begin


@inline
def shifted(bits, direction):
    """Return cells one step away in a direction, without those that would leave the board."""
    by, free = STEPS[direction]
    bits &= free
    return (bits << by) & INSIDE if by > 0 else bits >> -by


@inline
def reached(pieces, cell):
    """Return where a piece can go: a step, or a chain of jumps."""
    start = 1 << cell
    empty, others = INSIDE & ~pieces, pieces & ~start
    steps, jumps, before = 0, start, 0
    for direction in range(8):
        steps |= shifted(start, direction) & empty
    while jumps != before:
        before = jumps
        for direction in range(8):
            over = shifted(jumps, direction) & others
            jumps |= shifted(over, direction) & (empty | start)
    return steps | (jumps & ~start)


@inline
def ended(state):
    """Return whether the game is over."""
    return state[2] == LONGEST or state[0] == CAMPS[1] or state[1] == CAMPS[0]


@rules
class Halma(NamedTuple):
    """state = [pieces of player 0, pieces of player 1, moves];   action = 36 * from + to"""

    def start(self, state):
        state[0], state[1], state[2] = CAMPS[0], CAMPS[1], 0

    def player(self, state):
        return state[2] % 2

    def legal(self, state, action):
        cell, to = action // CELLS, action % CELLS
        if (state[state[2] % 2] >> cell) & 1 == 0:
            return False
        return (reached(state[0] | state[1], cell) >> to) & 1 == 1

    def moves(self, state, out):
        n, own = 0, state[state[2] % 2]
        while own != 0:
            cell = trailing_zeros(own)
            own &= own - 1
            to = reached(state[0] | state[1], cell)
            while to != 0:
                out[n] = CELLS * cell + trailing_zeros(to)
                to &= to - 1
                n += 1
        return n

    def play(self, state, action):
        state[state[2] % 2] ^= (1 << action // CELLS) | (1 << action % CELLS)
        state[2] += 1

    def over(self, state):
        return ended(state)

    def score(self, state, player):
        if not ended(state):
            return 0.0
        ahead = popcount(state[player] & CAMPS[1 - player])
        ahead -= popcount(state[1 - player] & CAMPS[player])
        return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0

    def cell(self, state, c):
        if c == CELLS:
            return state[2] % 2  # who is to move
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)

    def facts(self):
        return Facts(
            players=2,
            actions=CELLS * CELLS,
            cells=CELLS + 1,
            values=3,
            words=3,
            neighbours=[*grid_neighbours(SIZE, SIZE, ALL_AROUND), []],
            kinds={CELLS: "off"},
        )

    def action_name(self, action):
        cell, to = divmod(action, CELLS)
        return f"{named(cell)}-{named(to)}"


def named(cell):
    """Return the name of a cell, such as a6 in the upper left corner."""
    return f"{'abcdef'[cell % SIZE]}{SIZE - cell // SIZE}"
