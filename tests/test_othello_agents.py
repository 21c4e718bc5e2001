"""The positional players of Othello."""

import json
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

import tafl
from oracles import read
from tafl.errors import InputError

GAME = tafl.game("othello")
TABLES = json.loads(read("othello_tables.json"))


@pytest.mark.parametrize("own", ["mover", "not-next"])
@pytest.mark.parametrize("name", ["bench", "heur"])
@given(choices=st.lists(st.integers(0, 99), max_size=59))
def test_values_are_sums_over_discs(name, own, choices):
    """Own discs are those of who moved, even where the other one must pass, or as in GBG."""
    weights = np.ravel(TABLES[name.upper()]).tolist()
    state = GAME.start()
    for choice in choices:
        if not state.over:
            state.play(state.legal_actions[choice % len(state.legal_actions)])
    expected = {}
    for action in state.legal_actions:
        after = state.afterstate(action)
        mine = state.player + 1 if own == "mover" else 2 - after.player
        sign = {0: 0, 3: 0, mine: 1, 3 - mine: -1}
        pairs = zip(weights, after.cells, strict=True)
        expected[action] = sum(w * sign[cell] for w, cell in pairs)
    assert tafl.agent(f"{name}(own={own})", GAME).values(state) == expected


def test_a_move_that_leaves_the_other_player_none():
    """White at a1 encloses b1; Black cannot move after that, so White moves again."""
    cells = np.zeros((8, 8), int)
    cells[3:5, 3:5] = 2
    cells[0, 1], cells[0, 2] = 1, 2
    state = GAME.position(cells.ravel().tolist(), player=1)
    assert state.afterstate(0).over  # nobody can move
    discs = [(0, 0), (0, 1), (0, 2), (3, 3), (3, 4), (4, 3), (4, 4)]
    total = sum(TABLES["BENCH"][r][c] for r, c in discs)
    assert tafl.agent("bench", GAME).values(state) == {0: total}
    assert tafl.agent("bench(own=not-next)", GAME).values(state) == {0: -total}


def test_ties_are_played_equally_often():
    """All four first moves are the same but for symmetry, and so is the table of heur."""
    counts = Counter()
    player = tafl.agent("heur", GAME, seed=3)
    for _ in range(800):
        counts[player.act(GAME.start())] += 1
    assert set(counts) == {19, 26, 37, 44}
    assert chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("name", ["bench", "heur"])
def test_other_games_are_refused(name):
    with pytest.raises(InputError, match=f"^{name}: this agent plays othello, not hex"):
        tafl.agent(name, tafl.game("hex"))
