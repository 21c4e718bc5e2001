"""Hex for three on a hexagon: a player who cannot connect its two sides any more is out."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, popcount
from tafl.core.games import hexagon, multiplayer
from tafl.core.games.board import PLAYERS, Edge, stones
from tafl.core.games.checks import bitboard, check_left, check_whole
from tafl.core.games.hex import connected
from tafl.core.games.hexagon import owner_or_out
from tafl.core.games.multiplayer import free_cell, next_left, other_stones, shared_win, taken
from tafl.core.games.rules import Facts, Table, rules, sign_of_player, start_empty

LARGEST = 4
WIDTH = 2 * LARGEST - 1  # rows of the grid, a board of Hex in one word
GRID, OUT, PLAYER = 3, 6, 7  # where in the state


@inline
def cells_of(size):
    """Return the number of cells of a board."""
    return 3 * size * (size - 1) + 1


def grid_bits():
    """Return, for each size and each cell of a board, its bit on the grid."""
    table = np.zeros((LARGEST + 1, cells_of(LARGEST)), np.int64)
    for size in range(2, LARGEST + 1):
        bits = [1 << (WIDTH * r + c) for r, c in hexagon.places(size)]
        table[size, : len(bits)] = bits
    return table


def arc_table(bits):
    """Return, for each size and player, the two parts of the edge between its sides."""
    table = np.zeros((LARGEST + 1, 3, 2), np.int64)
    for size in range(2, LARGEST + 1):
        sides = [np.bitwise_or.reduce(bits[size, cells]) for cells in hexagon.sides(size)]
        sides += sides  # once round
        table[size] = [[sides[p + k] | sides[p + k + 1] for k in (1, 4)] for p in range(3)]
    return table


@inline
def cut_off(seed, others, ends):
    """Return whether the other players' stones connected with `seed` join both ends."""
    group = connected(seed, others, WIDTH)
    return group & ends[0] != 0 and group & ends[1] != 0


@rules
class Hex3P(NamedTuple):
    """state = [3 words of stones, the same on the grid, who is out as bits, player]

    action = cell, bit = cell; values: 0 empty, 1 ... 3 a player. One more cell says who is out:
    0 none, 1 ... 3 a player. Connecting your sides cuts off the two others.
    """

    size: int = 4
    bits: Table = grid_bits()
    arcs: Table = arc_table(grid_bits())

    start = start_empty
    legal = free_cell

    def player(self, state):
        return state[PLAYER]

    def play(self, state, action):
        p, stone = state[PLAYER], self.bits[self.size, action]
        state[p] |= np.int64(1) << action
        state[GRID + p] |= stone
        grid = state[GRID] | state[GRID + 1] | state[GRID + 2]
        for q in range(3):
            if q != p and cut_off(stone, grid & ~state[GRID + q], self.arcs[self.size, q]):
                state[OUT] |= 1 << q
        state[PLAYER] = next_left(p, state[OUT], 3)

    def over(self, state):
        return popcount(state[OUT]) == 2

    def score(self, state, player):
        return shared_win((state[OUT] >> player) & 1 == 0, 1, 3) if self.over(state) else 0.0

    def cell(self, state, c):
        return owner_or_out(state, c, cells_of(self.size), state[OUT])

    def changed(self, before, after):
        out = 1 if before[OUT] != after[OUT] else 0
        return other_stones(before, after) | (out << cells_of(self.size))

    def legal_mask(self, state):
        return ~taken(state) & ((1 << cells_of(self.size)) - 1)

    def facts(self):
        boards = hexagon.symmetries(self.size)
        board = hexagon.facts_of_board(self.size, [boards[0], boards[3]], aside=True)
        turned = hexagon.symmetries(self.size)[4]  # by four sides: to those of the next player
        seats = replace(multiplayer.rotated_seats(3), cells=[*turned, len(turned)], actions=turned)
        return Facts(players=3, values=4, words=8, zero_sum=True, seats=seats, **board)

    def rotate(self, state):
        cells, every = self.facts().seats.cells, range(cells_of(self.size))
        stones = [[cells[c] for c in every if state[p] >> c & 1] for p in (2, 0, 1)]
        for p, own in enumerate(stones):
            state[p] = sum(1 << c for c in own)
            state[GRID + p] = np.bitwise_or.reduce(self.bits[self.size, own])
        state[OUT] = multiplayer.rotate_bits(state[OUT], 3)
        state[PLAYER] = next_left(state[PLAYER], 0, 3)

    def validate(self):
        check_whole("size", self.size, 2, LARGEST)

    def position(self, state, cells, player):
        for p in range(3):
            state[p] = bitboard(cells[:-1], 1 + p)
            own = [c for c, v in enumerate(cells[:-1]) if v == 1 + p]
            state[GRID + p] = np.bitwise_or.reduce(self.bits[self.size, own])
        state[PLAYER] = player
        grid = state[GRID] | state[GRID + 1] | state[GRID + 2]
        for p, ends in enumerate(self.arcs[self.size]):
            others = grid & ~state[GRID + p]
            state[OUT] |= cut_off(others & ends[0], others, ends) << p
        if self.cell(state, len(cells) - 1) != cells[-1]:
            raise ValueError(f"cell {len(cells) - 1} and the stones disagree about who is out")
        check_left(cells[:-1], state[OUT], player, 3)

    def draw(self, state):
        return hexagon.drawn(self.size, [self.cell(state, c) for c in range(cells_of(self.size))])

    def board(self):
        n = self.size
        edges = [Edge(hexagon.border(n, side), PLAYERS[side % 3]) for side in range(6)]
        sides = hexagon.sides(n)
        return hexagon.picture(
            n,
            stones(PLAYERS[:3], "hexagon"),
            edges,
            aside="out",
            sides=[[sides[p], sides[p + 3]] for p in range(3)],
            near=hexagon.neighbours(n),
        )

    def action_name(self, action):
        return hexagon.cell_name(self.size, action)

    sign = sign_of_player
