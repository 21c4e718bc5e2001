"""A game of another library: a Python function makes its moves, which kernels call back.

state = [player, over, waits for chance, actions and chance so far, score of each player ...,
         legal actions as bits ..., cell ..., history ...]

The function fills all of it (`tafl/adapters/foreign.py`), so that the other methods are compiled as
usual. It finds the other library's state by the history: each action, and -1 - i for the i-th
outcome of chance.
"""

from typing import Any, NamedTuple

import numpy as np

from tafl.core.compile import call_python, inline, trailing_zeros
from tafl.core.games.rules import Facts, Table, rules, rules_like
from tafl.core.random import S11, bits

PLAYER, OVER, WAITS, LENGTH, HEAD = 0, 1, 2, 3, 4  # words of a state
ADDRESS, PLAYERS, LEGAL = 0, 1, 2  # words of the door: the function, players, words of legal bits
BITS = 32  # legal actions in a word
POINT = 2.0**32  # one point, as a word
START = -1  # instead of an action; -2 - u is a random number u for chance

SOURCES: dict[int, Any] = {}  # what stands behind a door, by the address of its function


@inline
def legal_word(door, state, i):
    """Return the i-th word of legal actions."""
    return state[HEAD + door[PLAYERS] + i]


@rules
class Foreign(NamedTuple):
    """A game without chance of another library."""

    door: Table  # int64
    unit: Table  # float64[1]: the score of one point

    def start(self, state):
        call_python(self.door[ADDRESS], state, START)

    def player(self, state):
        return state[PLAYER]

    def legal(self, state, action):
        return (legal_word(self.door, state, action // BITS) >> (action % BITS)) & 1

    def moves(self, state, out):
        n = 0
        for i in range(self.door[LEGAL]):
            word = legal_word(self.door, state, i)
            while word != 0:
                out[n] = i * BITS + trailing_zeros(word)
                n += 1
                word &= word - 1
        return n

    def play(self, state, action):
        call_python(self.door[ADDRESS], state, action)

    def over(self, state):
        return state[OVER] != 0

    def score(self, state, player):
        return state[HEAD + player] / POINT * self.unit[0]

    def cell(self, state, c):
        return state[HEAD + self.door[PLAYERS] + self.door[LEGAL] + c]

    def facts(self) -> Facts:
        facts: Facts = self.source().facts
        return facts

    def draw(self, state) -> str:
        return str(self.source().drawing(state))

    def action_name(self, action) -> str:
        return str(self.source().action_name(int(action)))

    def source(self) -> Any:
        """Return what stands behind the door."""
        return SOURCES[int(self.door[ADDRESS])]


@rules_like(Foreign)
class ForeignWithChance(NamedTuple):
    """A game with chance of another library."""

    door: Table
    unit: Table

    def chance(self, state, rng):
        while state[WAITS] != 0:
            call_python(self.door[ADDRESS], state, -2 - np.int64(bits(rng) >> S11))

    def source(self) -> Any:
        """Return what stands behind the door."""
        return SOURCES[int(self.door[ADDRESS])]
