"""ConnectFour: four in a row on 6 rows and 7 columns, stones fall to the lowest free cell."""

from typing import NamedTuple

from tafl.core.games import rack
from tafl.core.games.checks import bitboard, check_turns
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty

ROWS, COLS = rack.ROWS, 7
CELLS = ROWS * COLS
BOTTOM, BOARD = (1 << COLS) - 1, (1 << CELLS) - 1
COLUMN = rack.column(COLS)

four = rack.four_in_a_row(COLS)


@rules
class ConnectFour(NamedTuple):
    """state = [first player's stones, second player's stones, stones played, won]

    action = column; cell = 7 * row + column, row 0 at the bottom
    values: 0 empty, 1 first player, 2 second, 3 empty and reachable
    """

    start = start_empty

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
        return score_of_win(state[3], state[2] & 1, player)

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
        return Facts(players=2, values=4, words=4, **rack.facts_of_rack(COLS))

    def position(self, state, cells, player):
        check_turns(cells, player)
        for c in range(COLS, CELLS):
            if cells[c] in (1, 2) and cells[c - COLS] not in (1, 2):
                raise ValueError(f"the stone on cell {c} floats: cell {c - COLS} is empty")
        state[0], state[1] = bitboard(cells, 1), bitboard(cells, 2)
        state[2] = sum(v in (1, 2) for v in cells)
        state[3] = rack.won_by_last(four, state[:2], 1 - player, COLS)

    def draw(self, state):
        return rack.drawn(COLS, [".xo."[self.cell(state, c)] for c in range(CELLS)])

    def board(self):
        return rack.picture(COLS, ("red", "yellow"))

    action_name = rack.column_name
    sign = sign_of_player
