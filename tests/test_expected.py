"""Scores that are computed instead of played, against known values and against games."""

import numpy as np
import pytest

import tafl
from studies.best import expected
from studies.best.expected import expected_scores
from tafl.arena import evaluate
from tafl.errors import InputError


def test_random_tictactoe():
    """All 255,168 games by hand: 737/1260 are won by the first player, 121/420 by the second."""
    random = tafl.agent("random", "tictactoe")
    lead = 737 / 1260 - 121 / 420
    assert expected_scores(random, random) == pytest.approx([lead, -lead])


def test_exact_players():
    for name, starts in (("tictactoe", "first-moves"), ("nim", "start-or-first")):
        exact = tafl.agent("exact", name)
        assert sum(expected_scores(exact, exact, starts)) == pytest.approx(0)


@pytest.mark.parametrize("starts", ["start", "first-moves", "start-or-first"])
def test_games_agree(starts):
    """For three players: random against two perfect ones."""
    random, exact = (tafl.agent(name, "nim3p") for name in ("random", "exact"))
    computed = np.mean(expected_scores(random, exact, starts))
    played = evaluate(random, "exact", 1500, starts=starts)
    assert abs(played.mean - computed) < 4 * played.error


def test_what_cannot_be_computed_is_refused(monkeypatch):
    monkeypatch.setattr(expected, "MOST_STATES", 1000)
    with pytest.raises(InputError, match="2048 is a game of chance"):
        expected_scores(tafl.agent("random", "2048"), tafl.agent("random", "2048"))
    with pytest.raises(InputError, match="more than 1,000 states can come up"):
        expected_scores(tafl.agent("random", "hex"), tafl.agent("random", "hex"))
    with pytest.raises(InputError, match="not all:2"):
        expected_scores(tafl.agent("random", "nim"), tafl.agent("random", "nim"), "all:2")
