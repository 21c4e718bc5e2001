"""Playing with a trained network: values of moves, and whole games against random players."""

from tafl.core.compile import kernel
from tafl.core.learn.policy import expected, greedy, look, random_action
from tafl.core.ntuple.value import index_state


@kernel
def action_values(game, net, td, work, rng, actions, values):
    """Writes the legal actions of work.state and the r + gamma V(s') of each; returns how many."""
    p = game.player(work.state)
    index_state(game, net, work.state, work.now)
    n = look(game, net, td, work, p, rng)
    for i in range(n):
        actions[i] = work.actions[i]
        values[i] = expected(game, net, td, work, i, p)
    return n


@kernel
def contest_random(game, net, td, work, role, games, rng, scores):
    """Games of a greedy player in one role against random ones; writes each game's score of that role."""
    s = work.state
    for g in range(games):
        game.start(s)
        game.chance(s, rng)
        while not game.over(s):
            p = game.player(s)
            if p == role:
                index_state(game, net, s, work.now)
                action = work.actions[greedy(game, net, td, work, p, rng)]
            else:
                action = random_action(game, s, work.actions.size, rng)
            game.play(s, action)
            game.chance(s, rng)
        scores[g] = game.score(s, role)
