"""SARSA for N players with final adaptation: Algorithm 5 (Sarsa-FARL-Episode).

Each player learns Q of its own last state and action from its next one, a round later; the moves of
the others in between count as the environment's. After the last move all players learn from the end
of the game (FARL).
"""

from tafl.core.compile import inline
from tafl.core.learn.adapt import begin, one_more, pass_by, training
from tafl.core.learn.qpolicy import adapt_q, choose_q, final_adapt_q, remember_q, take


@inline
def sarsa_episode(game, net, td, work, alpha, epsilon, rng):
    """Play one game of self-play (Sarsa-FARL-Episode); return the number of moves."""
    s = work.state
    begin(game, net, td, work, rng)
    p = game.player(s)
    a, _, explored = choose_q(game, net, work, p, epsilon, rng)
    remember_q(net, work, p, a, explored)
    moves = 0
    while True:
        pass_by(work, moves, rng)
        take(game, net, work, a, rng)
        moves = one_more(moves)
        p = game.player(s)
        if game.over(s):
            break

        # AdaptAgentQ: towards r + gamma Q(s'', a''), with an action chosen for this purpose
        a, q, explored = choose_q(game, net, work, p, epsilon, rng)
        adapt_q(game, net, td, work, p, td.gamma * q, alpha, rng)
        if not td.reuse_action:  # D3: choose a'' again, since Q has changed
            a, _, explored = choose_q(game, net, work, p, epsilon, rng)
        remember_q(net, work, p, a, explored)

    final_adapt_q(game, net, td, work, p, alpha, rng)
    return moves


train_sarsa = training("train_sarsa", sarsa_episode)
