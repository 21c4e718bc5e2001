"""Shared parts of SARSA and Q-learning: MakeAction, AdaptAgentQ, FinalAdaptAgents."""

from tafl.core.compile import inline
from tafl.core.learn.adapt import adapt, skip
from tafl.core.ntuple.value import index_state


@inline
def take(game, net, work, a, rng):
    """Make s the next state s'' (MakeAction); Q-functions do not use the afterstate."""
    game.play(work.state, a)
    game.chance(work.state, rng)
    index_state(game, net, work.state, work.now)


@inline
def adapt_q(game, net, td, work, p, expected, alpha):
    """Move Q(s_last[p], a_last[p]) towards r[p] + expected (AdaptAgentQ)."""
    r = game.score(work.state, p) - work.scores[p]
    work.scores[p] += r
    if work.moved[p]:
        if work.explored[p] and not td.learn_from_random:
            skip(td, work)
        else:
            adapt(net, td, work, p, work.last[p], r + expected, alpha)


@inline
def final_adapt_q(game, net, td, work, p, alpha):
    """Adapt at the end of an episode: player p and, with FARL, all other players."""
    adapt_q(game, net, td, work, p, 0.0, alpha)
    for q in range(work.moved.size):
        if q != p and td.farl_others and work.moved[q]:
            r = game.score(work.state, q) - work.scores[q]
            adapt(net, td, work, q, work.last[q], r, alpha)
