"""Shared parts of TD, SARSA and Q: settings, episode start, TD(lambda)Update (Algorithm 7)."""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import ABANDON, give_way, inline, kernel
from tafl.core.games.states import copy_state, random_action
from tafl.core.random import below, uniform
from tafl.errors import EndlessGame

MOST_MOVES = 1_000_000  # of an episode; no game of 2048 can have more than 140,000


class TD(NamedTuple):
    """The settings of learning, for all three algorithms."""

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
    farl_terminal: bool = True  # part 2 of FARL: the terminal afterstate (TD)
    afterstates: bool = True  # TD
    learn_from_random: bool = True
    learn_from_start: bool = False  # D2 (TD)
    zero_next: bool = False  # D14 (TD)
    zero_terminal: bool = True  # D15 (TD)
    reuse_action: bool = False  # D3 (SARSA)
    backward: int = 0  # afterstates of a player that are updated together, newest first (TD)
    start_plies: int = 0  # random plies before an episode ...
    start_probability: float = 0.0  # ... with this probability
    start_again: float = 0.0  # with this one it begins in the middle of the last episode
    start_scramble: int = 0  # or else at most this far (moves) from the goal of a puzzle
    start_walks: float = 0.0  # with this probability that position alone learns how far it is (TD)


@inline
def schedule(td, done):
    """Return alpha and epsilon when a share `done` of the episodes is over."""
    epsilon = td.epsilon + (td.epsilon_final - td.epsilon) * done
    if td.alpha_linear:
        return td.alpha + (td.alpha_final - td.alpha) * done, epsilon
    return td.alpha * (td.alpha_final / td.alpha) ** done, epsilon


@inline
def reach(td, done):
    """Return the most moves from the goal that an episode begins; all after half the episodes."""
    return min(td.start_scramble, 1 + np.int64(2 * done * td.start_scramble))


@inline
def scramble(game, s, most, rng):
    """Begin 1 ... `most` moves from the goal of a puzzle, each as likely; return how many.

    Where they lead back to the goal, others are drawn.
    """
    moves = 1 + below(rng, most)
    game.scramble(s, moves, rng)
    while game.over(s):
        moves = 1 + below(rng, most)
        game.scramble(s, moves, rng)
    return moves


@inline
def begin(game, net, td, work, rng):
    """Start an episode: s_0, and no player has moved."""
    s = work.state
    game.start(s)
    game.chance(s, rng)
    if td.start_again > 0.0 and work.keep[0] > 0 and uniform(rng) < td.start_again:
        copy_state(work.middle, s)
    elif td.start_scramble > 0:
        scramble(game, s, work.reach[0], rng)
    elif td.start_plies > 0 and uniform(rng) < td.start_probability:
        for _ in range(td.start_plies):
            if not game.over(s):
                game.play(s, random_action(game, s, work.actions, rng))
                game.chance(s, rng)
        if game.over(s):  # no move is left: begin at the start
            game.start(s)
            game.chance(s, rng)
    work.keep[0] = 0 if td.start_again > 0.0 else -1
    net.encode(game, s, game.player(s), work.now)
    for p in range(work.moved.size):
        work.moved[p] = False
        work.scores[p] = game.score(s, p)
        work.waiting[p] = 0
        if not td.trace_across_episodes:
            work.length[p] = 0


@inline
def pass_by(work, moves, rng):
    """Keep one position of an episode, all equally likely, as a start of the next episode.

    The k-th takes the place of the one kept before with probability 1 / k. So none after the k-th,
    up to the m-th, does that with probability k / m: which one is next is drawn at once.
    """
    if moves == work.keep[0]:
        copy_state(work.state, work.middle)
        work.keep[0] = min((moves + 1) / (1.0 - uniform(rng)), MOST_MOVES)


@inline
def one_more(moves):
    """Count a move; stop an episode on a signal, or when it has MOST_MOVES moves."""
    moves += 1
    if moves & 15 == 0:  # checking every move costs TicTacToe a quarter of its speed
        give_way(ABANDON)
        if moves == MOST_MOVES:
            raise EndlessGame
    return moves


@inline
def newer(head, horizon):
    """Return the place in a trace of the next state."""
    return head - 1 if head > 0 else horizon - 1


@inline
def older(head, horizon):
    """Return the place in a trace of the state before."""
    return head + 1 if head + 1 < horizon else 0


@inline
def adapt(net, td, work, p, code, target, alpha, rng):
    """Adapt NN by backpropagating delta = target - V(s), lambda^k of it to the k-th state back."""
    horizon = work.trace.shape[1]
    head = newer(work.head[p], horizon)
    v = net.squash(net.recall(work, p, head, code, rng))
    delta = target - v
    work.head[p] = head
    work.slopes[p, head] = net.slope(v)
    if work.length[p] < horizon:
        work.length[p] += 1
    e = 1.0
    for _ in range(work.length[p]):
        net.change(work, p, head, alpha, delta, e * work.slopes[p, head])
        e *= td.lam
        head = older(head, horizon)


@inline
def skip(td, work):
    """Reset eligibility, if so set, after a random move that is not learned from."""
    if td.reset:
        work.length[:] = 0


def training(name, episode):
    """Make the kernel of an algorithm, which plays episodes and adapts the network."""

    def train(game, net, td, work, first, episodes, total, rng, totals):
        """Play episodes first, first + 1, ... of `total`; add moves and final scores to totals."""
        for number in range(first, first + episodes):
            alpha, epsilon = schedule(td, number / total)
            work.reach[0] = reach(td, number / total)
            totals[0] += episode(game, net, td, work, alpha, epsilon, rng)
            for p in range(work.moved.size):
                totals[1 + p] += game.score(work.state, p)

    train.__name__ = train.__qualname__ = name  # machine code is kept under it
    return kernel(train)
