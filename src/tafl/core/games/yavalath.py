"""Yavalath: four in a row wins, but three in a row without four loses."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, popcount
from tafl.core.games import hexagon, multiplayer
from tafl.core.games.board import PLAYERS, stones
from tafl.core.games.checks import bitboard, check_left, check_whole
from tafl.core.games.hexagon import owner_or_out
from tafl.core.games.multiplayer import next_left, other_stones, shared_win, taken
from tafl.core.games.rules import Facts, Table, rules, sign_of_player

SMALLEST, LARGEST = 3, 5  # a board is one word
FOURS, THREES, OUT, PLAYER, LEGAL = 3, 6, 9, 10, 11  # where in the state


@inline
def almost(lines, cell, own):
    """Return the cells where one stone would complete a line through a cell."""
    missing = 0
    for i in range(lines.shape[1]):
        gap = lines[cell, i] & ~own
        if gap & (gap - 1) == 0:
            missing |= gap
    return missing


@inline
def cells_of(size):
    """Return the number of cells."""
    return 3 * size * (size - 1) + 1


def line_tables(length):
    """Return all lines of a length through each cell, as bits, of boards of each size."""
    tables = np.full((LARGEST - SMALLEST + 1, cells_of(LARGEST), 3 * length), -1)
    for number, table in enumerate(tables):
        found = hexagon.lines_through(SMALLEST + number, length)
        table[: len(found)] = found
    return tables


@inline
def places(state, players, size):
    """Return the legal cells; of three players, the mover must stop the next one's four."""
    if popcount(state[OUT]) == players - 1:
        return 0
    p, free = state[PLAYER], ((1 << cells_of(size)) - 1) & ~taken(state)
    threats = 0
    if players == 3:
        threats = state[FOURS + next_left(p, state[OUT], 3)] & free
    return threats | (state[FOURS + p] & free) if threats != 0 else free


@rules
class Yavalath(NamedTuple):
    """state = [stones of each of three players; cells where each gets four, or three, in a row;
    who is out, as bits; player; where it may place a stone, nowhere at the end]

    action = cell, bit = cell; values: 0 empty, 1 ... 3 a player. For three players one more cell
    says who is out: 0 none, 1 ... 3 a player.
    """

    players: int = 2
    size: int = 5
    fours: Table = line_tables(4)
    threes: Table = line_tables(3)
    quiet = ("size",)

    def start(self, state):
        state[:] = 0
        state[LEGAL] = (1 << cells_of(self.size)) - 1

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return ((state[LEGAL] >> action) & 1) == 1

    def play(self, state, action):
        p, stone, n = state[PLAYER], np.int64(1) << action, self.size - SMALLEST
        state[p] |= stone
        if state[FOURS + p] & stone:
            state[OUT] = ((1 << self.players) - 1) ^ (1 << p)  # all others have lost
        elif state[THREES + p] & stone:
            state[OUT] |= 1 << p
        fours, threes = (
            almost(self.fours[n], action, state[p]),
            almost(self.threes[n], action, state[p]),
        )
        state[FOURS + p] = (state[FOURS + p] | fours) & ~state[p]
        state[THREES + p] = (state[THREES + p] | threes) & ~state[p]
        state[PLAYER] = next_left(p, state[OUT], self.players)
        state[LEGAL] = places(state, self.players, self.size)

    def over(self, state):
        return state[LEGAL] == 0

    def score(self, state, player):
        if state[LEGAL] != 0:
            return 0.0
        left = self.players - popcount(state[OUT])
        return shared_win((state[OUT] >> player) & 1 == 0, left, self.players)

    def cell(self, state, c):
        return owner_or_out(state, c, cells_of(self.size), state[OUT])

    def changed(self, before, after):
        out = 1 if self.players == 3 and before[OUT] != after[OUT] else 0
        return other_stones(before, after) | (out << cells_of(self.size))

    def legal_mask(self, state):
        return state[LEGAL]

    def facts(self):
        size, aside = self.size, self.players == 3
        board = hexagon.facts_of_board(size, hexagon.symmetries(size), aside=aside)
        board["lines"] = hexagon.lines_of_board(size, 4)
        n, seats = self.players, multiplayer.rotated_seats(self.players)
        return Facts(players=n, values=1 + n, words=12, zero_sum=True, seats=seats, **board)

    def rotate(self, state):
        for first in (0, FOURS, THREES):
            multiplayer.rotate_words(state, first, self.players)
        state[OUT] = multiplayer.rotate_bits(state[OUT], self.players)
        state[PLAYER] = next_left(state[PLAYER], 0, self.players)

    def validate(self):
        check_whole("players", self.players, 2, 3)
        check_whole("size", self.size, SMALLEST, LARGEST)

    def position(self, state, cells, player):
        state[PLAYER], all_players = player, (1 << self.players) - 1
        count, n = cells_of(self.size), self.size - SMALLEST
        fours, threes = self.fours[n], self.threes[n]
        for p in range(self.players):
            state[p] = own = bitboard(cells[:count], 1 + p)
            for c in range(count):
                if cells[c] == 1 + p:
                    state[FOURS + p] |= almost(fours, c, own)
                    state[THREES + p] |= almost(threes, c, own)
            if ((fours & ~own) == 0).any():
                state[OUT] |= all_players ^ (1 << p)
            elif ((threes & ~own) == 0).any():
                state[OUT] |= 1 << p
        if list(cells[count:]) != [self.cell(state, count)] * (self.players == 3):
            raise ValueError(f"cell {count} and the lines disagree about who is out")
        check_left(cells[:count], state[OUT], player, self.players)
        state[LEGAL] = places(state, self.players, self.size)

    def draw(self, state):
        return hexagon.drawn(self.size, [self.cell(state, c) for c in range(cells_of(self.size))])

    def board(self):
        pieces = stones(PLAYERS[: self.players])
        aside = "out" if self.players == 3 else ""
        threes = hexagon.lines_of_board(self.size, 3)
        return hexagon.picture(self.size, pieces, aside=aside, wins=threes)

    def action_name(self, action):
        return hexagon.cell_name(self.size, action)

    sign = sign_of_player
