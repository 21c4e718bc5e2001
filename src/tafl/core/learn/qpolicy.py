"""Choosing actions by Q(s, a), one output of the network for each: epsilon-greedy, random ties.

Symmetries act on boards and actions together: what stands for Q(s, a) on a symmetric board is the
output of the action turned the same way.
"""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.states import random_action
from tafl.core.learn.policy import better
from tafl.core.ntuple.value import activation, offset, squash
from tafl.core.random import uniform


@inline
def q_activation(net, work, p, a):
    """Return the activation of Q(s, a | p) in the current state."""
    m = net.tuples
    nu = np.float32(0)
    for s in range(net.symmetries):
        nu += activation(net, offset(net, p, net.turned[s, a]), work.now[s * m : s * m + m])
    return nu


@inline
def best_q(game, net, work, p, rng):
    """Return the legal action with the highest Q(s, a), ties at random, and this Q."""
    best, ties, highest = 0, 0, -np.inf
    for a in range(work.actions.size):
        if game.legal(work.state, a):
            nu = q_activation(net, work, p, a)  # sigma is monotone: comparing nu compares Q
            best, ties, highest = better(best, ties, highest, a, nu, rng)
    return best, squash(net, np.float32(highest))


@inline
def choose_q(game, net, work, p, epsilon, rng):
    """Choose epsilon-greedily; return the action, its Q, and whether it was random."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        a = random_action(game, work.state, work.actions.size, rng)
        return a, squash(net, q_activation(net, work, p, a)), True
    a, q = best_q(game, net, work, p, rng)
    return a, q, False


@inline
def remember_q(net, work, p, a, explored):
    """Set s_last[p] = s and a_last[p] = a."""
    m = net.tuples
    for s in range(net.symmetries):
        o = offset(net, p, net.turned[s, a])
        for i in range(m):
            work.last[p, s * m + i] = o + work.now[s * m + i]
    work.moved[p] = True
    work.explored[p] = explored
