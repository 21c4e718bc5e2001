"""A game of one player with a hidden coin: an agent that peeks thinks that it can always guess."""

from typing import NamedTuple

from tafl.core.games.rules import Facts, rules
from tafl.core.random import below


@rules
class Guess(NamedTuple):
    """Take 0.6 points, or guess which side of a hidden coin is up, for 1 point.

    state = [side of the coin: 1 or 2, moves, score in tenths];   action 0 takes, 1 goes on to guess
    """

    sure: int = 6

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def play(self, state, action):
        if state[1] == 1:
            state[2] = 10 if state[0] == 1 + action else 0
        elif action == 0:
            state[2], state[1] = self.sure, 1
        state[1] += 1

    def outcomes(self, state):
        return 2 if state[0] == 0 else 1

    def outcome(self, state, i):
        share = 0.5 if state[0] == 0 else 1.0
        state[0] = 1 + i if state[0] == 0 else state[0]
        return share

    def chance(self, state, rng):
        self.outcome(state, below(rng, self.outcomes(state)))

    def over(self, state):
        return state[1] == 2

    def score(self, state, player):
        return state[2] / 10

    def cell(self, state, c):
        return state[c]

    def sees(self, state, player, c):
        return 0 if c == 0 and not self.over(state) else state[c]

    def redeal(self, state, player, rng):
        if not self.over(state):
            state[0] = 1 + below(rng, 2)

    def facts(self):
        return Facts(players=1, actions=2, cells=2, values=3, words=3, score_range=(0.0, 1.0))
