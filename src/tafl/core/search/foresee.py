"""What a trained agent expects of a state, for every player.

An agent values actions for the player to move, r + gamma V(s') or Q(s, a), and each player has its
own tables: those of a player who is not to move know only states that it made itself. So the agent
plays on with its best actions until everyone has had a turn, and each player expects what it says
of its best action then. Where scores add up to 0 the other one's is the opposite of the mover's.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.play.greedy import value_actions
from tafl.core.play.perft import copy_state

ROUNDS = 2  # a player without a turn in this many rounds expects nothing


class Scratch(NamedTuple):
    """Memory for the turns after the first."""

    actions: np.ndarray  # int64[actions]
    values: np.ndarray  # float64[actions]


def make_scratch(facts) -> Scratch:
    """Memory for a game."""
    return Scratch(np.zeros(facts.actions, np.int64), np.zeros(facts.actions, np.float64))


@inline
def foresee(game, net, td, work, scratch, s, zero_sum, rng, actions, values, to_come):
    """Writes the actions of s with the agent's values, and what is to come for each player.

    Returns the number of actions; what is to come is relative to the scores of s.
    """
    copy_state(s, work.state)
    to_come[:] = np.nan
    players, count = to_come.size, 0
    for turn in range(ROUNDS * players):
        if game.over(work.state):
            break
        p = game.player(work.state)
        a = actions if turn == 0 else scratch.actions
        q = values if turn == 0 else scratch.values
        n = value_actions(game, net, td, work, rng, a, q)
        best = np.argmax(q[:n])
        if turn == 0:
            count = n
            if zero_sum:
                to_come[:] = -q[best]
                to_come[p] = q[best]
        if np.isnan(to_come[p]):
            to_come[p] = game.score(work.state, p) - game.score(s, p) + q[best]
        if not np.isnan(to_come.sum()):
            return count
        game.play(work.state, a[best])
        game.chance(work.state, rng)
    for p in range(players):
        if np.isnan(to_come[p]):
            to_come[p] = game.score(work.state, p) - game.score(s, p)
    return count
