"""Gomoku: five in a row on 9x9 cells; size and length of the line are parameters."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.board import (
    LETTERS,
    Edge,
    cell_name,
    lettered_board,
    path,
    stones,
    text_rows,
)
from tafl.core.games.checks import check_whole, place_in_turn
from tafl.core.games.grid import ALL_AROUND, LINES, lines_of_grid, square_board
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty

LARGEST = 15
WORDS = 4  # of stones of a player: bit c % 64 of word c // 64 is cell c
PLAYED, WON = 2 * WORDS, 2 * WORDS + 1  # where in the state
STARS = {9: (2, 4, 6), 13: (3, 6, 9), 15: (3, 7, 11)}  # crossings with a dot, in pictures


@inline
def stone(state, player, c):
    """Return 1 if the player has a stone on the cell, else 0."""
    return (state[WORDS * player + (c >> 6)] >> (c & 63)) & 1


@inline
def run(state, player, size, row, col, down, right):
    """Return the length of the run of a player's stones that begins beside a cell."""
    n = 0
    row, col = row + down, col + right
    while 0 <= row < size and 0 <= col < size and stone(state, player, size * row + col) == 1:
        n += 1
        row, col = row + down, col + right
    return n


@rules
class Gomoku(NamedTuple):
    """state = [4 words of the first player's stones, 4 of the second's, stones played, won]

    action = cell = size * row + column; values: 0 empty, 1 first player, 2 second
    """

    size: int = 9
    line: int = 5

    start = start_empty

    def player(self, state):
        return state[PLAYED] & 1

    def legal(self, state, action):
        return stone(state, 0, action) + stone(state, 1, action) == 0

    def play(self, state, action):
        p, n = state[PLAYED] & 1, self.size
        state[WORDS * p + (action >> 6)] |= np.int64(1) << (action & 63)
        state[PLAYED] += 1
        row, col = action // n, action % n
        for down, right in LINES:
            ahead = run(state, p, n, row, col, down, right)
            if 1 + ahead + run(state, p, n, row, col, -down, -right) >= self.line:
                state[WON] = 1

    def over(self, state):
        return state[WON] == 1 or state[PLAYED] == self.size**2

    def score(self, state, player):
        return score_of_win(state[WON], state[PLAYED] & 1, player)

    def cell(self, state, c):
        return stone(state, 0, c) + 2 * stone(state, 1, c)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[WORDS] ^ after[WORDS])

    def facts(self):
        board = square_board(self.size, ALL_AROUND)
        lines = lines_of_grid(self.size, self.size, self.line)
        return Facts(players=2, values=3, words=2 * WORDS + 2, lines=lines, **board)

    def validate(self):
        check_whole("size", self.size, 3, LARGEST)
        check_whole("line", self.line, 3, self.size)

    def position(self, state, cells, player):
        place_in_turn(self, state, cells, player)

    def draw(self, state):
        n = self.size
        lines = [f"{r + 1:2} {row}" for r, row in enumerate(text_rows(self, state, n))]
        return "\n".join(["   " + " ".join(LETTERS[:n]), *lines])

    def board(self):
        n = self.size
        lines = [path(((0, k), (n - 1, k))) for k in range(n)]
        lines += [path(((k, 0), (k, n - 1))) for k in range(n)]
        stars = [(x, y) for x in STARS[n] for y in STARS[n]] if n in STARS else []
        return lettered_board(
            n,
            stones(("black", "white"), "counter"),
            "wood",
            "point",
            edges=[Edge(line, "grid", 0.035) for line in lines]
            + [Edge(path((star, star)), "grid", 0.17) for star in stars],
        )

    def action_name(self, action):
        return cell_name(self.size, action)

    sign = sign_of_player
