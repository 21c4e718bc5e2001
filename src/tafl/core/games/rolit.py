"""Rolit: Othello for up to four; players who cannot enclose a ball place one beside any ball."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, popcount
from tafl.core.games.board import PLAYERS, Tally, lettered_board, stones, text_rows
from tafl.core.games.checks import bitboard, check_whole
from tafl.core.games.grid import ALL_AROUND, square_board
from tafl.core.games.multiplayer import next_player, rotate_words, rotated_seats, shared_win
from tafl.core.games.othello import Othello, enclosed, moves
from tafl.core.games.rules import SIGNS, Facts, rules, sign_of_player

COLOURS = 4
CENTRE = (27, 28, 36, 35)  # where the four balls of the start lie, clockwise
NOT_LAST_COLUMN, NOT_LAST_ROW = 0x7F7F7F7F7F7F7F7F, 0x00FFFFFFFFFFFFFF
LEGAL, PLAYER = 4, 5  # where in the state


@inline
def around(balls):
    """Return the balls and the cells next to them."""
    wide = balls | ((balls & NOT_LAST_COLUMN) << 1) | ((balls >> 1) & NOT_LAST_COLUMN)
    return wide | (wide << 8) | ((wide >> 8) & NOT_LAST_ROW)


@inline
def places(own, other):
    """Return the cells where a ball encloses others, or else all cells beside a ball."""
    enclosing = moves(own, other)
    return enclosing if enclosing != 0 else around(own | other) & ~(own | other)


@rules
class Rolit(NamedTuple):
    """state = [balls of each of four colours, where the player to move may place one, player]

    action = cell = 8 * row + column, bit = cell; values: 0 empty, 1 ... 4 a colour. Player 0 has
    the first colour and so on; with fewer than four players the other colours have no player.
    """

    players: int = 4

    def start(self, state):
        for colour in range(COLOURS):
            state[colour] = np.int64(1) << CENTRE[colour]
        state[LEGAL] = places(state[0], state[1] | state[2] | state[3])
        state[PLAYER] = 0

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return ((state[LEGAL] >> action) & 1) == 1

    def play(self, state, action):
        p = state[PLAYER]
        ball = np.int64(1) << action
        balls = state[0] | state[1] | state[2] | state[3]
        turned = enclosed(ball, state[p], balls & ~state[p])
        for colour in range(COLOURS):
            state[colour] &= ~turned
        state[p] |= ball | turned
        to_move = next_player(p, self.players)
        state[LEGAL] = places(state[to_move], (balls | ball) & ~state[to_move])
        state[PLAYER] = to_move

    def over(self, state):
        return state[LEGAL] == 0

    def score(self, state, player):
        if state[LEGAL] != 0:
            return 0.0
        most, winners = 0, 0
        for p in range(self.players):
            balls = popcount(state[p])
            winners = 1 if balls > most else winners + (balls == most)
            most = max(most, balls)
        return shared_win(popcount(state[player]) == most, winners, self.players)

    def cell(self, state, c):
        first = ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)
        return first + 3 * ((state[2] >> c) & 1) + 4 * ((state[3] >> c) & 1)

    def changed(self, before, after):
        first = (before[0] ^ after[0]) | (before[1] ^ after[1])
        return first | (before[2] ^ after[2]) | (before[3] ^ after[3])

    def legal_mask(self, state):
        return state[LEGAL]

    def facts(self):
        board = square_board(8, ALL_AROUND)
        seats = rotated_seats(self.players, more=range(self.players + 1, COLOURS + 1))
        n = self.players
        return Facts(players=n, values=1 + COLOURS, words=6, zero_sum=True, seats=seats, **board)

    def rotate(self, state):
        rotate_words(state, 0, self.players)
        state[PLAYER] = next_player(state[PLAYER], self.players)

    def validate(self):
        check_whole("players", self.players, 2, COLOURS)

    def position(self, state, cells, player):
        if any(cells[c] == 0 for c in CENTRE):
            raise ValueError("cells 27, 28, 35 and 36 can never be empty")
        turn = (sum(v != 0 for v in cells) - len(CENTRE)) % self.players
        if player != turn:
            raise ValueError(
                f"with this number of balls player {turn} is to move, not player {player}"
            )
        for colour in range(COLOURS):
            state[colour] = bitboard(cells, 1 + colour)
        balls = state[0] | state[1] | state[2] | state[3]
        state[LEGAL], state[PLAYER] = places(state[player], balls & ~state[player]), player

    def draw(self, state):
        rows = text_rows(self, state, 8, SIGNS)
        return "\n".join(["  a b c d e f g h", *(f"{r + 1} {row}" for r, row in enumerate(rows))])

    def board(self):
        balls = Tally("balls", values=[[1 + p] for p in range(self.players)], decides=True)
        return lettered_board(8, stones(PLAYERS), "tray", "square", tally=balls)

    action_name = Othello.action_name
    sign = sign_of_player
