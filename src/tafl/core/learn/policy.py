"""Choosing actions: look at the afterstates, epsilon-greedy, ties at random."""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.moves import is_legal, random_action
from tafl.core.games.states import copy_state
from tafl.core.ntuple.value import LARGE, activation, fetch, index_change, offset, squash
from tafl.core.random import below, uniform


@inline
def candidate(game, net, td, work, i, action, rng):
    """Makes the afterstate of an action the i-th candidate; without afterstates, a next state."""
    s, s_after = work.state, work.afters[i]
    copy_state(s, s_after)
    game.play(s_after, action)
    if not td.afterstates:
        game.chance(s_after, rng)
    index_change(game, net, s, s_after, work.now, work.indices[i])
    work.actions[i] = action


@inline
def look(game, net, td, work, p, rng):
    """Makes all actions of the current state candidates and activates the network on each."""
    n, o, mask = 0, offset(net, p, 0), game.legal_mask(work.state)
    for action in range(work.actions.size):
        if is_legal(game, work.state, mask, action):
            candidate(game, net, td, work, n, action, rng)
            if net.weights.size > LARGE:
                fetch(net, o, work.indices[n])
            n += 1
    for i in range(n):
        work.activations[i] = activation(net, o, work.indices[i])
    return n


@inline
def expected(game, net, td, work, i, p):
    """r + gamma V(s') of a candidate, seen from player p."""
    r = game.score(work.afters[i], p) - game.score(work.state, p)
    if td.zero_terminal and game.over(work.afters[i]):
        return r
    return r + td.gamma * squash(net, work.activations[i])


@inline
def expect(game, net, td, work, n, p):
    """What is expected of all candidates."""
    for i in range(n):
        work.values[i] = expected(game, net, td, work, i, p)


@inline
def highest(values, n, rng):
    """The place of the highest of n values, ties at random."""
    best, ties, highest = 0, 0, -np.inf
    for i in range(n):
        value = values[i]
        if value > highest:
            best, ties, highest = i, 1, value
        elif value == highest:
            ties += 1
            if below(rng, ties) == 0:
                best = i
    return best


@inline
def greedy(game, net, td, work, p, rng):
    """The candidate with the highest r + gamma V(s'), ties at random."""
    n = look(game, net, td, work, p, rng)
    expect(game, net, td, work, n, p)
    return highest(work.values, n, rng)


@inline
def choose(game, net, td, work, p, epsilon, rng):
    """Epsilon-greedy: the chosen candidate, and whether it was random."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        action = random_action(game, work.state, work.actions.size, rng)
        candidate(game, net, td, work, 0, action, rng)
        work.activations[0] = activation(net, offset(net, p, 0), work.indices[0])
        return 0, True
    return greedy(game, net, td, work, p, rng), False
