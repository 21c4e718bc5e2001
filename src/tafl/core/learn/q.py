"""Q-learning for N players with final adaptation: Algorithm 3, in the form of Algorithm 5.

As SARSA, but a player's last state and action learn from the best action of its next state,
whatever it then does.
"""

from tafl.core.compile import inline
from tafl.core.learn.adapt import begin, one_more, pass_by, training
from tafl.core.learn.qpolicy import adapt_q, best_q, choose_q, final_adapt_q, remember_q, take


@inline
def q_episode(game, net, td, work, alpha, epsilon, rng):
    """Play one game of self-play (Q-FARL-Episode); return the number of moves."""
    s = work.state
    begin(game, net, td, work, rng)
    moves = 0
    while True:
        p = game.player(s)
        if game.over(s):
            break
        pass_by(work, moves, rng)

        # AdaptAgentQ: towards r + gamma max Q(s'', a')
        _, q = best_q(game, net, work, p, rng)
        adapt_q(game, net, td, work, p, td.gamma * q, alpha, rng)
        a, _, explored = choose_q(game, net, work, p, epsilon, rng)
        remember_q(net, work, p, a, explored)
        take(game, net, work, a, rng)
        moves = one_more(moves)

    final_adapt_q(game, net, td, work, p, alpha, rng)
    return moves


train_q = training("train_q", q_episode)
