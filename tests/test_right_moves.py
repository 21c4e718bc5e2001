"""The measure of right moves: its positions, and what it says of players that are known."""

import numpy as np
import pytest

import tafl
from studies.right_moves.measure import SOLVED, critical_positions, right, right_moves

NUMBERS = {"connectfour": 522, "hex(size=6)": 166, "othello": 62}
SOLVERS = {
    "connectfour": "ab",
    "hex(size=6)": "alphabeta(depth=14)",
    "othello": "alphabeta(depth=10)",
}


def test_every_game_has_its_positions():
    assert list(SOLVED) == list(NUMBERS)


@pytest.mark.parametrize("name", NUMBERS)
def test_right_moves_keep_the_outcome(name):
    """In all critical positions some moves are wrong; where we can solve them, those they say."""
    game = tafl.game(name)
    positions, solver = critical_positions(game), tafl.agent(SOLVERS[name], game)
    assert len(positions) == NUMBERS[name]
    assert all(0 < len(one.good) < len(one.state.legal_actions) for one in positions)
    late = sorted(positions, key=lambda one: -one.stones)[:15]
    for state, good, stones in late:
        values = solver.values(state)
        assert good == {a for a, v in values.items() if v == max(values.values())}, stones


def test_a_share_counts_ties_by_their_chance():
    assert right({1: 0.5, 2: 0.5, 3: 0.1}, {2}) == 0.5
    assert right({1: 0.5, 2: 0.6}, {2, 1}) == 1.0


def test_players_that_are_known():
    game = tafl.game("connectfour")
    assert right_moves(tafl.agent("ab", game), game).share == 1.0
    found = right_moves(tafl.agent("random", game, seed=1), game)
    by_chance = [len(o.good) / len(o.state.legal_actions) for o in critical_positions(game)]
    assert found.share == pytest.approx(np.mean(by_chance), abs=4 * found.error)
    assert found.positions == 522
