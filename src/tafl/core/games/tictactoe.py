"""TicTacToe: three in a row on a 3x3 board."""

from typing import NamedTuple

from tafl.core.games.rules import (
    ORTHOGONAL,
    Facts,
    grid_neighbours,
    inverse,
    rules,
    square_symmetries,
)

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@rules
class TicTacToe(NamedTuple):
    """state = [crosses, noughts, stones played, won];   action = cell = 3 * row + column

    cell values: 0 empty, 1 cross (the first player), 2 nought
    """

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[2] & 1

    def legal(self, state, action):
        return (((state[0] | state[1]) >> action) & 1) == 0

    def play(self, state, action):
        p = state[2] & 1
        stones = state[p] | (1 << action)
        state[p] = stones
        state[2] += 1
        for line in LINES:
            if stones & line == line:
                state[3] = 1

    def over(self, state):
        return state[3] == 1 or state[2] == 9

    def score(self, state, player):
        if state[3] == 0:
            return 0.0
        return -1.0 if player == state[2] & 1 else 1.0

    def cell(self, state, c):
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1])

    def facts(self):
        symmetries = square_symmetries(3)
        return Facts(
            players=2,
            actions=9,
            cells=9,
            values=3,
            words=4,
            symmetries=symmetries,
            action_symmetries=inverse(symmetries),
            neighbours=grid_neighbours(3, 3, ORTHOGONAL),
        )

    def position(self, state, cells, player):
        for c, value in enumerate(cells):
            if value:
                state[value - 1] |= 1 << c
        state[2] = sum(value != 0 for value in cells)
        state[3] = any(stones & line == line for line in LINES for stones in state[:2])

    def draw(self, state):
        marks = [".xo"[self.cell(state, c)] for c in range(9)]
        return "\n".join(" ".join(marks[r : r + 3]) for r in (0, 3, 6))

    def action_name(self, action):
        return "abc"[action % 3] + "321"[action // 3]
