"""Sim: colour the lines between six points; completing a triangle of your colour loses."""

from itertools import combinations, permutations
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from tafl.core.games.board import PLAYERS, Board, Cell, Edge, Label, on_cells, path, stones
from tafl.core.games.checks import check_whole, place_in_turn
from tafl.core.games.grid import inverse
from tafl.core.games.multiplayer import (
    free_cell,
    next_player,
    other_stones,
    owner,
    rotate_words,
    rotated_seats,
    taken,
)
from tafl.core.games.rules import SIGNS, Facts, Table, rules, sign_of_player, start_empty

POINTS = range(6)
LINES = tuple(combinations(POINTS, 2))
ALL = (1 << len(LINES)) - 1
PLAYER, LOST = 3, 4  # where in the state
FAR = 3.6  # from the middle to a point, in pictures


def line(a, b):
    """Return the number of the line between two points."""
    return LINES.index((min(a, b), max(a, b)))


def triangle_table():
    """Return, for each line, the pairs of lines, as bits, that make a triangle with it."""
    third = [[v for v in POINTS if v not in ends] for ends in LINES]
    return np.array(
        [[1 << line(a, v) | 1 << line(b, v) for v in third[n]] for n, (a, b) in enumerate(LINES)]
    )


def corner(point, far):
    """Return the place of a point in pictures, at a distance from the centre; point 0 is on top."""
    angle = 2 * pi * point / len(POINTS)
    return far * sin(angle), -far * cos(angle)


def on_line(a, b):
    """Return the cell of a line in pictures, where no other line crosses it."""
    if b - a > 3 or (a, b) == (1, 4):
        a, b = b, a  # so that the picture looks the same from three sides
    part = (0.5, 0.415, 0.375)[(b - a) % 6 - 1]
    (x, y), (to_x, to_y) = corner(a, FAR), corner(b, FAR)
    at = round(x + part * (to_x - x), 3), round(y + part * (to_y - y), 3)
    return Cell(*at, f"line {a + 1}-{b + 1}")


@rules
class Sim(NamedTuple):
    """state = [lines of player 0, 1, 2, player, 1 + who completed a triangle];   action = line

    cell = line, bit = line; values: 0 free, 1 first player, 2 second, 3 third
    """

    players: int = 2
    triangles: Table = triangle_table()

    start = start_empty
    legal = free_cell

    def player(self, state):
        return state[PLAYER]

    def play(self, state, action):
        p = state[PLAYER]
        for i in range(4):
            pair = self.triangles[action, i]
            if state[p] & pair == pair:
                state[LOST] = 1 + p
        state[p] |= 1 << action
        state[PLAYER] = next_player(p, self.players)

    def over(self, state):
        return state[LOST] != 0 or taken(state) == ALL

    def score(self, state, player):
        if state[LOST] == 0:
            return 0.0
        return -1.0 if state[LOST] == 1 + player else 1.0 / (self.players - 1)

    def cell(self, state, c):
        return owner(state, c)

    def changed(self, before, after):
        return other_stones(before, after)

    def legal_mask(self, state):
        return ~taken(state) & ALL

    def facts(self):
        boards = [[line(p[a], p[b]) for a, b in LINES] for p in permutations(POINTS)]
        return Facts(
            players=self.players,
            actions=len(LINES),
            cells=len(LINES),
            values=1 + self.players,
            words=5,
            zero_sum=True,
            seats=rotated_seats(self.players),
            symmetries=boards,
            action_symmetries=inverse(boards),
            neighbours=[[line(*b) for b in LINES if len({*a, *b}) == 3] for a in LINES],
            lines=[[line(a, b), line(a, c), line(b, c)] for a, b, c in combinations(POINTS, 3)],
        )

    def rotate(self, state):
        rotate_words(state, 0, self.players)
        state[PLAYER] = next_player(state[PLAYER], self.players)
        if state[LOST] != 0:
            state[LOST] = 1 + next_player(state[LOST] - 1, self.players)

    def validate(self):
        check_whole("players", self.players, 2, 3)

    def position(self, state, cells, player):
        place_in_turn(self, state, cells, player, self.players)

    def draw(self, state):
        signs = [SIGNS[self.cell(state, c)] for c in range(len(LINES))]
        rows = [[signs[line(a, b)] if a < b else " " for b in POINTS[1:]] for a in POINTS[:-1]]
        return "\n".join(["  2 3 4 5 6", *(f"{a + 1} {' '.join(r)}" for a, r in enumerate(rows))])

    def board(self):
        places = [on_line(a, b) for a, b in LINES]
        drawn = [[corner(a, FAR), corner(b, FAR)] for a, b in LINES]
        around = [
            path((x - at.x, y - at.y) for x, y in ends)
            for at, ends in zip(places, drawn, strict=True)
        ]
        points = [corner(p, FAR) for p in POINTS]
        return Board(
            cells=places,
            pieces=stones(PLAYERS[: self.players], "cell"),
            targets=on_cells(len(LINES)),
            labels=[Label(*corner(p, FAR + 0.5), str(p + 1)) for p in POINTS],
            edges=[Edge(path((point, point)), "ink", 0.42, above=True) for point in points],
            shapes={
                at.shape: {"tag": "polyline", "points": line}
                for at, line in zip(places, around, strict=True)
            },
        )

    def action_name(self, action):
        a, b = LINES[action]
        return f"{a + 1}-{b + 1}"

    sign = sign_of_player
