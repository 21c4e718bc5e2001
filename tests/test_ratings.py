"""Ratings: against a likelihood written from its definition and maximised by SciPy."""

from itertools import pairwise, permutations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from tafl.arena.ratings import ELO, rate


def log_likelihood(x, games, prior):
    """Plackett-Luce: the mean over all orders in which nobody is behind someone with less."""
    total = sum(prior / 2 * log(exp(v) / (exp(v) + 1) ** 2) for v in x)
    for scores in games:
        orders = [
            order
            for order in permutations(scores)
            if all(scores[a] >= scores[b] for a, b in pairwise(order))
        ]
        for order in orders:
            for k in range(len(order)):
                rest = sum(exp(x[agent]) for agent in order[k:])
                total += log(exp(x[order[k]]) / rest) / len(orders)
    return total


def brute_force(agents, games, prior):
    found = minimize(lambda x: -log_likelihood(x, games, prior), np.zeros(agents), tol=1e-10)
    return ELO * (found.x - found.x.mean())


@st.composite
def results(draw, agents, players):
    """Games with ties, every agent at least once in them."""
    chosen = st.permutations(range(agents)).map(lambda order: order[:players])
    scores = st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=players, max_size=players)
    game = st.tuples(chosen, scores).map(lambda pair: dict(zip(*pair, strict=True)))
    return draw(st.lists(game, min_size=1, max_size=12))


@hypothesis_settings(max_examples=20)
@given(results(agents=3, players=2))
def test_bradley_terry(games):
    assert rate(3, games).elo == pytest.approx(brute_force(3, games, 1.0), abs=0.1)


@hypothesis_settings(max_examples=20)
@given(results(agents=4, players=3))
def test_plackett_luce(games):
    assert rate(4, games).elo == pytest.approx(brute_force(4, games, 1.0), abs=0.1)


def test_without_a_prior():
    """Round robin of three where everyone wins something: only the data count."""
    games = 7 * [{0: 1, 1: 0}] + 2 * [{0: 0, 1: 1}] + 5 * [{1: 1, 2: 0}] + 3 * [{1: 0, 2: 1}]
    games += 4 * [{0: 1, 2: 1}] + [{0: 0, 2: 1}]
    assert rate(3, games, prior=0).elo == pytest.approx(brute_force(3, games, 0), abs=0.1)


def test_two_agents_by_hand():
    """30 of 40 points: odds of 3. A binomial's log odds have the variance 1 / (n p (1 - p))."""
    found = rate(2, 30 * [{0: 1.0, 1: 0.0}] + 10 * [{0: 0.0, 1: 1.0}], prior=0)
    assert found.elo == pytest.approx([ELO * log(3) / 2, -ELO * log(3) / 2])
    half = 1.96 * ELO * (1 / (40 * 0.75 * 0.25)) ** 0.5 / 2  # each is half the difference
    assert found.high[0] - found.elo[0] == pytest.approx(half, rel=1e-3)
    assert found.elo[1] - found.low[1] == pytest.approx(half, rel=1e-3)


def test_who_always_wins_has_a_finite_rating_and_a_wide_interval():
    few, many = (rate(2, n * [{0: 1.0, 1: 0.0}]) for n in (10, 1000))
    assert 0 < few.elo[0] < many.elo[0] < 2000
    assert few.high[0] - few.low[0] > 400


def test_intervals_hold_what_they_promise():
    """Three players, true ratings 0, 100 and -100: 95 % of intervals contain them."""
    truth = np.array([0.0, 100.0, -100.0])
    strength = np.exp(truth / ELO)
    rng = np.random.default_rng(1)
    inside = []
    for _ in range(100):
        games = []
        for _ in range(60):
            first = rng.choice(3, p=strength / strength.sum())
            rest = [agent for agent in range(3) if agent != first]
            second = rng.choice(rest, p=strength[rest] / strength[rest].sum())
            games.append({first: 2.0, second: 1.0, 3 - first - second: 0.0})
        found = rate(3, games)
        inside += [
            low <= t <= high for t, low, high in zip(truth, found.low, found.high, strict=True)
        ]
    assert 0.90 <= np.mean(inside) <= 0.99
