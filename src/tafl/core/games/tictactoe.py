"""TicTacToe: three in a row on a 3x3 board."""

from typing import NamedTuple

from tafl.core.games.board import Board, Piece, beside_grid, cells_of_grid, on_cells, text_rows
from tafl.core.games.checks import place_in_turn
from tafl.core.games.grid import ORTHOGONAL, lines_of_grid, square_board
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty

LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@rules
class TicTacToe(NamedTuple):
    """state = [crosses, noughts, stones played, won];   action = cell = 3 * row + column

    cell values: 0 empty, 1 cross (the first player), 2 nought
    """

    start = start_empty

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
            state[3] |= stones & line == line

    def over(self, state):
        return state[3] == 1 or state[2] == 9

    def score(self, state, player):
        return score_of_win(state[3], state[2] & 1, player)

    def cell(self, state, c):
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1])

    def legal_mask(self, state):
        return ~(state[0] | state[1]) & 0o777

    def facts(self):
        board = square_board(3, ORTHOGONAL)
        return Facts(players=2, values=3, words=4, lines=lines_of_grid(3, 3, 3), **board)

    def position(self, state, cells, player):
        place_in_turn(self, state, cells, player)

    def draw(self, state):
        return "\n".join(text_rows(self, state, 3))

    def board(self):
        return Board(
            cells=cells_of_grid(3, 3),
            pieces=[None, Piece("cross", "red", "x"), Piece("ring", "blue", "o")],
            targets=on_cells(9),
            labels=beside_grid("abc", "321"),
        )

    def action_name(self, action):
        return "abc"[action % 3] + "321"[action // 3]

    sign = sign_of_player
