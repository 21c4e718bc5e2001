"""ConnectFour for three, on 6 rows and 8 columns: the first to get four in a row wins."""

from typing import NamedTuple

from tafl.core.games import multiplayer, rack
from tafl.core.games.checks import bitboard, check_turns
from tafl.core.games.multiplayer import next_player, other_stones, owner, shared_win, taken
from tafl.core.games.rules import SIGNS, Facts, rules, sign_of_player, start_empty

ROWS, COLS = rack.ROWS, 8  # 48 cells: sixteen stones for each
CELLS = ROWS * COLS
BOTTOM, BOARD = (1 << COLS) - 1, (1 << CELLS) - 1
COLUMN = rack.column(COLS)
PLAYER, PLAYED, WON = 3, 4, 5  # where in the state


four = rack.four_in_a_row(COLS)


@rules
class ConnectFour3P(NamedTuple):
    """state = [stones of player 0, of 1, of 2, player, stones played, 1 + who won]

    action = column; cell = 8 * row + column, row 0 at the bottom
    values: 0 empty, 1 first player, 2 second, 3 third, 4 empty and reachable
    """

    start = start_empty

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return ((taken(state) >> (COLS * (ROWS - 1) + action)) & 1) == 0

    def play(self, state, action):
        p = state[PLAYER]
        free = ~taken(state) & (COLUMN << action)
        stones = state[p] | (free & -free)
        state[p] = stones
        state[PLAYER] = next_player(p, 3)
        state[PLAYED] += 1
        if four(stones) != 0:
            state[WON] = 1 + p

    def over(self, state):
        return state[WON] != 0 or state[PLAYED] == CELLS

    def score(self, state, player):
        return shared_win(state[WON] == 1 + player, 1, 3) if state[WON] != 0 else 0.0

    def cell(self, state, c):
        stones = taken(state)
        reachable = ((stones << COLS) | BOTTOM) & ~stones
        return owner(state, c) + 4 * ((reachable >> c) & 1)

    def changed(self, before, after):
        stones = other_stones(before, after)
        return (stones | (stones << COLS)) & BOARD

    def legal_mask(self, state):
        return (~taken(state) >> (COLS * (ROWS - 1))) & BOTTOM

    def facts(self):
        rack_facts = rack.facts_of_rack(COLS)
        seats = multiplayer.rotated_seats(3, more=[4])
        return Facts(players=3, values=5, words=6, zero_sum=True, seats=seats, **rack_facts)

    def rotate(self, state):
        multiplayer.rotate_words(state, 0, 3)
        state[PLAYER] = next_player(state[PLAYER], 3)
        state[WON] = 1 + next_player(state[WON] - 1, 3) if state[WON] else 0

    def position(self, state, cells, player):
        check_turns(cells, player, 3)
        for p in range(3):
            state[p] = bitboard(cells, 1 + p)
        stones, mover = taken(state), (player + 2) % 3
        if (stones >> COLS) & ~stones:
            raise ValueError("a stone floats above an empty cell")
        state[PLAYER], state[PLAYED] = player, sum(v in (1, 2, 3) for v in cells)
        state[WON] = (1 + mover) * rack.won_by_last(four, state[:3], mover, COLS)

    def draw(self, state):
        return rack.drawn(COLS, [SIGNS[self.cell(state, c) % 4] for c in range(CELLS)])

    def board(self):
        return rack.picture(COLS, ("red", "yellow", "green"))

    action_name = rack.column_name
    sign = sign_of_player
