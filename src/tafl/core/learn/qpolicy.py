"""Shared parts of SARSA and Q-learning, with one output of the network for each Q(s, a)."""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.states import random_action
from tafl.core.learn.adapt import adapt, skip
from tafl.core.learn.policy import better
from tafl.core.random import uniform


@inline
def best_q(game, net, work, p, rng):
    """Return the legal action with the highest Q(s, a), ties at random, and this Q.

    Where weights have diverged and no Q is a number, it is the first legal action.
    """
    best, ties, highest = -1, 0, -np.inf
    listed = game.list_moves(work.state, work.actions)
    for i in range(work.actions.size if listed == -1 else listed):
        a = i if listed == -1 else work.actions[i]
        if listed != -1 or game.legal(work.state, a):
            if best < 0:
                best = a
            nu = net.q_activation(work, p, a)  # sigma is monotone: comparing nu compares Q
            best, ties, highest = better(best, ties, highest, a, nu, rng)
    return best, net.squash(np.float32(highest))


@inline
def choose_q(game, net, work, p, epsilon, rng):
    """Choose epsilon-greedily; return the action, its Q, and whether it was random."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        a = random_action(game, work.state, work.actions, rng)
        return a, net.squash(net.q_activation(work, p, a)), True
    a, q = best_q(game, net, work, p, rng)
    return a, q, False


@inline
def remember_q(net, work, p, a, explored):
    """Set s_last[p] = s and a_last[p] = a."""
    net.keep_choice(p, a, work.now, work.last[p])
    work.moved[p] = True
    work.explored[p] = explored


@inline
def take(game, net, work, a, rng):
    """Make s the next state s'' (MakeAction); Q-functions do not use the afterstate."""
    game.play(work.state, a)
    game.chance(work.state, rng)
    net.encode(game, work.state, game.player(work.state), work.now)


@inline
def adapt_q(game, net, td, work, p, expected, alpha, rng):
    """Move Q(s_last[p], a_last[p]) towards r[p] + expected (AdaptAgentQ)."""
    r = game.score(work.state, p) - work.scores[p]
    work.scores[p] += r
    if work.moved[p]:
        if work.explored[p] and not td.learn_from_random:
            skip(td, work)
        else:
            adapt(net, td, work, p, work.last[p], r + expected, alpha, rng)


@inline
def final_adapt_q(game, net, td, work, p, alpha, rng):
    """Adapt at the end of an episode: player p and, with FARL, all other players."""
    adapt_q(game, net, td, work, p, 0.0, alpha, rng)
    for q in range(work.moved.size):
        if q != p and td.farl_others and work.moved[q]:
            r = game.score(work.state, q) - work.scores[q]
            adapt(net, td, work, q, work.last[q], r, alpha, rng)
