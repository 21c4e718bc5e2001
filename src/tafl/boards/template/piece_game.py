"""PieceGame: pieces step forward and take diagonally; the first to reach the other side wins.

Change it into your own game, then run `tafl check` on this file. The methods from start() to cell()
are compiled: they compute with numbers and cannot create lists, dicts, arrays or strings.
"""

from typing import NamedTuple

from tafl.rules import ALL_AROUND, Facts, mirrored_board, rules

TURN, CELLS = 0, 1  # words of a state


@rules
class PieceGame(NamedTuple):
    """state = [moves made, a word for each cell];   action = cells * from + to

    cell = cols * row + column; 0 empty, 1 a piece of player 0 (at the bottom), 2 of player 1
    """

    rows: int = 5  # parameters: `tafl state "FILE.py(rows=6,cols=5)"`
    cols: int = 4

    def start(self, state):  # the state may still hold an earlier game
        state[:] = 0
        for col in range(self.cols):
            state[CELLS + col] = 2
            state[CELLS + self.cols * (self.rows - 1) + col] = 1

    def player(self, state):  # who is to move: 0, 1, ...
        return state[TURN] % 2

    def legal(self, state, action):  # is this action legal?
        cells, player = self.rows * self.cols, state[TURN] % 2
        start, end = action // cells, action % cells
        forward = -1 if player == 0 else 1
        sideways = abs(end % self.cols - start % self.cols)
        if state[CELLS + start] != 1 + player:
            return False
        if end // self.cols - start // self.cols != forward or sideways > 1:
            return False
        if sideways == 0:
            return state[CELLS + end] == 0
        return state[CELLS + end] != 1 + player  # a diagonal step may take a piece

    def play(self, state, action):  # change the state: the heart of the game
        cells = self.rows * self.cols
        state[CELLS + action % cells] = state[CELLS + action // cells]
        state[CELLS + action // cells] = 0
        state[TURN] += 1

    def over(self, state):  # is the game finished? The last mover may have won
        player = 1 - state[TURN] % 2
        goal = CELLS if player == 0 else CELLS + self.cols * (self.rows - 1)
        others = 0
        for cell in range(CELLS, CELLS + self.rows * self.cols):
            others += state[cell] == 2 - player
            if goal <= cell < goal + self.cols and state[cell] == 1 + player:
                return True
        return others == 0

    def score(self, state, player):  # a player's score so far
        if not self.over(state):
            return 0.0
        return -1.0 if state[TURN] % 2 == player else 1.0

    def cell(self, state, c):  # what learning sees on cell c: 0, 1, ..., values - 1
        return state[CELLS + c]

    def facts(self):  # plain Python from here on
        board = mirrored_board(self.rows, self.cols, ALL_AROUND)
        cells, mirror = board["cells"], board["symmetries"][1]
        steps = range(cells * cells)
        mirrored = [cells * mirror[step // cells] + mirror[step % cells] for step in steps]
        return Facts(
            players=2,
            actions=cells * cells,
            values=3,
            words=1 + cells,
            action_symmetries=[list(steps), mirrored],
            **board,
        )

    def validate(self):  # refuse impossible parameters with a ValueError
        if not (3 <= self.rows <= 9 and 2 <= self.cols <= 9):
            raise ValueError("rows must be 3 to 9, and cols 2 to 9")

    def draw(self, state):  # the position as text
        rows = state[CELLS:].reshape(self.rows, self.cols)
        return "\n".join(" ".join(".xo"[value] for value in row) for row in rows)

    def action_name(self, action):  # such as a1-a2
        ends = divmod(action, self.rows * self.cols)
        return "-".join(f"{'abcdefghi'[c % self.cols]}{self.rows - c // self.cols}" for c in ends)
