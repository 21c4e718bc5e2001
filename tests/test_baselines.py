"""Matches of random and perfect players give what others have computed or measured.

Each number is compared within 3 standard errors; the exact ones have none of their own.
"""

import json
from itertools import product
from math import sqrt

import numpy as np
import pytest

import tafl
from oracles import read

BASELINES = json.loads(read("baselines.json"))
AGENTS = {"rand": "random", "opt": "exact"}


def by_seats(game, agents, games):
    """The scores of all games, by who sat where."""
    found = {}
    for record in tafl.match(game, agents, games, seed=1).records:
        found.setdefault(tuple(record.seats), []).append(record.scores)
    return {seats: np.array(scores) for seats, scores in found.items()}


def assert_near(values, expected, measured=0):
    """Is the mean of values from 0 to 1 the expected one, exact or `measured` in so many games?

    Their variance is at most m (1 - m), and just that where all are 0 or 1.
    """
    variance = expected * (1 - expected)
    error = sqrt(variance / len(values) + (variance / measured if measured else 0))
    assert np.mean(values) == pytest.approx(expected, abs=3 * error + 1e-9)


def assert_outcomes(scores, expected, measured=0):
    """Are wins, draws and losses of the first player as often as expected?"""
    for outcome, share in zip((1, 0, -1), expected, strict=True):
        assert_near(scores[:, 0] == outcome, share, measured)


@pytest.mark.parametrize("names", [("rand", "rand"), ("rand", "opt"), ("opt", "opt")])
def test_tictactoe(names):
    found = by_seats("tictactoe", [AGENTS[name] for name in names], 2000)
    for first, second in {names, names[::-1]}:
        expected = BASELINES["tictactoe"][f"X {first} vs O {second}"]
        assert_outcomes(found[AGENTS[first], AGENTS[second]], expected)


@pytest.mark.parametrize("variant", BASELINES["nim2p"])
@pytest.mark.parametrize("names", [("rand", "rand"), ("rand", "opt"), ("opt", "opt")])
def test_nim(variant, names):
    misere = str(variant.endswith("misere")).lower()
    game = f"nim(take={variant[3]},misere={misere})"
    found = by_seats(game, [AGENTS[name] for name in names], 1000)
    for first, second in {names, names[::-1]}:
        wins = found[AGENTS[first], AGENTS[second]][:, 0] == 1
        assert_near(wins, BASELINES["nim2p"][variant][f"{first} vs {second}"])


def test_nim3p():
    """All eight seatings."""
    table = BASELINES["nim3p"]["rewards of P0,P1,P2 from (5,5,5)"]
    found = {}
    for perfect in range(4):
        agents = ["exact"] * perfect + ["random"] * (3 - perfect)
        found |= by_seats("nim3p", agents, 1500)
    for names in product(AGENTS, repeat=3):
        scores = found[tuple(AGENTS[name] for name in names)]
        for player, expected in enumerate(table[",".join(names)]):
            assert_near(scores[:, player], expected)


@pytest.mark.parametrize(
    ("game", "key", "games"),
    [("connectfour", "connect_four", 1000), ("hex", "hex6", 400), ("othello", "othello", 200)],
)
def test_random_players(game, key, games):
    measured = BASELINES[key]
    found = by_seats(game, ["random", "random"], games)
    (scores,) = found.values()
    expected = measured["random vs random: first wins, draw, second wins"]
    assert_outcomes(scores, expected, measured["games"])


def test_random_2048():
    measured = BASELINES["2048"]["uniform random legal move"]
    (scores,) = by_seats("2048", ["random"], 200).values()
    points = scores[:, 0] / tafl.game("2048").facts.score_unit
    error = sqrt(measured["sd"] ** 2 / 200 + measured["se"] ** 2)
    assert np.mean(points) == pytest.approx(measured["mean score"], abs=3 * error)
