"""Expectimax-N: Max-N with chance, over plain scores or over a trained agent's values.

What is computed of a state are rewards still to come, one for each player, relative to its scores:

    w(s)  = 0                                                          where the game ends
            r + gamma w(s') of the best action for the player to move  (gamma counts for the mover)
    w(s') = mean over what chance may do, weighted by probability, of r + w(s'')

At the depth limit plain search knows nothing: w = 0. With a trained agent the last ply is its
action values r + gamma V(s') or Q(s, a), and what it foresees for the players who are not to move:
one ply is the agent itself. States that random play from the root reaches more often than `rarest`
are searched deeper.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.search.foresee import foresee

NEVER = 2.0  # above any probability


class Levels(NamedTuple):
    """Memory of a search for each ply."""

    states: Annotated[Array, "int64[plies, words]"]  # s
    afters: Annotated[Array, "int64[plies, words]"]  # s' of the action being searched
    actions: Annotated[Array, "int64[plies, actions]"]  # the legal ones
    counts: Annotated[Array, "int64[plies]"]  # how many
    tried: Annotated[Array, "int64[plies]"]  # how many of them have been begun
    values: Annotated[Array, "float64[plies, actions]"]  # what they are worth to the mover
    total: Annotated[Array, "int64[plies]"]  # outcomes of chance after s'
    drawn: Annotated[Array, "int64[plies]"]  # how many outcomes have been begun
    weights: Annotated[Array, "float64[plies]"]  # the probability of the last one
    means: Annotated[Array, "float64[plies, players]"]  # w(s') so far
    best: Annotated[Array, "float64[plies, players]"]  # w(s) so far
    reached: Annotated[Array, "float64[plies]"]  # the probability that random play reaches s
    rarest: Annotated[Array, "float64[1]"]  # states at least this likely are searched deeper


def make_levels(facts, depth: int, rarest: float = NEVER) -> Levels:
    """Return memory for a search of at most this many plies."""
    return allocate(Levels, vars(facts) | {"plies": depth + 1}, rarest=np.array([rarest]))


@inline
def settle(game, trained, levels, d, depth, rng):
    """Write the rewards to come after a state if no search is needed; else begin one."""
    s, best = levels.states[d], levels.best[d]
    best[:] = 0.0
    if game.over(s) or (d == depth and not trained.asked):
        return True
    actions, values = levels.actions[d], levels.values[d]
    beyond = levels.reached[d] >= levels.rarest[0] and d + 2 < levels.reached.size
    if trained.asked and d + 1 >= depth and not beyond:
        levels.counts[d] = foresee(game, trained, s, rng, actions, values, best)
        return True
    levels.counts[d] = legal_actions(game, s, actions.size, actions)
    levels.tried[d] = levels.drawn[d] = levels.total[d] = 0
    best[game.player(s)] = -np.inf
    return False


@inline
def act(game, levels, d):
    """Start the next action: its afterstate, and the number of its outcomes."""
    give_way(STOP)
    s_after = levels.afters[d]
    copy_state(levels.states[d], s_after)
    game.play(s_after, levels.actions[d, levels.tried[d]])
    levels.tried[d] += 1
    levels.drawn[d] = 0
    levels.total[d] = 0 if game.over(s_after) else game.outcomes(s_after)
    levels.means[d, :] = 0.0


@inline
def draw(game, levels, d):
    """Make states[d + 1] the next outcome of chance."""
    copy_state(levels.afters[d], levels.states[d + 1])
    levels.weights[d] = game.outcome(levels.states[d + 1], levels.drawn[d])
    levels.drawn[d] += 1
    levels.reached[d + 1] = levels.reached[d] / levels.counts[d] * levels.weights[d]


@inline
def take(game, td, levels, d):
    """Compare the action just searched with the best one so far; of equals the first counts."""
    s, s_after, i = levels.states[d], levels.afters[d], levels.tried[d] - 1
    p = game.player(s)
    w = levels.means[d]
    levels.values[d, i] = game.score(s_after, p) - game.score(s, p) + td.gamma * w[p]
    if levels.values[d, i] > levels.best[d, p]:
        for q in range(w.size):
            levels.best[d, q] = game.score(s_after, q) - game.score(s, q) + w[q]
        levels.best[d, p] = levels.values[d, i]


@inline
def expectimax(game, trained, levels, depth, rng):
    """Make values[0] what the actions of states[0] are worth, searched this many plies deep."""
    d, new = 0, True
    levels.reached[0] = 1.0
    while True:
        settled = new and settle(game, trained, levels, d, depth, rng)
        if not settled and levels.drawn[d] < levels.total[d]:
            draw(game, levels, d)
            d, new = d + 1, True
            continue
        if not settled and levels.tried[d] > 0:
            take(game, trained.td, levels, d)
        if not settled and levels.tried[d] < levels.counts[d]:
            act(game, levels, d)
            new = False
            continue
        if d == 0:
            return
        d, new = d - 1, False
        # what comes after an outcome counts with its probability
        s_after, s_next = levels.afters[d], levels.states[d + 1]
        for q in range(levels.means.shape[1]):
            r = game.score(s_next, q) - game.score(s_after, q)
            levels.means[d, q] += levels.weights[d] * (r + levels.best[d + 1, q])


@kernel
def expectimax_values(game, trained, levels, s, depth, rng, actions, values):
    """Write the legal actions of s and the rewards to come of each; return how many there are."""
    copy_state(s, levels.states[0])
    expectimax(game, trained, levels, depth, rng)
    for i in range(levels.counts[0]):
        actions[i] = levels.actions[0, i]
        values[i] = levels.values[0, i]
    return levels.counts[0]
