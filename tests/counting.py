"""Counting: two players count to 10,000 together; who says it wins."""

from typing import NamedTuple

from tafl.rules import Facts, rules


@rules
class Counting(NamedTuple):
    """state = [plies]; cell c = digit c of the number of plies"""

    plies: int = 10_000

    def start(self, state):
        state[0] = 0

    def player(self, state):
        return state[0] % 2

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1

    def over(self, state):
        return state[0] >= self.plies

    def score(self, state, player):
        if state[0] < self.plies:
            return 0.0
        return 1.0 if player != state[0] % 2 else -1.0

    def cell(self, state, c):
        return (state[0] // 10**c) % 10

    def facts(self):
        return Facts(players=2, actions=2, cells=5, values=10, words=1)
