"""2048 with folding: what networks see of boards with large tiles; the game stays the same."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tafl
from tafl.agents.learned import LearnedAgent
from tafl.boards.check import check
from tafl.core.compile import kernel
from tafl.core.games.checks import as_word
from tafl.core.games.twenty48_board import folded
from tafl.core.ntuple.net import Coherence, make_net
from tafl.core.ntuple.value import index_change, index_state
from tafl.errors import InputError
from tafl.settings.build import make_td
from tafl.settings.presets import compose

PLAIN, FOLDED = tafl.game("2048"), tafl.game("2048(fold=8192)")
TUPLES = [[0, 1, 2, 3], [5, 9, 6], [15]]
boards = st.lists(st.integers(0, 15), min_size=16, max_size=16)


@kernel
def fold_word(board, limit):
    """What compiled code makes of a board."""
    return folded(board, limit)


@kernel
def indices(game, net, before, after, index, by_state, by_change):
    """The indices of a state, and the same from those of another."""
    index_state(game, net, before, index)
    index_state(game, net, after, by_state)
    index_change(game, net, before, after, index, by_change)


def word(cells):
    return np.int64(as_word(sum(v << 4 * c for c, v in enumerate(cells))))


def cells_of(board):
    return [(int(board) >> 4 * c) & 15 for c in range(16)]


def halved_above(cells, gap):
    return [v - 1 if v > gap else v for v in cells]


def described(cells, limit):
    """As docs/games/2048.md says."""
    while max(cells) >= limit:
        gaps = [v for v in range(1, max(cells)) if v not in cells]
        if not gaps:
            break
        cells = halved_above(cells, gaps[-1])
    return cells


@pytest.mark.parametrize("fold", [fold_word, fold_word.python], ids=["compiled", "python"])
@given(cells=boards, limit=st.integers(9, 15))
def test_tiles_above_a_missing_one_are_halved(fold, cells, limit):
    assert cells_of(fold(word(cells), limit)) == described(cells, limit)


@pytest.mark.parametrize(
    ("tiles", "seen"),
    [
        ([12, 11, 9], [12, 11, 9]),  # nothing as large as 8192
        ([13, 12, 11, 1], [12, 11, 10, 1]),  # 1024 is missing, and with it all below
        ([14, 13, 12, 3], [12, 11, 10, 3]),  # twice: 8192 would still be there
        ([14, 2], [12, 2]),
        (list(range(13, 0, -1)), list(range(13, 0, -1))),  # nothing is missing
    ],
)
def test_by_hand(tiles, seen):
    rest = [0] * (16 - len(tiles))
    state = FOLDED.position(tiles + rest)
    assert state.cells == tiles + rest
    assert [FOLDED.call("input", state.words, c) for c in range(16)] == seen + rest


@given(st.integers(0, 2**31), st.lists(st.integers(0, 3), max_size=200))
def test_the_game_is_the_same(seed, wishes):
    states = [game.start(seed=seed) for game in (PLAIN, FOLDED)]
    for wish in wishes:
        plain, other = states
        assert plain.cells == other.cells
        assert plain.scores == other.scores
        assert plain.legal_actions == other.legal_actions
        if plain.over:
            break
        action = plain.legal_actions[wish % len(plain.legal_actions)]
        for state in states:
            state.play(action)


@given(boards.filter(lambda cells: max(cells) < 15))
def test_the_game_is_the_same_with_large_tiles(cells):
    plain, other = (game.position(cells) for game in (PLAIN, FOLDED))
    assert plain.over == other.over
    assert plain.legal_actions == other.legal_actions
    for action in [] if plain.over else plain.legal_actions:
        ways = plain.afterstate(action), other.afterstate(action)
        assert ways[0].cells == ways[1].cells
        assert ways[0].scores == ways[1].scores


@given(boards.filter(lambda cells: max(cells) < 14), st.integers(0, 3))
def test_moves_do_the_same_until_the_missing_tile_is_made(cells, action):
    gaps = [v for v in range(1, max(cells)) if v not in cells]
    assume(gaps)
    gap = gaps[-1]
    plain, other = (PLAIN.position(some) for some in (cells, halved_above(cells, gap)))
    legal = action in plain.legal_actions
    assert legal == (action in other.legal_actions)
    assume(legal)
    after = plain.afterstate(action).cells
    assume(gap not in after)
    assert other.afterstate(action).cells == halved_above(after, gap)


@pytest.mark.parametrize("rows", [True, False], ids=["by bytes", "by cells"])
def test_indices_are_those_of_the_folded_board(rows):
    net = make_net(FOLDED.facts, TUPLES, coherence=Coherence("id"))
    net = net if rows else net._replace(rows=net.rows[:0])
    rng = np.random.default_rng(3)
    before = FOLDED.start(seed=1).words
    for _ in range(200):
        cells = rng.integers(0, 15, 16).tolist()
        after = FOLDED.position(cells).words
        index, by_state, by_change = np.zeros((3, net.base.size), np.uint32)
        indices(FOLDED.rules, net, before, after, index, by_state, by_change)
        seen = np.array([min(v, 14) for v in described(cells, 13)])
        wanted = net.base + seen @ net.strides
        assert (by_state == wanted).all()
        assert (by_change == wanted).all()
        before = after


def test_boards_that_are_folded_alike_are_worth_the_same():
    settings = compose(FOLDED, "best", None, {"network": {"tuples": TUPLES}})
    net = make_net(FOLDED.facts, TUPLES, tanh=False)
    net.weights[:] = np.random.default_rng(1).random(net.weights.size, np.float32)
    agent = LearnedAgent(FOLDED, net, make_td(settings))
    small = [0, 0, 0, 3, 0, 5, *[0] * 8]
    low, high = (FOLDED.position([*large, *small]) for large in ([12, 11], [14, 13]))
    assert agent.values(high) == agent.values(low)
    plain = LearnedAgent(PLAIN, net, make_td(settings))
    assert agent.values(low) == plain.values(PLAIN.position(low.cells))
    assert plain.values(PLAIN.position(high.cells)) != agent.values(high)


@pytest.mark.parametrize("fold", [1, 256, 5000, 65536, -1])
def test_fold_is_a_tile(fold):
    with pytest.raises(InputError, match="fold is a tile from 512 to 32768, or 0: no folding"):
        tafl.game(f"2048(fold={fold})")


def test_names_have_fold_where_it_is_not_as_usual():
    assert tafl.game("2048(fold=0)").name == "2048"
    assert tafl.game(PLAIN, fold=8192) == FOLDED != PLAIN
    assert FOLDED.name == "2048(fold=8192)"
    assert tafl.game(FOLDED, fold=0) == PLAIN


def test_rules_pass_their_check():
    assert check("2048(fold=512)").faults == {}


def test_wrong_input_is_found(tmp_path):
    path = tmp_path / "steps.py"
    path.write_text(STEPS)
    found = check(path).faults
    assert "input(0) is 9, not one of 0 to 4" in str(found["input"])


STEPS = '''from typing import NamedTuple

from tafl.rules import Facts, rules


@rules
class Steps(NamedTuple):
    """state = [steps]"""

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1

    def over(self, state):
        return state[0] == 4

    def score(self, state, player):
        return state[0] / 4

    def cell(self, state, c):
        return state[0]

    def input(self, state, c):
        return 9 if state[0] == 3 else state[0]

    def facts(self):
        return Facts(players=1, actions=1, cells=1, values=5, words=1, score_range=(0, 1))
'''
