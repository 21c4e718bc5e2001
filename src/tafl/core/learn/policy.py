"""Choosing actions: look at the afterstates, epsilon-greedy, ties at random."""

import numpy as np

from tafl.core.approximators.contract import copy_code
from tafl.core.compile import inline
from tafl.core.games.states import copy_state, legal_actions, random_action
from tafl.core.random import below, uniform


@inline
def try_action(game, td, work, i, rng):
    """Make the i-th candidate: an action's afterstate or, without afterstates, a next state."""
    copy_state(work.state, work.afters[i])
    game.play(work.afters[i], work.actions[i])
    if not td.afterstates:
        game.chance(work.afters[i], rng)


@inline
def candidate(game, net, td, work, i, action, rng):
    """Make an action the i-th candidate."""
    work.actions[i] = action
    try_action(game, td, work, i, rng)
    net.encode_candidates(game, work, game.player(work.state), i, i + 1)


@inline
def make_candidates(game, net, td, work, p, rng):
    """Make all actions of the current state candidates; return how many there are.

    Step by step for all of them: a word read right after it was written, where which one depends on
    the action, makes the processor guess, and how well depends on where in memory its code lies.
    In a game with hidden information moves are tried in a state that is drawn again: neither their
    rewards nor what is seen after them may show what the player cannot know (D29).
    """
    if game.hides(work.state):
        copy_state(work.state, work.trial)
        game.redeal(work.state, p, rng)
    n = legal_actions(game, work.state, work.actions.size, work.actions)
    for i in range(n):
        try_action(game, td, work, i, rng)
    net.encode_candidates(game, work, p, 0, n)
    if game.hides(work.state):
        copy_state(work.trial, work.state)
    return n


@inline
def look(game, net, td, work, p, rng):
    """Make all actions of the current state candidates and activate the network on each."""
    n = make_candidates(game, net, td, work, p, rng)
    net.activate(work, p, 0, n)
    return n


@inline
def looks_ahead(net, td):
    """Return whether candidates are made before the last state learns."""
    return net.looks_ahead() and td.afterstates


@inline
def look_ahead(game, net, td, work, i, over, rng):
    """Make the candidates of the next move; `work.now` keeps the code of candidate i."""
    if looks_ahead(net, td):
        copy_code(work.codes[i], work.now)
        if not over:
            work.made[0] = make_candidates(game, net, td, work, game.player(work.state), rng)


@inline
def expected(game, net, td, s, s_after, nu, p):
    """Return r + gamma V(s') of a candidate with activation nu, for player p."""
    r = game.score(s_after, p) - game.score(s, p)
    if td.zero_terminal and game.over(s_after):
        return r
    return r + td.gamma * net.squash(nu)


@inline
def better(best, ties, highest, i, value, rng):
    """Update the place of the highest value, the number of ties, and this value, by value i."""
    if value > highest:
        return i, 1, np.float64(value)
    if value == highest:
        ties += 1
        if below(rng, ties) == 0:
            best = i
    return best, ties, highest


@inline
def greedy(game, net, td, work, p, rng):
    """Return the candidate with the highest r + gamma V(s'), ties broken at random."""
    best, ties, highest = 0, 0, -np.inf
    if looks_ahead(net, td):  # candidates were made ahead
        n = work.made[0]
        net.activate(work, p, 0, n)
    else:
        n = look(game, net, td, work, p, rng)
    for i in range(n):
        value = expected(game, net, td, work.state, work.afters[i], work.activations[i], p)
        best, ties, highest = better(best, ties, highest, i, value, rng)
    return best


@inline
def choose(game, net, td, work, p, epsilon, rng):
    """Choose epsilon-greedily; return the candidate, and whether it was random."""
    if epsilon > 0.0 and uniform(rng) < epsilon:
        action = random_action(game, work.state, work.actions, rng)
        candidate(game, net, td, work, 0, action, rng)
        net.activate(work, p, 0, 1)
        return 0, True
    i = greedy(game, net, td, work, p, rng)
    if game.hides(work.state):  # the move was tried in another state
        candidate(game, net, td, work, i, work.actions[i], rng)
        net.activate(work, p, i, i + 1)
    return i, False
