"""TD-learning for N players with final adaptation: Algorithm 2 (TD-FARL-Episode).

Each player learns from the afterstates that it made itself: s_last[p] is the previous afterstate of player p, kept as
the indices of the network. After the last move everyone else learns from the end of the game, too (FARL).
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline, kernel
from tafl.core.learn.policy import choose, random_action
from tafl.core.ntuple.update import change, distinct
from tafl.core.ntuple.value import activation, index_change, index_state, slope, squash
from tafl.core.random import uniform


class TD(NamedTuple):
    """The settings of TD-learning."""

    alpha: float = 1.0
    alpha_final: float = 1.0
    alpha_linear: bool = False  # else geometric (D1)
    epsilon: float = 0.1
    epsilon_final: float = 0.0
    gamma: float = 1.0
    lam: float = 0.0
    reset: bool = False  # a random move that is not learned from ends eligibility
    trace_across_episodes: bool = False  # D20
    farl_others: bool = True  # part 1 of FARL: the other players' last afterstates
    farl_terminal: bool = True  # part 2 of FARL: the terminal afterstate
    afterstates: bool = True
    learn_from_random: bool = True
    learn_from_start: bool = False  # D2
    zero_next: bool = False  # D14
    zero_terminal: bool = True  # D15
    start_plies: int = 0  # random plies before an episode ...
    start_probability: float = 0.0  # ... with this probability


@inline
def adapt(net, td, work, p, index, target, alpha):
    """Adapt NN by backpropagating the error delta = target - V(s), and lambda^k of it to the k-th state before."""
    v = squash(net, activation(net, p, index))
    delta = target - v
    horizon = work.trace.shape[1]
    head = work.head[p] - 1 if work.head[p] > 0 else horizon - 1
    work.head[p] = head
    work.counts[p, head] = distinct(net, index, work.trace[p, head])
    work.slopes[p, head] = slope(net, v)
    if work.length[p] < horizon:
        work.length[p] += 1
    e = 1.0
    for _ in range(work.length[p]):
        change(net, p, work.trace[p, head], work.counts[p, head], alpha, delta, e * work.slopes[p, head])
        e *= td.lam
        head = head + 1 if head + 1 < horizon else 0


@inline
def begin(game, net, td, work, rng):
    """The start of an episode: s_0, and no player has moved."""
    s = work.state
    game.start(s)
    game.chance(s, rng)
    if td.start_plies > 0 and uniform(rng) < td.start_probability:
        for _ in range(td.start_plies):
            game.play(s, random_action(game, s, work.actions.size, rng))
            game.chance(s, rng)
    index_state(game, net, s, work.now)
    for p in range(work.moved.size):
        work.moved[p] = False
        work.scores[p] = game.score(s, p)
        if not td.trace_across_episodes:
            work.length[p] = 0
    if td.learn_from_start:  # D2
        p = (game.player(s) + work.moved.size - 1) % work.moved.size
        remember(work, p, work.now)


@inline
def remember(work, p, index):
    """s_last[p] = s'."""
    work.moved[p] = True
    for k in range(index.size):
        work.last[p, k] = index[k]


@inline
def make_action(game, net, td, work, i, p, rng):
    """MakeAction: s becomes the next state s'', candidate i the afterstate s' (without afterstates, s'' too).

    Returns V(s'), which is known from choosing where candidates are afterstates.
    """
    s, s_after = work.state, work.afters[i]
    if td.afterstates:
        for j in range(s.size):
            s[j] = s_after[j]
        game.chance(s, rng)
        index_change(game, net, s_after, s, work.indices[i], work.now)
    else:
        game.play(s, work.actions[i])
        game.chance(s, rng)
        for j in range(s.size):
            s_after[j] = s[j]
        index_state(game, net, s, work.now)
        for k in range(work.now.size):
            work.indices[i, k] = work.now[k]
        work.activations[i] = activation(net, p, work.now)
    return squash(net, work.activations[i])


@inline
def td_episode(game, net, td, work, alpha, epsilon, rng):
    """TD-FARL-Episode: one game of self-play; returns the number of moves."""
    players = work.moved.size
    s = work.state
    begin(game, net, td, work, rng)
    moves = 0
    while True:
        p = game.player(s)
        i, explored = choose(game, net, td, work, p, epsilon, rng)
        s_after, index = work.afters[i], work.indices[i]
        v_after = make_action(game, net, td, work, i, p, rng)
        moves += 1
        over = game.over(s)
        r = game.score(s, p) - work.scores[p]

        # AdaptAgentV: the mover's previous afterstate learns from this one
        if work.moved[p]:
            if explored and not td.learn_from_random:
                if td.reset:
                    work.length[:] = 0
            else:
                ended = game.over(s_after) or (td.zero_next and over)
                target = r if ended else r + td.gamma * v_after
                adapt(net, td, work, p, work.last[p], target, alpha)
        remember(work, p, index)
        work.scores[p] += r
        if over:
            break

    # FinalAdaptAgents: everyone else learns from the end of the game
    for q in range(players):
        if q != p:
            if td.farl_others and work.moved[q]:
                adapt(net, td, work, q, work.last[q], game.score(s, q) - work.scores[q], alpha)
        elif td.farl_terminal:
            adapt(net, td, work, p, work.last[p], 0.0, alpha)  # nothing is expected after the end
    return moves


@kernel
def train(game, net, td, work, first, episodes, total, rng, totals):
    """Episodes first ... first + episodes - 1 of `total`; adds moves and final scores to totals."""
    for episode in range(first, first + episodes):
        done = episode / total
        epsilon = td.epsilon + (td.epsilon_final - td.epsilon) * done
        if td.alpha_linear:
            alpha = td.alpha + (td.alpha_final - td.alpha) * done
        else:
            alpha = td.alpha * (td.alpha_final / td.alpha) ** done
        totals[0] += td_episode(game, net, td, work, alpha, epsilon, rng)
        for p in range(work.moved.size):
            totals[1 + p] += game.score(work.state, p)
