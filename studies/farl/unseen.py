"""Values of moves, with and without the ends that a learner without FARL never sees.

A value is learned when its player moves again (TD), or is to move again (SARSA, Q). A game that
ends before that teaches the player nothing: to the learner such a line of play never happened. So
what it learns is the value under the condition that its player always moves again. A line that is
always cut short has no value of its own: a table keeps the 0 it began with, and a network gives it
what similar positions have. This value and the true one are sampled here, in games of players that
have learned nothing.
"""

from typing import NamedTuple

import numpy as np

from studies.farl.naive import Naive, make_naive, naive_action, naive_move
from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.random import uniform

LOOKED_AT = 0.1  # share of the states of a game: those of one game are alike
TRUE, TABLE, NETWORK, REWARD, JUDGED, KINDS = range(6)  # values to choose by, to judge a choice
# totals: what the moves chosen by the first four bring; states, and how far apart their moves are;
# lines that were not cut short, and what they brought
STATES, SPREAD, LINES, RETURNS, TOTALS = range(4, 9)


class Trial(NamedTuple):
    """Memory of an experiment."""

    by_action: bool  # SARSA, Q
    samples: int  # of each value
    patience: int  # a line of play cut short this often in a row is one that always is
    unknown: float  # a network's value of what is always cut short
    same: float  # values that differ by less are the same to a learner
    naive: Naive
    state: np.ndarray  # int64[words]: of the game
    line: np.ndarray  # int64[words]: of a line of play that is tried
    last: np.ndarray  # int64[words]: afterstate that the player made last
    first: np.ndarray  # int64[words]: afterstate whose value is asked for
    actions: np.ndarray  # int64[actions]
    values: np.ndarray  # float64[kinds, actions]


def make_trial(
    facts,
    by_action: bool,
    epsilon: float,
    samples: int,
    patience: int,
    unknown: float = 0.0,
    same: float = 0.0,
) -> Trial:
    """Return memory for a game."""
    state, line, last, first = np.zeros((4, facts.words), np.int64)
    return Trial(
        by_action=by_action,
        samples=samples,
        patience=patience,
        unknown=unknown,
        same=same,
        naive=make_naive(facts, epsilon),
        state=state,
        line=line,
        last=last,
        first=first,
        actions=np.zeros(facts.actions, np.int64),
        values=np.zeros((KINDS, facts.actions), np.float64),
    )


@inline
def known_round(game, trial, q, before, rng):
    """Play from trial.last to q's next turn; return whether q learns from it, and its reward.

    `before` is q's score before the move that made trial.last; TD has already counted that move.
    """
    s = trial.line
    copy_state(trial.last, s)
    game.chance(s, rng)
    if not trial.by_action:
        before = game.score(s, q)
    while not game.over(s) and game.player(s) != q:
        give_way(STOP)
        naive_move(game, s, trial.naive, rng)
    if trial.by_action:
        return game.player(s) == q, game.score(s, q) - before
    if game.over(s):
        return False, 0.0
    game.play(s, naive_action(game, s, trial.naive, rng))
    copy_state(s, trial.last)
    game.chance(s, rng)
    return True, game.score(s, q) - before


@inline
def known_return(game, trial, q, before, rng):
    """Return what q learns to expect of trial.first in a line of play, and if that is whole."""
    copy_state(trial.first, trial.last)
    total = 0.0
    while trial.by_action or not game.over(trial.last):
        known, r, tries = False, 0.0, 0
        while not known and tries < trial.patience:
            known, r = known_round(game, trial, q, before, rng)
            tries += 1
        if not known:
            return total, False
        total += r
        if trial.by_action:
            if game.over(trial.line):
                break
            before = game.score(trial.line, q)
            copy_state(trial.line, trial.last)
            game.play(trial.last, naive_action(game, trial.last, trial.naive, rng))
    return total, True


@inline
def true_return(game, trial, q, before, rng):
    """Return what q gets from trial.first on."""
    s = trial.line
    copy_state(trial.first, s)
    game.chance(s, rng)
    while not game.over(s):
        give_way(STOP)
        naive_move(game, s, trial.naive, rng)
    return game.score(s, q) - before


@inline
def value_moves(game, trial, rng, totals):
    """Sample the values of all moves of trial.state; return how many there are."""
    s, values, share = trial.state, trial.values, 1.0 / trial.samples
    q, n = game.player(s), legal_actions(game, s, trial.actions.size, trial.actions)
    before = game.score(s, q)
    for i in range(n):
        copy_state(s, trial.first)
        game.play(trial.first, trial.actions[i])
        # TD counts the reward of the move itself when it chooses, SARSA and Q learn it
        r = 0.0 if trial.by_action else game.score(trial.first, q) - before
        values[:, i] = r
        values[TRUE, i] = values[JUDGED, i] = 0.0
        for _ in range(trial.samples):
            values[TRUE, i] += share * true_return(game, trial, q, before, rng)
            values[JUDGED, i] += share * true_return(game, trial, q, before, rng)
            known, whole = known_return(game, trial, q, before, rng)
            values[TABLE, i] += share * known
            values[NETWORK, i] += share * (known if whole else known + trial.unknown)
            if whole and (trial.by_action or not game.over(trial.first)):
                totals[LINES] += 1
                totals[RETURNS] += known
    return n


@inline
def judged_choice(by, judged, n, same):
    """Return what the best of n moves brings; those as good as it have the same probability."""
    top, total, ties = -np.inf, 0.0, 0
    for i in range(n):
        top = max(top, by[i])
    for i in range(n):
        if by[i] >= top - same:
            total += judged[i]
            ties += 1
    return total / ties


@inline
def spread(values, n):
    """Return the distance from the worst of n moves to the best."""
    low, high = np.inf, -np.inf
    for i in range(n):
        low, high = min(low, values[i]), max(high, values[i])
    return high - low


@kernel
def choose_by_values(game, trial, states, rng, totals):
    """Add up what moves chosen by their values would bring, in states of naive games."""
    s, values = trial.state, trial.values
    while totals[STATES] < states:
        game.start(s)
        game.chance(s, rng)
        while not game.over(s):
            if uniform(rng) < LOOKED_AT:
                n = value_moves(game, trial, rng, totals)
                for kind in range(JUDGED):
                    same = 0.0 if kind == REWARD else trial.same
                    totals[kind] += judged_choice(values[kind], values[JUDGED], n, same)
                totals[STATES] += 1
                totals[SPREAD] += spread(values[TRUE], n)
            naive_move(game, s, trial.naive, rng)


@kernel
def naive_positions(game, naive, s, games, rng, cells, player, number):
    """Write the positions after each move of naive games: cells, who moved, and in which game.

    Return how many there are, or as many as there is room for.
    """
    n = 0
    for g in range(games):
        game.start(s)
        game.chance(s, rng)
        while not game.over(s):
            if n == number.size:
                return n
            player[n], number[n] = game.player(s), g
            game.play(s, naive_action(game, s, naive, rng))
            for c in range(cells.shape[1]):
                cells[n, c] = game.cell(s, c)
            game.chance(s, rng)
            n += 1
    return n
