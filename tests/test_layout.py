"""Tables side by side: the same values, the same learning, the same files."""

import numpy as np
import pytest

import tafl
from tafl.core.ntuple import tables
from tafl.core.ntuple.layout import Layout, find_pairs
from tafl.core.ntuple.net import Coherence, make_net
from tafl.core.ntuple.value import activation, index_state
from tafl.runs.tensors import write_tensors
from tafl.settings.presets import compose
from tafl.training import learner as learners
from tafl.training.plan import make_plan, option_tree

TUPLES = [[0, 1, 2], [3, 7, 6], [5, 6, 9], [0, 1, 5, 6], [12, 13, 9, 4], [0, 5, 10], [0, 15]]


def test_pairs_differ_in_one_cell_on_some_board():
    facts = tafl.game("2048").facts
    for pair in find_pairs(TUPLES, facts.symmetries):
        first, second = map(set, pair.cells)
        assert first - second
        assert first & second == set(pair.shared)
        assert len(first - second) == len(second - first) == 1
        assert first == set(TUPLES[pair.numbers[0]])
        boards = [{board[c] for c in TUPLES[pair.numbers[1]]} for board in facts.symmetries]
        assert second in boards
    numbers = [i for pair in find_pairs(TUPLES, facts.symmetries) for i in pair.numbers]
    assert len(numbers) == len(set(numbers)) == 6


def test_no_pairs_of_n_tuples_with_a_cell_twice_or_of_other_lengths():
    assert find_pairs([[0, 0, 1], [0, 2, 1], [0, 1]], [range(16)]) == []


@pytest.mark.parametrize("transfer", ["off", "id"])
@pytest.mark.parametrize("by_action", [False, True])
def test_values_are_the_same(transfer, by_action):
    game = tafl.game("2048")
    how = {"by_action": by_action, "coherence": Coherence(transfer=transfer)}
    apart = make_net(game.facts, TUPLES, **how)
    rng = np.random.default_rng(1)
    apart.weights[:] = rng.normal(size=apart.weights.size)
    layout = Layout(game.facts, TUPLES, make_net(game.facts, TUPLES, **how))
    beside = layout.side_by_side()
    layout.put(apart.weights, beside.weights)
    assert (apart.weights != beside.weights).any()
    assert (layout.apart(beside.weights) == apart.weights).all()
    index = [np.zeros(apart.base.size, np.uint32) for _ in range(2)]
    for word in rng.integers(0, 2**63, 20):
        state = np.array([word, 0], np.int64)
        for net, out in zip((apart, beside), index, strict=True):
            index_state(game.rules, net, state, 0, out)
        assert index[0].tolist() != index[1].tolist()
        values = [
            activation(apart, np.uint64(0), index[0]),
            activation(beside, np.uint64(0), index[1]),
        ]
        assert values[0] == values[1]


@pytest.mark.parametrize("bits", [0, 16])
def test_what_is_found_by_a_hash_has_no_pair(bits, monkeypatch):
    monkeypatch.setattr(tables, "HASHED", 2**12)
    game = tafl.game("2048")
    tuples = [[0, 1, 2], list(range(9)), [3, 7, 6], [*range(8), 9]]
    apart = make_net(game.facts, tuples, hash_bits=bits)
    layout = Layout(game.facts, tuples, make_net(game.facts, tuples, hash_bits=bits), bits)
    assert [pair.numbers for pair in layout.pairs] == [(0, 2)]
    beside = layout.side_by_side()
    apart.weights[:] = np.random.default_rng(1).normal(size=apart.weights.size)
    layout.put(apart.weights, beside.weights)
    assert (layout.apart(beside.weights) == apart.weights).all()
    index = [np.zeros(apart.base.size, np.uint32) for _ in range(2)]
    state = np.array([0x0123456789ABCDE, 0], np.int64)
    for net, out in zip((apart, beside), index, strict=True):
        index_state(game.rules, net, state, 0, out)
    assert (beside.weights[index[1]] == apart.weights[index[0]]).all()


def test_learning_and_checkpoints_are_the_same(monkeypatch, tmp_path):
    game = tafl.game("2048")
    tree = option_tree(algo="td") | {"network": {"tuples": TUPLES}}
    plan = make_plan(game, compose(game, None, None, tree))
    found = []
    for large in (0, 2**40):
        monkeypatch.setattr(learners, "LARGE", large)
        learner = learners.Learner(game, plan.settings, plan.tuples)
        assert (learner.layout is None) == (large > 0)
        learner.learn(3)
        found.append(learner)
    beside, apart = (learner.tensors()["weights"] for learner in found)
    assert (beside == apart).all()
    assert (found[0].net.weights != apart).any()
    with (tmp_path / "apart").open("wb") as file:
        write_tensors(file, found[1].tensors(), {})
    found[0].net.weights[:] = 0
    found[0].read(tmp_path / "apart")
    assert (found[0].tensors()["weights"] == apart).all()
