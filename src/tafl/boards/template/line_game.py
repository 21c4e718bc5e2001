"""LineGame: players place stones in turn; the first to get `line` of them in a row wins.

Change it into your own game, then run `tafl check` on this file. The methods from start() to cell()
are compiled: they compute with numbers and cannot create lists, dicts, arrays or strings.
"""

from typing import NamedTuple

from tafl.rules import ALL_AROUND, Facts, grid_neighbours, inline, inverse, rules, square_symmetries

STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and the two diagonals


@inline  # a function that the methods below may call
def in_a_row(state, size, cell, down, right):
    """Count the stones of the same kind that follow a cell in one direction."""
    row, col = cell // size + down, cell % size + right
    count = 0
    while 0 <= row < size and 0 <= col < size and state[2 + size * row + col] == state[2 + cell]:
        count += 1
        row, col = row + down, col + right
    return count


@rules
class LineGame(NamedTuple):
    """state = [stones played, winner, a word for each cell];   action = cell = size * row + column

    winner and cells: 0 none, 1 player 0, 2 player 1, ...
    """

    size: int = 4  # parameters: `tafl state "FILE.py(size=5,players=3)"`
    line: int = 3
    players: int = 2

    def start(self, state):  # the state may still hold an earlier game
        state[:] = 0

    def player(self, state):  # who is to move: 0, 1, ...
        return state[0] % self.players

    def legal(self, state, action):  # is this action legal?
        return state[2 + action] == 0

    def play(self, state, action):  # change the state: the heart of the game
        stone = state[0] % self.players + 1
        state[0] += 1
        state[2 + action] = stone
        for down, right in STEPS:
            ahead = in_a_row(state, self.size, action, down, right)
            behind = in_a_row(state, self.size, action, -down, -right)
            if ahead + 1 + behind >= self.line:
                state[1] = stone

    def over(self, state):  # is the game finished?
        return state[1] != 0 or state[0] == self.size**2

    def score(self, state, player):  # a player's score so far
        if state[1] == 0:
            return 0.0
        return 1.0 if state[1] == player + 1 else -1.0

    def cell(self, state, c):  # what learning sees on cell c: 0, 1, ..., values - 1
        return state[2 + c]

    def facts(self):  # plain Python from here on
        cells = self.size**2
        symmetries = square_symmetries(self.size)
        return Facts(
            players=self.players,
            actions=cells,
            cells=cells,
            values=self.players + 1,
            words=2 + cells,
            symmetries=symmetries,  # leave these two out if the board has no symmetry
            action_symmetries=inverse(symmetries),
            neighbours=grid_neighbours(self.size, self.size, ALL_AROUND),
        )

    def validate(self):  # refuse impossible parameters with a ValueError
        if not (2 <= self.line <= self.size <= 10 and 1 <= self.players <= 4):
            raise ValueError("line must be 2 to size, size at most 10, and players 1 to 4")

    def draw(self, state):  # the position as text
        rows = state[2:].reshape(self.size, self.size)
        return "\n".join(" ".join(".xo#@"[value] for value in row) for row in rows)
