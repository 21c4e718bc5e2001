"""Leduc poker for tests, with OpenSpiel's actions: two rounds of bets, and one public card."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.rules import Facts, rules
from tafl.core.random import below

TURN, RAISES, PAID, FOLDED, CARDS, PUBLIC, OVER = 4, 5, 6, 8, 9, 11, 12  # words of a state
TO_COME = -1  # the public card, when the first round is over


@inline
def free_card(state, number):
    """Return the card with this number among those that are not dealt."""
    card = 1
    while number > 0 or card in (state[CARDS], state[CARDS + 1]):
        number -= 0 if card in (state[CARDS], state[CARDS + 1]) else 1
        card += 1
    return card


@inline
def rank(card):
    """Return 1, 2 or 3, or 0 of a card that is not dealt."""
    return (card + 1) // 2 if card > 0 else 0


@rules
class Leduc(NamedTuple):
    """state = [moves of round 1, of round 2 (two bits each), how many of each, whose turn, raises,
    paid by 0, by 1, 1 + who has folded, card of 0, of 1, public card, over]

    actions: 0 fold, 1 call, 2 raise; cells: rank of 0, of 1, public rank, four moves of each round
    """

    def start(self, state):
        state[:] = 0
        state[PAID] = state[PAID + 1] = 1

    def player(self, state):
        return state[TURN]

    def legal(self, state, action):
        if action == 0:
            return state[PAID + 1 - state[TURN]] > state[PAID + state[TURN]]
        return action == 1 or state[RAISES] < 2

    def play(self, state, action):
        r, p = (0 if state[PUBLIC] == 0 else 1), state[TURN]
        last = state[RAISES] > 0 or state[2 + r] > 0
        state[r] |= (action + 1) << 2 * state[2 + r]
        state[2 + r] += 1
        state[TURN] = 1 - p
        if action == 0:
            state[FOLDED], state[OVER] = 1 + p, 1
        elif action == 2:
            state[RAISES] += 1
            state[PAID + p] = state[PAID + 1 - p] + (4 if r == 1 else 2)
        else:
            state[PAID + p] = state[PAID + 1 - p]
            if last:
                state[TURN] = state[RAISES] = 0
                state[OVER if r == 1 else PUBLIC] = 1 if r == 1 else TO_COME

    def outcomes(self, state):
        return 30 if state[CARDS] == 0 else 4 if state[PUBLIC] == TO_COME else 1

    def outcome(self, state, i):
        share = 1.0 / self.outcomes(state)
        if state[CARDS] == 0:
            state[CARDS] = 1 + i // 5
            state[CARDS + 1] = free_card(state, i % 5)
        elif state[PUBLIC] == TO_COME:
            state[PUBLIC] = free_card(state, i)
        return share

    def chance(self, state, rng):
        if self.outcomes(state) > 1:
            self.outcome(state, below(rng, self.outcomes(state)))

    def over(self, state):
        return state[OVER] == 1

    def score(self, state, player):
        if state[OVER] == 0:
            return 0.0
        mine, other = rank(state[CARDS + player]), rank(state[CARDS + 1 - player])
        if state[FOLDED] > 0:
            won = state[FOLDED] - 1 != player
        elif mine == other:
            return 0.0
        else:
            public = rank(state[PUBLIC])
            won = mine == public or (mine > other and other != public)
        return 1.0 * state[PAID + 1 - player] if won else -1.0 * state[PAID + player]

    def cell(self, state, c):
        return rank(state[CARDS + c]) if c < 3 else (state[(c - 3) // 4] >> 2 * ((c - 3) % 4)) & 3

    def sees(self, state, player, c):
        return 0 if c == 1 - player else self.cell(state, c)

    def redeal(self, state, player, rng):
        mine, public = state[CARDS + player], state[PUBLIC]
        card = 1 + below(rng, 5 if public <= 0 else 4)
        second = max(mine, public)
        first = mine if public <= 0 else min(mine, public)
        card += 1 if card >= first else 0
        card += 1 if card >= second and public > 0 else 0
        state[CARDS + 1 - player] = card

    def facts(self):
        return Facts(players=2, actions=3, cells=11, values=4, words=13, score_range=(-13.0, 13.0))
