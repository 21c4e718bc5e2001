"""A game of chance for several players, small enough to be solved by a few lines of Python."""

from typing import NamedTuple

from tafl.rules import Facts, rules, uniform

WINS = (0, 2, 5)  # what a risk may bring ...
CHANCES = (0.5, 0.3, 0.2)  # ... with these probabilities


@rules
class Gamble(NamedTuple):
    """state = [points of each player, risk taken, moves];   action: 0 take a point, 1 take a risk

    Who has the most points in the end gets 1 and the second half a point; equals get nothing.
    """

    players: int = 3
    turns: int = 2

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[self.players + 1] % self.players

    def legal(self, state, action):
        return action == 0 or state[self.players + 1] != 1  # the second player may not begin so

    def play(self, state, action):
        if action == 0:
            state[state[self.players + 1] % self.players] += 1
        state[self.players] = action
        state[self.players + 1] += 1

    def chance(self, state, rng):
        if state[self.players] == 1:
            u = uniform(rng)
            i = 0 if u < CHANCES[0] else 1 if u < CHANCES[0] + CHANCES[1] else 2
            state[(state[self.players + 1] - 1) % self.players] += WINS[i]
            state[self.players] = 0

    def outcomes(self, state):
        return 3 if state[self.players] == 1 else 1

    def outcome(self, state, i):
        if state[self.players] == 0:
            return 1.0
        state[(state[self.players + 1] - 1) % self.players] += WINS[i]
        state[self.players] = 0
        return CHANCES[i]

    def over(self, state):
        # what the last risk brings is not known before chance
        return state[self.players + 1] == self.players * self.turns and state[self.players] == 0

    def score(self, state, player):
        if state[self.players + 1] < self.players * self.turns or state[self.players] == 1:
            return 0.0
        more, equal = 0, 0
        for p in range(self.players):
            more += state[p] > state[player]
            equal += p != player and state[p] == state[player]
        if equal > 0 or more > 1:
            return 0.0
        return 1.0 if more == 0 else 0.5

    def cell(self, state, c):
        return min(state[c], 10)

    def facts(self):
        return Facts(
            players=self.players,
            actions=2,
            cells=self.players,
            values=11,
            words=self.players + 2,
            score_range=(0.0, 1.0),
        )
