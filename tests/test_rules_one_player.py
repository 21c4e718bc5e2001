"""The sliding puzzle and peg solitaire: counts of positions that are known."""

import numpy as np
import pytest

import tafl
from oracles import cells_of, facts_of, legal_actions, played, start
from tafl.core.games.sliding import Sliding
from tafl.core.games.solitaire import Solitaire


def distances(rules):
    """How many boards are how many moves away from the ordered one; all moves can be undone."""
    ordered = [*range(1, rules.rows * rules.cols), 0]
    found = {(*ordered,)}
    front, counts = [ordered], [1]
    while front:
        following = []
        for cells in front:
            state = np.zeros(3, np.int64)
            rules.position(state, cells, 0)
            for action in legal_actions_anyway(rules, state):
                after = cells_of(rules, played(rules, state, action))
                if (*after,) not in found:
                    found.add((*after,))
                    following.append(after)
        front = following
        counts.append(len(front))
    return counts[:-1]


def legal_actions_anyway(rules, state):
    """Also where the tiles are in order, and the game over."""
    return [action for action in range(4) if rules.legal(state, action)]


@pytest.mark.parametrize(
    ("rows", "cols", "boards", "furthest"), [(2, 2, 12, 6), (2, 3, 360, 21), (3, 2, 360, 21)]
)
def test_half_of_all_boards_of_a_sliding_puzzle_can_be_reached(rows, cols, boards, furthest):
    counts = distances(Sliding(rows, cols))
    assert sum(counts) == boards
    assert len(counts) - 1 == furthest


def test_all_deals_are_different_and_can_be_put_in_order():
    """Those of 3x3 have an even number of inversions; the gap lies where it belongs."""
    rules, seen = Sliding(), set()
    deals = rules.outcomes(start(rules))
    assert deals == 40320 // 2 - 1
    for number in range(0, deals, 5):
        state = start(rules)
        assert rules.outcome(state, number) == 1 / deals
        tiles = [int(state[0]) >> 4 * c & 15 for c in range(8)]
        assert sorted(tiles) == list(range(1, 9))
        assert state[1] == 8
        assert sum(tiles[i] > tiles[j] for j in range(8) for i in range(j)) % 2 == 0
        seen.add((*tiles,))
    assert len(seen) == len(range(0, deals, 5))
    assert (*range(1, 9),) not in seen


def test_a_puzzle_ends_in_order_or_at_the_limit():
    game = tafl.game("sliding(rows=2,cols=2,limit=5)")
    state = game.position([1, 2, 0, 3])
    state.play(3)
    assert state.over
    assert state.scores == [-1]
    state = game.position([3, 1, 2, 0])
    for action in (1, 3, 1, 3, 1):
        assert not state.over
        state.play(action)
    assert state.over
    assert state.scores == [-5]


def test_solitaire_has_as_many_jumps_and_positions_as_known():
    """Sequences of jumps, and positions that no rotation or reflection makes the same."""
    rules = Solitaire()
    symmetries = facts_of(rules).symmetries
    sequences, positions = {int(start(rules)[0]): 1}, []
    counts = []
    for _ in range(6):
        following = {}
        for pegs, ways in sequences.items():
            state = np.array([pegs])
            for action in legal_actions(rules, state):
                after = int(played(rules, state, action)[0])
                following[after] = following.get(after, 0) + ways
        sequences = following
        counts.append(sum(sequences.values()))
        boards = ([pegs >> c & 1 for c in range(33)] for pegs in sequences)
        positions.append(len({min(tuple(b[c] for c in s) for s in symmetries) for b in boards}))
    assert counts == [4, 12, 60, 400, 2960, 24600]
    assert positions == [1, 2, 8, 39, 171, 719]
