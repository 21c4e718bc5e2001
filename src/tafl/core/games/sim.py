"""Sim: colour the lines between some points; completing a triangle of your colour loses."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games import multiplayer
from tafl.core.games.board import PLAYERS, Board, Edge, Label, on_cells, path, stones
from tafl.core.games.checks import check_whole, place_in_turn
from tafl.core.games.grid import inverse
from tafl.core.games.multiplayer import free_cell, next_player, other_stones, owner, taken
from tafl.core.games.points import FAR, corner, exchanges, line, lines_between, on_line
from tafl.core.games.rules import SIGNS, Facts, Table, rules, sign_of_player, start_empty

FEWEST, MOST = 4, 8  # points
PLAYER, LOST = 3, 4  # where in the state


def triangle_table(points):
    """Return, for each line, the pairs of lines, as bits, that make a triangle with it."""
    table = np.zeros((len(lines_between(MOST)), MOST - 2), np.int64)
    for n, (a, b) in enumerate(lines_between(points)):
        for i, v in enumerate(v for v in range(points) if v not in (a, b)):
            table[n, i] = 1 << line(points, a, v) | 1 << line(points, b, v)
    return table


def triangle_tables():
    """Return the table for each number of points."""
    return np.array([triangle_table(points) for points in range(FEWEST, MOST + 1)])


@inline
def all_of(points):
    """Return all lines as bits."""
    return (1 << points * (points - 1) // 2) - 1


@rules
class Sim(NamedTuple):
    """state = [lines of player 0, 1, 2, player, 1 + who completed a triangle];   action = line

    cell = line, bit = line; values: 0 free, 1 first player, 2 second, 3 third
    """

    players: int = 2
    points: int = 6
    triangles: Table = triangle_tables()
    quiet = ("points",)

    start = start_empty
    legal = free_cell

    def player(self, state):
        return state[PLAYER]

    def play(self, state, action):
        p = state[PLAYER]
        for i in range(self.points - 2):
            pair = self.triangles[self.points - FEWEST, action, i]
            if state[p] & pair == pair:
                state[LOST] = 1 + p
        state[p] |= 1 << action
        state[PLAYER] = next_player(p, self.players)

    def over(self, state):
        return state[LOST] != 0 or taken(state) == all_of(self.points)

    def score(self, state, player):
        if state[LOST] == 0:
            return 0.0
        return -1.0 if state[LOST] == 1 + player else 1.0 / (self.players - 1)

    def cell(self, state, c):
        return owner(state, c)

    def changed(self, before, after):
        return other_stones(before, after)

    def legal_mask(self, state):
        return ~taken(state) & all_of(self.points)

    def facts(self):
        n, lines = self.points, lines_between(self.points)
        boards = [[line(n, p[a], p[b]) for a, b in lines] for p in exchanges(n)]
        triangles = combinations(range(n), 3)
        return Facts(
            players=self.players,
            actions=len(lines),
            cells=len(lines),
            values=1 + self.players,
            words=5,
            zero_sum=True,
            seats=multiplayer.rotated_seats(self.players),
            symmetries=boards,
            action_symmetries=inverse(boards),
            neighbours=[[line(n, *b) for b in lines if len({*a, *b}) == 3] for a in lines],
            lines=[[line(n, a, b), line(n, a, c), line(n, b, c)] for a, b, c in triangles],
        )

    def rotate(self, state):
        multiplayer.rotate_words(state, 0, self.players)
        state[PLAYER] = next_player(state[PLAYER], self.players)
        if state[LOST] != 0:
            state[LOST] = 1 + next_player(state[LOST] - 1, self.players)

    def validate(self):
        check_whole("players", self.players, 2, 3)
        check_whole("points", self.points, FEWEST, MOST)

    def position(self, state, cells, player):
        place_in_turn(self, state, cells, player, self.players)

    def draw(self, state):
        n = self.points
        signs = [SIGNS[self.cell(state, c)] for c in range(n * (n - 1) // 2)]
        rows = [[signs[line(n, a, b)] if a < b else " " for b in range(1, n)] for a in range(n - 1)]
        header = "  " + " ".join(str(b + 1) for b in range(1, n))
        return "\n".join([header, *(f"{a + 1} {' '.join(r)}" for a, r in enumerate(rows))])

    def board(self):
        n, lines = self.points, lines_between(self.points)
        places = [on_line(n, a, b) for a, b in lines]
        drawn = [[corner(n, a, FAR), corner(n, b, FAR)] for a, b in lines]
        around = [
            path((x - at.x, y - at.y) for x, y in ends)
            for at, ends in zip(places, drawn, strict=True)
        ]
        points = [corner(n, p, FAR) for p in range(n)]
        return Board(
            cells=places,
            pieces=stones(PLAYERS[: self.players], "cell"),
            targets=on_cells(len(lines)),
            labels=[Label(*corner(n, p, FAR + 0.5), str(p + 1)) for p in range(n)],
            edges=[Edge(path((point, point)), "ink", 0.42, above=True) for point in points],
            shapes={
                at.shape: {"tag": "polyline", "points": line}
                for at, line in zip(places, around, strict=True)
            },
        )

    def action_name(self, action):
        a, b = lines_between(self.points)[action]
        return f"{a + 1}-{b + 1}"

    sign = sign_of_player
