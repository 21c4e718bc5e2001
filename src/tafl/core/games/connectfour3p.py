"""ConnectFour for three, on 6 rows and 8 columns: the first to get four in a row wins."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Label, Target, stones
from tafl.core.games.checks import bitboard, check_turns
from tafl.core.games.rules import ORTHOGONAL, Facts, grid_neighbours, rules
from tafl.core.games.several import (
    SIGNS,
    next_player,
    other_stones,
    owner,
    shared_win,
    sign_of_player,
    taken,
)

ROWS, COLS = 6, 8  # 48 cells: sixteen stones for each
NAMES = "abcdefgh"
CELLS = ROWS * COLS
BOTTOM = (1 << COLS) - 1  # bit = cell, so the row above is a shift by 8
COLUMN = sum(1 << (COLS * r) for r in range(ROWS))
BOARD = (1 << CELLS) - 1
LEFT4 = COLUMN * 0b00011111  # columns where a line of four to the right, or up right, can begin
RIGHT4 = COLUMN * 0b11111000  # columns where a line of four up to the left can begin
PLAYER, PLAYED, WON = 3, 4, 5  # where in the state


@inline
def four(stones):
    """The cells where four stones in a row begin."""
    begin = stones & (stones >> 1) & (stones >> 2) & (stones >> 3) & LEFT4
    begin |= stones & (stones >> 8) & (stones >> 16) & (stones >> 24)
    begin |= stones & (stones >> 9) & (stones >> 18) & (stones >> 27) & LEFT4
    return begin | (stones & (stones >> 7) & (stones >> 14) & (stones >> 21) & RIGHT4)


@rules
class ConnectFour3P(NamedTuple):
    """state = [stones of player 0, of 1, of 2, player, stones played, 1 + who won]

    action = column; cell = 8 * row + column, row 0 at the bottom
    values: 0 empty, 1 first player, 2 second, 3 third, 4 empty and reachable
    """

    def start(self, state):
        state[:] = 0

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
        mirror = [COLS * (c // COLS) + COLS - 1 - c % COLS for c in range(CELLS)]
        columns = list(range(COLS))
        return Facts(
            players=3,
            actions=COLS,
            cells=CELLS,
            values=5,
            words=6,
            zero_sum=True,
            symmetries=[list(range(CELLS)), mirror],
            action_symmetries=[columns, columns[::-1]],
            neighbours=grid_neighbours(ROWS, COLS, ORTHOGONAL),
        )

    def position(self, state, cells, player):
        check_turns(cells, player, 3)
        for p in range(3):
            state[p] = bitboard(cells, 1 + p)
        stones, mover = taken(state), (player + 2) % 3
        if (stones >> COLS) & ~stones:
            raise ValueError("a stone floats above an empty cell")
        state[PLAYER], state[PLAYED] = player, sum(v in (1, 2, 3) for v in cells)
        state[WON] = 1 + mover if four(state[mover]) else 0
        # at most the last stone won, and it lies on top of a column
        tops = [1 << c for c in range(CELLS) if state[mover] & ~(stones >> COLS) & (1 << c)]
        before = state[WON] and all(four(state[mover] ^ top) for top in tops)
        if before or any(four(state[p]) for p in range(3) if p != mover):
            raise ValueError("the game was already won before the last stone")

    def draw(self, state):
        signs = [SIGNS[self.cell(state, c) % 4] for c in range(CELLS)]
        lines = [" ".join(signs[COLS * r :][:COLS]) for r in reversed(range(ROWS))]
        return "\n".join([*lines, " ".join(NAMES)])

    def board(self):
        top = ROWS - 1
        return Board(
            cells=[Cell(c % COLS, top - c // COLS, "hole") for c in range(CELLS)],
            pieces=[*stones(("red", "yellow", "green")), None],
            targets=[Target(cells=list(range(a, CELLS, COLS))) for a in range(COLS)],
            labels=[Label(x, top + 0.9, name) for x, name in enumerate(NAMES)],
            look="rack",
            falling=True,
        )

    def action_name(self, action):
        return NAMES[action]

    sign = sign_of_player
