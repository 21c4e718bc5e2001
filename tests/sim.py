"""Sim: two players colour the edges of K6; who completes a triangle of the own colour loses.

Every permutation of the six vertices is a symmetry: 720 boards of 15 cells.
"""

from itertools import combinations, permutations
from typing import NamedTuple

from tafl.rules import Facts, inverse, rules

VERTICES = 6
EDGES = tuple(combinations(range(VERTICES), 2))


def triangles_at(edge):
    """The pairs of edges that make a triangle with an edge, as bits."""
    a, b = edge
    others = [v for v in range(VERTICES) if v not in edge]
    return tuple(1 << number(a, v) | 1 << number(b, v) for v in others)


def number(a, b):
    """The number of an edge."""
    return EDGES.index((min(a, b), max(a, b)))


TRIANGLES = tuple(triangles_at(edge) for edge in EDGES)
BOARDS = [[number(p[a], p[b]) for a, b in EDGES] for p in permutations(range(VERTICES))]


@rules
class Sim(NamedTuple):
    """state = [edges of player 0, edges of player 1, player, who lost + 1];   action = edge"""

    boards: int = 720

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[2]

    def legal(self, state, action):
        return (state[0] | state[1]) >> action & 1 == 0

    def play(self, state, action):
        p = state[2]
        for pair in TRIANGLES[action]:
            if state[p] & pair == pair:
                state[3] = p + 1
        state[p] |= 1 << action
        state[2] = 1 - p

    def over(self, state):
        return state[3] != 0

    def score(self, state, player):
        if state[3] == 0:
            return 0.0
        return -1.0 if state[3] == player + 1 else 1.0

    def cell(self, state, c):
        return (state[0] >> c & 1) + 2 * (state[1] >> c & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1])

    def facts(self):
        boards = BOARDS[: self.boards]
        return Facts(
            players=2,
            actions=len(EDGES),
            cells=len(EDGES),
            values=3,
            words=4,
            symmetries=boards,
            action_symmetries=inverse(boards),
            neighbours=[
                [d for d, other in enumerate(EDGES) if len({*edge, *other}) == 3] for edge in EDGES
            ],
        )
