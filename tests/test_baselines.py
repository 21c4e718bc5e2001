"""Matches of random and perfect players give what others have computed or measured.

Each number is compared within 3 standard errors; the exact ones have none of their own.
"""

import json
from itertools import pairwise, product
from math import sqrt

import numpy as np
import pytest

import tafl
from oracles import read

BASELINES = json.loads(read("baselines.json"))
AGENTS = {"rand": "random", "opt": "exact"}


def by_role(game, agents, games):
    """The scores of all games, by who sat where."""
    found = {}
    for record in tafl.match(game, agents, games, seed=1).records:
        found.setdefault(tuple(record.agents), []).append(record.scores)
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
    found = by_role("tictactoe", [AGENTS[name] for name in names], 2000)
    for first, second in {names, names[::-1]}:
        expected = BASELINES["tictactoe"][f"X {first} vs O {second}"]
        assert_outcomes(found[AGENTS[first], AGENTS[second]], expected)


@pytest.mark.parametrize("variant", BASELINES["nim2p"])
@pytest.mark.parametrize("names", [("rand", "rand"), ("rand", "opt"), ("opt", "opt")])
def test_nim(variant, names):
    misere = str(variant.endswith("misere")).lower()
    game = f"nim(take={variant[3]},misere={misere})"
    found = by_role(game, [AGENTS[name] for name in names], 1000)
    for first, second in {names, names[::-1]}:
        wins = found[AGENTS[first], AGENTS[second]][:, 0] == 1
        assert_near(wins, BASELINES["nim2p"][variant][f"{first} vs {second}"])


def test_nim3p():
    """All eight seatings."""
    table = BASELINES["nim3p"]["rewards of P0,P1,P2 from (5,5,5)"]
    found = {}
    for perfect in range(4):
        agents = ["exact"] * perfect + ["random"] * (3 - perfect)
        found |= by_role("nim3p", agents, 1500)
    for names in product(AGENTS, repeat=3):
        scores = found[tuple(AGENTS[name] for name in names)]
        for player, expected in enumerate(table[",".join(names)]):
            assert_near(scores[:, player], expected)


@pytest.mark.parametrize(
    ("agents", "key"),
    [
        (("exact", "random", "random"), "max-n player vs two random, mean over 3 roles"),
        (("random", "exact", "exact"), "random player vs two max-n, mean over 3 roles"),
    ],
)
def test_nim3p_in_all_roles(agents, key):
    match = tafl.match("nim3p", list(agents), 3000, seed=1)
    expected = BASELINES["nim3p"][key]
    assert match.means[0] == pytest.approx(expected, abs=3 * match.standard_errors[0])


@pytest.mark.parametrize(
    ("game", "key", "games"),
    [("connectfour", "connect_four", 1000), ("hex", "hex6", 400), ("othello", "othello", 200)],
)
def test_random_players(game, key, games):
    """Who wins, and after how many moves (and, in Othello, passes: they counted those, too)."""
    measured = BASELINES[key]
    records = tafl.match(game, ["random", "random"], games, seed=1).records
    expected = measured["random vs random: first wins, draw, second wins"]
    assert_outcomes(np.array([r.scores for r in records]), expected, measured["games"])
    lengths = [len(r.moves) + passes(r) for r in records]
    error = np.std(lengths, ddof=1) * sqrt(1 / games + 1 / measured["games"])
    assert np.mean(lengths) == pytest.approx(measured["mean length"], abs=3 * error)


def passes(record):
    """How often a player of a game for two moved twice."""
    players = [state.player for _, state in record.replay() if not state.over]
    return sum(a == b for a, b in pairwise(players))


@pytest.mark.parametrize(
    ("agent", "key"),
    [
        ("random", "uniform random legal move"),
        ("expectimax(depth=1)", "greedy immediate reward, random ties"),
    ],
)
def test_2048(agent, key):
    measured, games = BASELINES["2048"][key], 200
    records = tafl.match("2048", [agent], games, seed=1).records
    points = [r.scores[0] for r in records]
    error = sqrt(measured["sd"] ** 2 / games + measured["se"] ** 2)
    assert np.mean(points) == pytest.approx(measured["mean score"], abs=3 * error)
    moves = [len(r.moves) for r in records]
    error = np.std(moves, ddof=1) / sqrt(games)
    assert np.mean(moves) == pytest.approx(measured["mean moves"], abs=3 * error)


@pytest.mark.parametrize("agents", [("bench", "random"), ("bench", "heur")])
def test_positional_players(agents):
    """Both sides are measured in 488 games: 244 openings with both colours."""
    measured = BASELINES["othello_from_244_4ply_starts_both_colours_488_games"]
    match = tafl.match("othello", list(agents), 488, starts="all:4", seed=1)
    expected = measured[" vs ".join("random" if a == "random" else a.upper() for a in agents)]
    assert_near(match.wins[:, 0], expected, measured=488)
