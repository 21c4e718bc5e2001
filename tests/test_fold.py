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
from tafl.core.ntuple.net import make_net
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


def word(cells):
    return np.int64(as_word(sum(v << 4 * c for c, v in enumerate(cells))))


def cells_of(board):
    return [(int(board) >> 4 * c) & 15 for c in range(16)]


def largest_missing(cells):
    return max((v for v in range(1, max(cells)) if v not in cells), default=0)


def halved_above(cells, gap):
    return [v - 1 if v > gap else v for v in cells]


def described(cells, limit):
    """As docs/games/2048.md says."""
    while max(cells) >= limit and largest_missing(cells):
        cells = halved_above(cells, largest_missing(cells))
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
        seen, _, board = ways[1].words
        assert cells_of(seen) == described(cells_of(board), 13)


@given(boards.filter(lambda cells: max(cells) < 14), st.integers(0, 3))
def test_moves_do_the_same_until_the_missing_tile_is_made(cells, action):
    gap = largest_missing(cells)
    assume(gap)
    plain, other = (PLAIN.position(some) for some in (cells, halved_above(cells, gap)))
    legal = action in plain.legal_actions
    assert legal == (action in other.legal_actions)
    assume(legal)
    after = plain.afterstate(action).cells
    assume(gap not in after)
    assert other.afterstate(action).cells == halved_above(after, gap)


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
