"""Players that have learned nothing: they take the highest reward in sight, ties at random.

That is how TD-learning begins: with V = 0 everywhere, r + gamma V(s') is r.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, legal_actions, random_action
from tafl.core.learn.policy import better
from tafl.core.play.greedy import any_best, value_actions
from tafl.core.random import uniform


class Naive(NamedTuple):
    """Scratch memory of naive players, and how often they move at random."""

    epsilon: float
    actions: np.ndarray  # int64[actions]
    values: np.ndarray  # float64[actions]
    after: np.ndarray  # int64[words]


def make_naive(facts, epsilon: float = 0.0) -> Naive:
    """Return memory for the naive players of a game."""
    return Naive(
        epsilon=epsilon,
        actions=np.zeros(facts.actions, np.int64),
        values=np.zeros(facts.actions, np.float64),
        after=np.zeros(facts.words, np.int64),
    )


@inline
def naive_action(game, s, naive, rng):
    """Return the action with the highest reward, ties at random; at times any (epsilon)."""
    if naive.epsilon > 0.0 and uniform(rng) < naive.epsilon:
        return random_action(game, s, naive.actions, rng)
    p, best, ties, highest = game.player(s), 0, 0, -np.inf
    for i in range(legal_actions(game, s, naive.actions.size, naive.actions)):
        copy_state(s, naive.after)
        game.play(naive.after, naive.actions[i])
        best, ties, highest = better(best, ties, highest, i, game.score(naive.after, p), rng)
    return naive.actions[best]


@inline
def naive_move(game, s, naive, rng):
    """Make a move of a naive player: s becomes the next state."""
    game.play(s, naive_action(game, s, naive, rng))
    game.chance(s, rng)


@kernel
def play_naive_players(game, net, td, work, naive, rounds, rng, totals):
    """Play a trained player against naive ones in each role; add up its scores, by role."""
    s = work.state
    for _ in range(rounds):
        for role in range(totals.size):
            game.start(s)
            game.chance(s, rng)
            while not game.over(s):
                give_way(STOP)
                if game.player(s) == role:
                    n = value_actions(game, net, td, work, rng, naive.actions, naive.values)
                    game.play(s, any_best(naive.actions, naive.values, n, rng))
                    game.chance(s, rng)
                else:
                    naive_move(game, s, naive, rng)
            totals[role] += game.score(s, role)
