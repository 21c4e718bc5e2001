"""Othello: enclosed discs are flipped, most discs win. A player who cannot move passes."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, popcount
from tafl.core.games.board import Tally, cell_name, lettered_board, stones, text_rows
from tafl.core.games.checks import bitboard
from tafl.core.games.grid import ALL_AROUND, square_board
from tafl.core.games.rules import Facts, rules, sign_of_player

# A disc on a border is never enclosed across it. Without these discs no line runs round the edge of
# the board, and the sign bit that a shift to the right brings in falls on no disc.
COLUMNS, ROWS = 0x7E7E7E7E7E7E7E7E, 0x00FFFFFFFFFFFF00
LINES = ((1, COLUMNS), (8, ROWS), (7, COLUMNS & ROWS), (9, COLUMNS & ROWS))  # step, inner discs


@inline
def lines(x, through, step):
    """Return the discs of `through` that follow x without a gap, towards higher and lower cells."""
    up, down = through & (x << step), through & (x >> step)
    up |= through & (up << step)
    down |= through & (down >> step)
    above, below = through & (through << step), through & (through >> step)
    for _ in range(2):
        up |= above & (up << 2 * step)
        down |= below & (down >> 2 * step)
    return up, down


@inline
def moves(own, other):
    """Return the cells where a disc would enclose discs of the other player."""
    ends = 0
    for step, inner in LINES:
        up, down = lines(own, other & inner, step)
        ends |= (up << step) | (down >> step)
    return ends & ~(own | other)


@inline
def enclosed(disc, own, other):
    """Return the discs of the other player that a new disc turns over."""
    turned = 0
    for step, inner in LINES:
        up, down = lines(disc, other & inner, step)
        turned |= up if (up << step) & own != 0 else 0
        turned |= down if (down >> step) & own != 0 else 0
    return turned


@rules
class Othello(NamedTuple):
    """state = [first player's discs, second player's discs, moves of the player to move, player]

    action = cell = 8 * row + column, bit = cell; values: 0 empty, 1 first player (black),
    2 second (white), 3 empty and legal. At the end `player` is who moved last.
    """

    def start(self, state):
        state[0] = (1 << 28) | (1 << 35)
        state[1] = (1 << 27) | (1 << 36)
        state[2] = (1 << 19) | (1 << 26) | (1 << 37) | (1 << 44)
        state[3] = 0

    def player(self, state):
        return state[3]

    def legal(self, state, action):
        return ((state[2] >> action) & 1) == 1

    def play(self, state, action):
        p = state[3] & 1
        disc = np.int64(1) << action
        turned = enclosed(disc, state[p], state[1 - p])
        own, other = state[p] | disc | turned, state[1 - p] ^ turned
        state[p], state[1 - p] = own, other
        legal = moves(other, own)
        if legal != 0:
            state[3] = 1 - p
        else:
            legal = moves(own, other)
        state[2] = legal

    def over(self, state):
        return state[2] == 0

    def score(self, state, player):
        lead = popcount(state[0]) - popcount(state[1])
        if state[2] != 0 or lead == 0:
            return 0.0
        return 1.0 if (lead > 0) == (player == 0) else -1.0

    def cell(self, state, c):
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1) + 3 * ((state[2] >> c) & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1]) | (before[2] ^ after[2])

    def legal_mask(self, state):
        return state[2]

    def facts(self):
        return Facts(players=2, values=4, words=4, **square_board(8, ALL_AROUND))

    def position(self, state, cells, player):
        if any(cells[c] not in (1, 2) for c in (27, 28, 35, 36)):
            raise ValueError("cells 27, 28, 35 and 36 can never be empty")
        state[0], state[1] = bitboard(cells, 1), bitboard(cells, 2)
        state[2], state[3] = moves(state[player], state[1 - player]), player
        if state[2] == 0 and moves(state[1 - player], state[player]) != 0:
            raise ValueError(f"player {player} has no legal move; player {1 - player} is to move")

    def draw(self, state):
        rows = text_rows(self, state, 8, ".xo*")
        return "\n".join(["  a b c d e f g h", *(f"{r + 1} {row}" for r, row in enumerate(rows))])

    def board(self):
        discs = Tally("discs", values=[[1], [2]], decides=True)
        return lettered_board(8, [*stones(("black", "white")), None], "felt", "field", tally=discs)

    def action_name(self, action):
        return cell_name(8, action)

    sign = sign_of_player
