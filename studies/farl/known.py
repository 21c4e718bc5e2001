"""The share of a game that is learned without FARL, from its rules: nothing is trained here.

A player chooses a move by what it knows; how much of what true values would bring does that bring?
What a learner without FARL knows is sampled in naive games (unseen.py), once for a table
and once for a network. Where positions come up again and again, a network is as good as a table.
"""

from dataclasses import dataclass

import numpy as np

from studies.farl.naive import make_naive
from studies.farl.unseen import (
    LINES,
    NETWORK,
    RETURNS,
    REWARD,
    SPREAD,
    STATES,
    TABLE,
    TOTALS,
    TRUE,
    choose_by_values,
    make_trial,
    naive_positions,
)
from tafl.arena.statistics import standard_error
from tafl.boards import Game
from tafl.settings.seeds import EVALUATION, stream

SAMPLES, PATIENCE, PILOT = 30, 30, 50
BATCHES, BATCH = 5, 80  # states
SAME = 0.1  # of the spread of moves: smaller differences are lost on a learner
EPSILON = {"td": 0.1, "q": 1.0}  # of games before anything is learned: Q sees no rewards ahead
MOST_POSITIONS = 1_000_000
LAST = 0.9  # from here on games tell how often positions come up again


@dataclass(frozen=True)
class Known:
    """The parts of the known share: what a learner without FARL can know of a game."""

    table: float  # share of the gain by true values that a table would bring
    network: float
    again: float  # share of positions that came up before
    error: float  # standard error of the share

    @property
    def share(self) -> float:
        """Return, of the gain by true values, what is left without FARL."""
        return self.again * self.table + (1 - self.again) * self.network


def known(game: Game, algo: str, episodes: int, seed: int = 1) -> Known:
    """Sample everything for a game that is learned for `episodes` episodes."""
    pilot = _totals(game, algo, PILOT, 0.0, 0.0, stream(seed, EVALUATION))
    unknown = pilot[RETURNS] / max(1.0, pilot[LINES])
    same = SAME * pilot[SPREAD] / pilot[STATES]
    batches = [
        _totals(game, algo, BATCH, unknown, same, stream(seed, EVALUATION, 1 + k))
        for k in range(BATCHES)
    ]
    again = came_up_again(game, algo, episodes, stream(seed, EVALUATION, 1 + BATCHES))
    whole = np.sum(batches, axis=0)
    without = [whole - batch for batch in batches]  # jackknife: a batch is too small for a ratio
    shares = [Known(*_shares(part), again, 0.0).share for part in without]
    error = standard_error(shares) * (BATCHES - 1)
    return Known(*_shares(whole), again, error)


def _totals(
    game: Game, algo: str, states: int, unknown: float, same: float, rng: np.ndarray
) -> np.ndarray:
    trial = make_trial(game.facts, algo == "q", EPSILON[algo], SAMPLES, PATIENCE, unknown, same)
    totals = np.zeros(TOTALS)
    choose_by_values(game.rules, trial, states, rng, totals)
    return totals


def _shares(totals: np.ndarray) -> tuple[float, float]:
    """Return which share of the gain by true values a table brings, and a network."""
    gain = totals[TRUE] - totals[REWARD]
    if gain <= 0:
        return 1.0, 1.0  # nothing can be gained
    table, network = (float((totals[kind] - totals[REWARD]) / gain) for kind in (TABLE, NETWORK))
    return table, network


def came_up_again(game: Game, algo: str, games: int, rng: np.ndarray) -> float:
    """Return the share of the positions of naive games that came up before, in `games` games.

    Positions on symmetric boards are the same.
    """
    facts = game.facts
    cells = np.zeros((MOST_POSITIONS, facts.cells), np.uint8)
    player, number = np.zeros((2, MOST_POSITIONS), np.int64)
    naive, state = make_naive(facts, EPSILON[algo]), np.zeros(facts.words, np.int64)
    n = naive_positions(game.rules, naive, state, games, rng, cells, player, number)
    words = np.random.default_rng(1).integers(1, 2**63, facts.cells, np.uint64)
    codes = np.full(n, 2**64 - 1, np.uint64)
    for symmetry in facts.symmetries:
        codes = np.minimum(codes, cells[:n, symmetry].astype(np.uint64) @ words)
    codes += player[:n].astype(np.uint64)
    _, first, which = np.unique(codes, return_index=True, return_inverse=True)
    late = number[:n] >= LAST * number[n - 1]
    begins = int(np.argmax(late))
    return float(np.mean(first[which[begins:]] < begins))
