"""Playing with a trained network: values of moves, and whole games against random players."""

from tafl.core.compile import inline, kernel
from tafl.core.games.moves import random_action
from tafl.core.learn.policy import expected, greedy, look
from tafl.core.learn.qpolicy import best_q, q_activation
from tafl.core.ntuple.value import index_state, squash


@inline
def best_action(game, net, td, work, p, rng):
    """The action that a network thinks best in the current state, by afterstates or by Q."""
    index_state(game, net, work.state, work.now)
    if not net.by_action:
        return work.actions[greedy(game, net, td, work, p, rng)]
    a, _ = best_q(game, net, work, p, rng)
    return a


@inline
def value_actions(game, net, td, work, rng, actions, values):
    """Writes the legal actions of work.state, r + gamma V(s') or Q of each; returns how many."""
    s = work.state
    p = game.player(s)
    index_state(game, net, s, work.now)
    if not net.by_action:
        n = look(game, net, td, work, p, rng)
        for i in range(n):
            actions[i] = work.actions[i]
            values[i] = expected(game, net, td, work, i, p)
        return n
    n = 0
    for a in range(work.actions.size):
        if game.legal(s, a):
            actions[n] = a
            values[n] = squash(net, q_activation(net, work, p, a))
            n += 1
    return n


@kernel
def action_values(game, net, td, work, rng, actions, values):
    """What value_actions writes."""
    return value_actions(game, net, td, work, rng, actions, values)


@kernel
def contest_random(game, net, td, work, role, games, rng, scores):
    """Games of a greedy player in one role against random ones; writes that role's scores."""
    s = work.state
    for g in range(games):
        game.start(s)
        game.chance(s, rng)
        while not game.over(s):
            p = game.player(s)
            if p == role:
                action = best_action(game, net, td, work, p, rng)
            else:
                action = random_action(game, s, work.actions.size, rng)
            game.play(s, action)
            game.chance(s, rng)
        scores[g] = game.score(s, role)
