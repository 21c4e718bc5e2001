"""ConnectFour: four in a row on 6 rows and 7 columns, stones fall to the lowest free cell."""

from typing import NamedTuple

from tafl.core.games.rules import ORTHOGONAL, Facts, grid_neighbours, rules

ROWS, COLS = 6, 7
BOTTOM = 0b1111111  # bit = cell, so the row above is a shift by 7
COLUMN = sum(1 << (COLS * r) for r in range(ROWS))
BOARD = (1 << (ROWS * COLS)) - 1
LEFT4 = COLUMN * 0b0001111  # columns where a line of four to the right, or up to the right, can begin
RIGHT4 = COLUMN * 0b1111000  # columns where a line of four up to the left can begin


@rules
class ConnectFour(NamedTuple):
    """state = [first player's stones, second player's stones, stones played, won];   action = column

    cell = 7 * row + column, row 0 at the bottom; values: 0 empty, 1 first player, 2 second, 3 empty and reachable
    """

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[2] & 1

    def legal(self, state, action):
        return (((state[0] | state[1]) >> (COLS * (ROWS - 1) + action)) & 1) == 0

    def play(self, state, action):
        p = state[2] & 1
        free = ~(state[0] | state[1]) & (COLUMN << action)
        stones = state[p] | (free & -free)
        state[p] = stones
        state[2] += 1
        # a line of four starts at every bit that stays
        won = stones & (stones >> 1) & (stones >> 2) & (stones >> 3) & LEFT4
        won |= stones & (stones >> 7) & (stones >> 14) & (stones >> 21)
        won |= stones & (stones >> 8) & (stones >> 16) & (stones >> 24) & LEFT4
        won |= stones & (stones >> 6) & (stones >> 12) & (stones >> 18) & RIGHT4
        state[3] = 1 if won != 0 else 0

    def over(self, state):
        return state[3] == 1 or state[2] == ROWS * COLS

    def score(self, state, player):
        if state[3] == 0:
            return 0.0
        return -1.0 if player == state[2] & 1 else 1.0

    def cell(self, state, c):
        taken = state[0] | state[1]
        reachable = ((taken << COLS) | BOTTOM) & ~taken
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1) + 3 * ((reachable >> c) & 1)

    def changed(self, before, after):
        stones = (before[0] ^ after[0]) | (before[1] ^ after[1])
        return (stones | (stones << COLS)) & BOARD

    def facts(self):
        mirror = [COLS * (c // COLS) + COLS - 1 - c % COLS for c in range(ROWS * COLS)]
        columns = list(range(COLS))
        return Facts(
            players=2,
            actions=COLS,
            cells=ROWS * COLS,
            values=4,
            words=4,
            symmetries=[list(range(ROWS * COLS)), mirror],
            action_symmetries=[columns, columns[::-1]],
            neighbours=grid_neighbours(ROWS, COLS, ORTHOGONAL),
        )

    def position(self, state, cells, player):
        for c, value in enumerate(cells):
            if value in (1, 2):
                state[2] += 1
                state[value - 1] |= 1 << c
        # whoever moved last may have won
        for stones in (int(state[0]), int(state[1])):
            for step, begin in ((1, LEFT4), (7, BOARD), (8, LEFT4), (6, RIGHT4)):
                line = stones & (stones >> step) & (stones >> 2 * step) & (stones >> 3 * step)
                state[3] |= line & begin != 0

    def draw(self, state):
        rows = [[".xo."[self.cell(state, COLS * r + c)] for c in range(COLS)] for r in range(ROWS)]
        return "\n".join(" ".join(row) for row in reversed(rows)) + "\n" + " ".join(map(str, range(COLS)))

    def action_name(self, action):
        return str(action)
