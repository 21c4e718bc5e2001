"""Rewards to come that a trained agent expects of a state, for every player.

An agent values actions for the player to move, r + gamma V(s') or Q(s, a), and each player has its
own tables: those of a player who is not to move know only states that it made itself. So the agent
plays on with its best actions until all players have had a turn; each player expects the value of
its best action then. Where scores add up to 0, the opponent expects the opposite of the mover.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.states import copy_state
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import Work
from tafl.core.memory import Array, allocate
from tafl.core.play.greedy import value_actions

ROUNDS = 2  # a player without a turn in this many rounds expects nothing


class Trained(NamedTuple):
    """A trained agent, and memory for asking it."""

    net: Any  # an approximator
    td: TD
    work: Work
    zero_sum: bool  # the scores of the game add up to 0
    asked: bool  # else a search knows nothing beyond its depth limit
    actions: Annotated[Array, "int64[actions]"]  # those of the turns after the first, ...
    values: Annotated[Array, "float64[actions]"]  # ... and what they are worth


def make_trained(facts, net, td, work, asked: bool = True) -> Trained:
    """Return what a search needs of an agent."""
    given = {"net": net, "td": td, "work": work}
    return allocate(Trained, vars(facts), zero_sum=facts.is_zero_sum, asked=asked, **given)


@inline
def foresee(game, trained, s, rng, actions, values, to_come):
    """Write the actions of s with the agent's values, and each player's rewards to come.

    Returns the number of actions; what is to come is relative to the scores of s.
    """
    work = trained.work
    copy_state(s, work.state)
    to_come[:] = np.nan
    players, count = to_come.size, 0
    for turn in range(ROUNDS * players):
        if game.over(work.state):
            break
        p = game.player(work.state)
        a = actions if turn == 0 else trained.actions
        q = values if turn == 0 else trained.values
        n = value_actions(game, trained.net, trained.td, work, rng, a, q)
        best = np.argmax(q[:n])
        if turn == 0:
            count = n
            if trained.zero_sum:
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
