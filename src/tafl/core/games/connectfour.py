"""ConnectFour: four in a row on 6 rows and 7 columns, stones fall to the lowest free cell."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Label, Target, stones
from tafl.core.games.checks import bitboard, check_turns
from tafl.core.games.rules import ORTHOGONAL, Facts, cross_or_nought, grid_neighbours, rules

ROWS, COLS = 6, 7
NAMES = "abcdefg"
CELLS = ROWS * COLS
BOTTOM = 0b1111111  # bit = cell, so the row above is a shift by 7
COLUMN = sum(1 << (COLS * r) for r in range(ROWS))
BOARD = (1 << CELLS) - 1
LEFT4 = COLUMN * 0b0001111  # columns where a line of four to the right, or up right, can begin
RIGHT4 = COLUMN * 0b1111000  # columns where a line of four up to the left can begin


@inline
def four(stones):
    """The cells where four stones in a row begin."""
    begin = stones & (stones >> 1) & (stones >> 2) & (stones >> 3) & LEFT4
    begin |= stones & (stones >> 7) & (stones >> 14) & (stones >> 21)
    begin |= stones & (stones >> 8) & (stones >> 16) & (stones >> 24) & LEFT4
    return begin | (stones & (stones >> 6) & (stones >> 12) & (stones >> 18) & RIGHT4)


@rules
class ConnectFour(NamedTuple):
    """state = [first player's stones, second player's stones, stones played, won]

    action = column; cell = 7 * row + column, row 0 at the bottom
    values: 0 empty, 1 first player, 2 second, 3 empty and reachable
    """

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[2] & 1

    def legal(self, state, action):
        return (((state[0] | state[1]) >> (COLS * (ROWS - 1) + action)) & 1) == 0

    def play(self, state, action):
        free = ~(state[0] | state[1]) & (COLUMN << action)
        stone = free & -free
        if state[2] & 1:  # not state[p]: at fixed places a GPU keeps the state in registers
            stones = state[1] | stone
            state[1] = stones
        else:
            stones = state[0] | stone
            state[0] = stones
        state[2] += 1
        state[3] = four(stones) != 0

    def over(self, state):
        return state[3] == 1 or state[2] == CELLS

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

    def legal_mask(self, state):
        return (~(state[0] | state[1]) >> (COLS * (ROWS - 1))) & BOTTOM

    def facts(self):
        mirror = [COLS * (c // COLS) + COLS - 1 - c % COLS for c in range(CELLS)]
        columns = list(range(COLS))
        return Facts(
            players=2,
            actions=COLS,
            cells=CELLS,
            values=4,
            words=4,
            symmetries=[list(range(CELLS)), mirror],
            action_symmetries=[columns, columns[::-1]],
            neighbours=grid_neighbours(ROWS, COLS, ORTHOGONAL),
        )

    def position(self, state, cells, player):
        check_turns(cells, player)
        for c in range(COLS, CELLS):
            if cells[c] in (1, 2) and cells[c - COLS] not in (1, 2):
                raise ValueError(f"the stone on cell {c} floats: cell {c - COLS} is empty")
        state[0], state[1] = bitboard(cells, 1), bitboard(cells, 2)
        state[2] = sum(v in (1, 2) for v in cells)
        # at most the last stone won, and it lies on top of a column
        taken, latest = state[0] | state[1], state[1 - player]
        tops = [1 << c for c in range(CELLS) if latest & ~(taken >> COLS) & (1 << c)]
        if four(state[player]) or (four(latest) and all(four(latest ^ top) for top in tops)):
            raise ValueError("the game was already won before the last stone")
        state[3] = four(latest) != 0

    def draw(self, state):
        rows = [[".xo."[self.cell(state, COLS * r + c)] for c in range(COLS)] for r in range(ROWS)]
        lines = [" ".join(row) for row in reversed(rows)]
        return "\n".join([*lines, " ".join(NAMES)])

    def board(self):
        top = ROWS - 1
        return Board(
            cells=[Cell(c % COLS, top - c // COLS, "hole") for c in range(CELLS)],
            pieces=[*stones(("red", "yellow")), None],
            targets=[Target(cells=list(range(a, CELLS, COLS))) for a in range(COLS)],
            labels=[Label(x, top + 0.9, name) for x, name in enumerate(NAMES)],
            look="rack",
            falling=True,
        )

    def action_name(self, action):
        return NAMES[action]

    sign = cross_or_nought
