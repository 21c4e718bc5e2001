"""Breakthrough: pawns step forward and capture diagonally; the first on the far row wins."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, trailing_zeros
from tafl.core.games.board import (
    LETTERS,
    Board,
    Tally,
    Target,
    beside_grid,
    cells_of_grid,
    stones,
    text_rows,
)
from tafl.core.games.checks import bitboard, check_whole
from tafl.core.games.grid import ALL_AROUND, mirrored_board
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player

SMALLEST, LARGEST = 5, 8  # a board is one word
LEFT = tuple(sum(1 << size * r for r in range(size)) for size in range(LARGEST + 1))


@inline
def bit(pawns, cell):
    """Return whether there is a pawn on the cell."""
    return (pawns >> cell) & 1 == 1


@inline
def arrived(size, pawns, player):
    """Return whether a pawn of the player has reached the far row."""
    home = size * (size - 1) if player == 0 else 0
    return (pawns >> home) & ((1 << size) - 1) != 0


@inline
def may_step(size, state, action):
    """Return whether a pawn of the player to move may go there."""
    p, cell = state[2], action // 3
    if action == 3 * cell + 1:
        return not bit(state[0] | state[1], cell + size if p == 0 else cell - size)
    left = action == 3 * cell
    if bit(LEFT[size] if left else LEFT[size] << (size - 1), cell):
        return False
    to = (cell + size if p == 0 else cell - size) + (-1 if left else 1)
    return not bit(state[p], to)


@rules
class Breakthrough(NamedTuple):
    """state = [first player's pawns, second player's, player to move, won]

    action = 3 * cell + 0, 1, 2 for a step to the left, straight, to the right
    cell = size * row + column, row 0 at the top, where the first player begins; bit = cell
    values: 0 empty, 1 first player, 2 second
    """

    size: int = 8

    def start(self, state):
        rows = np.int64((1 << 2 * self.size) - 1)
        state[0], state[1] = rows, rows << self.size * (self.size - 2)
        state[2] = state[3] = 0

    def player(self, state):
        return state[2]

    def legal(self, state, action):
        return bit(state[state[2]], action // 3) and may_step(self.size, state, action)

    def moves(self, state, out):
        n, pawns = 0, state[state[2]]
        while pawns != 0:
            first = 3 * trailing_zeros(pawns)
            for action in range(first, first + 3):
                if may_step(self.size, state, action):
                    out[n] = action
                    n += 1
            pawns &= pawns - 1
        return n

    def play(self, state, action):
        p, size, cell = state[2], self.size, action // 3
        to = (cell + size if p == 0 else cell - size) + action - 3 * cell - 1
        pawn = np.int64(1) << to
        state[p] ^= (np.int64(1) << cell) | pawn
        state[1 - p] &= ~pawn
        state[2] = 1 - p
        state[3] = arrived(size, state[p], p) or state[1 - p] == 0

    def over(self, state):
        return state[3] == 1

    def score(self, state, player):
        return score_of_win(state[3], state[2], player)

    def cell(self, state, c):
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1])

    def facts(self):
        board = mirrored_board(self.size, self.size, ALL_AROUND)
        mirror, actions = board["symmetries"][1], list(range(3 * self.size**2))
        mirrored = [3 * mirror[a // 3] + 2 - a % 3 for a in actions]
        return Facts(
            players=2,
            actions=len(actions),
            values=3,
            words=4,
            action_symmetries=[actions, mirrored],
            **board,
        )

    def validate(self):
        check_whole("size", self.size, SMALLEST, LARGEST)

    def position(self, state, cells, player):
        state[0], state[1], state[2] = bitboard(cells, 1), bitboard(cells, 2), player
        if state[1 - player] == 0 or arrived(self.size, state[player], player):
            raise ValueError(f"player {player} has already won")
        state[3] = arrived(self.size, state[1 - player], 1 - player) or state[player] == 0

    def draw(self, state):
        n = self.size
        lines = [f"{n - r} {row}" for r, row in enumerate(text_rows(self, state, n))]
        return "\n".join([*lines, "  " + " ".join(LETTERS[:n])])

    def board(self):
        n = self.size
        return Board(
            cells=cells_of_grid(n, n, "field"),
            pieces=stones(("black", "white"), "pawn"),
            targets=[Target() for _ in range(3 * n * n)],
            labels=beside_grid(LETTERS[:n], [str(n - r) for r in range(n)]),
            look="check",
            tally=Tally("pawns", values=[[1], [2]]),
            wins=[[c] for c in (*range(n), *range(n * n - n, n * n))],
        )

    def action_name(self, action):
        row, col = divmod(action // 3, self.size)
        return f"{LETTERS[col]}{self.size - row} {('left', 'on', 'right')[action % 3]}"

    sign = sign_of_player
