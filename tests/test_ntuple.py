"""n-tuple networks against the formulas of the paper, written out anew here."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tafl
from sim import Sim
from tafl.core.approximators.sigma import tanh
from tafl.core.compile import kernel
from tafl.core.games.connectfour import ConnectFour
from tafl.core.games.gomoku import Gomoku
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.learn.adapt import TD, adapt
from tafl.core.learn.work import make_work
from tafl.core.ntuple import tables
from tafl.core.ntuple.net import Coherence, make_net, transfer_polynomial
from tafl.core.ntuple.tables import GAP, entries, step
from tafl.core.ntuple.update import distinct, distinct_few, distinct_many, seen_slots
from tafl.core.ntuple.value import activation, index_change, index_state, offset
from tafl.errors import InputError

GAMES = [TicTacToe(), ConnectFour()]
RNG = np.array([1], np.uint64)


def playout(game, moves):
    """States of a game whose moves are picked by the given numbers."""
    facts = game.facts()
    state = np.zeros(facts.words, np.int64)
    game.start(state)
    states = [state.copy()]
    for move in moves:
        legal = [a for a in range(facts.actions) if game.legal(state, a)]
        if game.over(state) or not legal:
            break
        game.play(state, legal[move % len(legal)])
        states.append(state.copy())
    return states


@st.composite
def networks(draw, coherence="off"):
    """A game, a position of it, and a network of random n-tuples with random weights."""
    game = draw(st.sampled_from([*GAMES, Gomoku()]))  # which has more than 64 cells
    facts = game.facts()
    cells = st.lists(st.integers(0, facts.cells - 1), min_size=1, max_size=4, unique=True)
    tuples = draw(st.lists(cells, min_size=1, max_size=5))
    states = playout(game, draw(st.lists(st.integers(0, 100), max_size=20)))
    net = make_net(facts, tuples, tanh=False, coherence=Coherence(coherence))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    net.weights.reshape(-1, net.width)[:, 0] = rng.normal(size=net.weights.size // net.width)
    return game, facts, tuples, net, states


def formula(game, facts, tuples, net, state, p):
    """V(s') as the double sum over n-tuples and symmetric boards (Eq. 2)."""
    board = [int(game.cell(state, c)) for c in range(facts.cells)]
    total, offset = 0.0, p * net.size
    for cells in tuples:
        for symmetry in facts.symmetries:
            equivalent = [board[symmetry[c]] for c in range(facts.cells)]
            index = sum(equivalent[c] * facts.values**j for j, c in enumerate(cells))
            total += float(net.weights[offset + index * net.width])
        offset += (facts.values ** len(cells) + GAP) * net.width
    return total


@settings(deadline=None, max_examples=60)
@given(networks())
def test_value_is_the_double_sum_of_the_paper(drawn):
    game, facts, tuples, net, states = drawn
    index = np.zeros(net.base.size, np.uint32)
    for p in range(facts.players):
        index_state(game, net, states[-1], 0, index)
        assert activation(net, offset(net, p, 0), index) == pytest.approx(
            formula(game, facts, tuples, net, states[-1], p), abs=1e-4
        )


@settings(deadline=None, max_examples=60)
@given(networks())
def test_indices_by_changed_cells_equal_indices_from_scratch(drawn):
    game, _, _, net, states = drawn
    now, then, scratch = (np.zeros(net.base.size, np.uint32) for _ in range(3))
    index_state(game, net, states[0], 0, now)
    for before, after in pairwise(states):
        index_change(game, net, before, after, 0, now, then)
        index_state(game, net, after, 0, scratch)
        assert then.tolist() == scratch.tolist()
        now, then = then, now


@settings(deadline=None, max_examples=60)
@given(networks(), st.floats(-5, 5))
def test_alpha_1_and_identity_hit_the_target_exactly(drawn, target):
    # also for symmetric boards, whose repeated indices are changed once but counted each time
    game, facts, _, net, states = drawn
    td, work = TD(alpha=1.0, alpha_final=1.0), make_work(facts, net)
    for state in (states[-1], states[0]):
        index_state(game, net, state, 0, work.now)
        where = (work.now + offset(net, 1, 0)).astype(np.uint32)
        adapt(net, td, work, 1, where, target, 1.0, RNG)
        assert activation(net, np.uint64(0), where) == pytest.approx(target, abs=2e-4)


@settings(deadline=None, max_examples=60)
@given(networks("id"))
def test_update_changes_each_weight_once_and_nothing_else(drawn):
    game, facts, _, net, states = drawn
    td, work = TD(), make_work(facts, net)
    index_state(game, net, states[-1], 0, work.now)
    before = net.weights.copy()
    adapt(net, td, work, 0, work.now, 3.0, 1.0, RNG)
    changed = set(np.flatnonzero(before != net.weights).tolist())
    k = np.unique(work.now)
    assert changed <= {int(i) + j for i in k for j in range(3)}
    delta = 3.0 - float(before[work.now].sum())
    step = delta / (net.tuples * net.symmetries)  # the rate of a new weight is 1
    assert net.weights[k] - before[k] == pytest.approx(np.full(k.size, step), abs=1e-4)
    sizes = np.full(k.size, abs(delta))
    assert net.weights[k + 2] - before[k + 2] == pytest.approx(sizes, abs=1e-4)


@settings(deadline=None, max_examples=60)
@given(networks())
def test_distinct_lists_each_index_once(drawn):
    game, _, _, net, states = drawn
    index, where = np.zeros(net.base.size, np.uint32), np.zeros(net.base.size, np.uint32)
    index_state(game, net, states[-1], 0, index)
    n = distinct(net, index, np.zeros(seen_slots(net), np.uint32), where)
    assert sorted(where[:n].tolist()) == sorted(set(index.tolist()))


@pytest.mark.parametrize("boards", [2, 15, 16, 100, 720])
def test_many_boards_are_looked_up_as_few_are_compared(boards):
    game, rng = Sim(boards), np.random.default_rng(boards)
    tuples = [rng.choice(15, 5, replace=False).tolist() for _ in range(3)]
    net = make_net(game.facts(), tuples)
    index, found, wanted = (np.zeros(net.base.size, np.uint32) for _ in range(3))
    for state in playout(game, rng.integers(0, 100, 12)):
        index_state(game, net, state, 0, index)
        sizes = np.uint64(net.tuples), np.uint64(net.symmetries)
        seen = np.zeros(1 << (2 * boards).bit_length(), np.uint32)
        n = distinct_many(*sizes, index, seen, found)
        assert n == distinct_few(*sizes, index, wanted)
        assert found[:n].tolist() == wanted[:n].tolist()


@kernel
def both(game, net, td, work, state, target, rng, out):
    """Value, update, value: compiled."""
    index_state(game, net, state, 0, work.now)
    out[0] = activation(net, offset(net, 0, 0), work.now)
    adapt(net, td, work, 0, work.now, target, 0.7, rng)
    out[1] = activation(net, offset(net, 0, 0), work.now)


@pytest.mark.parametrize("coherence", ["off", "id", "exp"])
@pytest.mark.parametrize("game", GAMES, ids=lambda g: type(g).__name__)
def test_compiled_and_plain_updates_agree(game, coherence):
    facts = game.facts()
    rng = np.random.default_rng(1)
    tuples = [rng.choice(facts.cells, 4, replace=False).tolist() for _ in range(7)]
    nets = [make_net(facts, tuples, coherence=Coherence(coherence)) for _ in range(2)]
    works = [make_work(facts, net, horizon=3) for net in nets]
    out = np.zeros((2, 2))
    for state in playout(game, range(3, 40)):
        both(game, nets[0], TD(lam=0.6), works[0], state, 0.5, RNG, out[0])
        both.python(game, nets[1], TD(lam=0.6), works[1], state, 0.5, RNG, out[1])
        assert out[0] == pytest.approx(out[1], abs=1e-5)
    assert nets[0].weights == pytest.approx(nets[1].weights, abs=1e-5)
    assert np.count_nonzero(nets[0].weights) > 30


@given(st.integers(2, 20), st.integers(1, 7))
def test_every_pattern_has_a_weight_of_its_own(values, length):
    assert [step(values, length, j, 0) for j in range(length)] == [values**j for j in range(length)]
    assert entries(values, length, 0) == values**length


@pytest.mark.parametrize(("values", "length"), [(2, 33), (4, 17), (4, 42), (3, 400), (18, 16)])
def test_more_patterns_than_any_table_has_room_for_share_weights(values, length):
    """About as many as HASHED; no cell is left out, and the last weight is the largest index."""
    steps = [step(values, length, j, 0) for j in range(length)]
    assert len(set(steps)) == length
    assert min(steps) > 0
    assert entries(values, length, 0) == 1 + (values - 1) * sum(steps)
    assert 0.7 < entries(values, length, 0) / tables.HASHED < 1.3


def test_n_tuples_are_hashed_on_request():
    """Those with more patterns than 2^bits, into about as many weights; the others stay."""
    facts = tafl.game("connectfour").facts
    short, long = [[0, 1, 2, 3], [7, 8, 14, 15]], [list(range(9)), list(range(20, 32))]
    usual, asked = make_net(facts, short), make_net(facts, short, hash_bits=16)
    assert (asked.strides == usual.strides).all()
    assert asked.size == usual.size
    for bits in (16, 17):
        sizes = [entries(4, len(cells), bits) for cells in long]
        assert all(0.7 < size / 2**bits < 1.3 for size in sizes)
    assert entries(4, 9, 18) == 4**9  # it has room for all patterns


def test_a_hashed_network_learns_and_is_read_again(tmp_path):
    """What an agent says of a move is the sum of its weights, found by hand."""
    cells = list(range(9))
    network = {"tuples": [cells], "hash_bits": 16, "symmetries": False, "sigma": "identity"}
    run = tafl.train(
        "connectfour",
        network=network,
        coherence={"transfer": "off"},
        td={"alpha": 0.1},
        evaluation={"every": 0},
        episodes=300,
        seed=1,
        out=tmp_path / "run",
    )
    size = entries(4, 9, 16) + GAP
    assert run.agent.net.weights.size == 2 * size
    assert 2**16 < 4**9
    steps = [step(4, 9, j, 16) for j in range(9)]
    state = tafl.game("connectfour").start()
    tafl.save(run, tmp_path / "agent")
    found = tafl.load(tmp_path / "agent").values(state)
    assert found == run.agent.values(state)
    for action, value in found.items():
        after = state.copy()
        after.play(action)
        index = sum(after.cells[c] * steps[j] for j, c in enumerate(cells))
        assert value == pytest.approx(run.agent.net.weights[index], abs=1e-6)
    assert any(found.values())


def test_too_large_tables_are_refused_with_the_setting_that_hashes_them(tmp_path):
    network = {"tuples": [list(range(15)), list(range(15, 30))]}
    with pytest.raises(InputError, match=r"or hash them with network\.hash_bits"):
        tafl.train("connectfour", network=network, out=tmp_path / "run")
    known = {"algo": "regret", "regret": {"store": "n-tuples"}}
    with pytest.raises(InputError, match="hash_bits has no effect with regret"):
        tafl.train("kuhn", **known, network={**network, "hash_bits": 20}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_whole_boards_share_weights_no_more_often_than_chance():
    game = ConnectFour()
    net = make_net(game.facts(), [list(range(42))], tables=False)
    index, rng = np.zeros(2, np.uint32), np.random.default_rng(1)
    found = {}
    for _ in range(400):
        for state in playout(game, rng.integers(0, 1000, 42)):
            index_state(game, net, state, 0, index)
            board = [int(game.cell(state, c)) for c in range(42)]
            assert index[0] == sum(v * step(4, 42, c, 0) for c, v in enumerate(board))
            found[tuple(board)] = int(index[0])
    spread = 2 * np.sqrt(np.pi) * np.std(list(found.values()))  # a table as large, evenly used
    expected = len(found) ** 2 / 2 / spread
    assert len(found) > 5000
    assert len(found) - len(set(found.values())) < expected + 5 * np.sqrt(expected)


def test_a_network_of_whole_boards_learns(monkeypatch, tmp_path):
    """What an agent says of a move is the sum of two weights, found by hand."""
    monkeypatch.setattr(tables, "HASHED", 2**16)
    whole = {"tuples": [list(range(42))]}
    run = tafl.train("connectfour", network=whole, episodes=300, seed=1, out=tmp_path / "run")
    agent, size = run.agent, entries(4, 42, 0) + GAP
    assert run.agent.net.weights.size == 2 * size
    steps = np.array([step(4, 42, c, 0) for c in range(42)])
    mirror = np.arange(42).reshape(6, 7)[:, ::-1].reshape(-1)
    state, seen = agent.game.start(), set()
    while not state.over:
        for action, value in agent.values(state).items():
            after = state.copy()
            after.play(action)
            if not after.over:
                cells = np.array(after.cells)
                places = state.player * size + np.array([cells @ steps, cells[mirror] @ steps])
                assert value == pytest.approx(np.tanh(agent.net.weights[places].sum()), abs=1e-6)
                seen.add(value)
        state.play(agent.act(state))
    assert len(seen) > 10


def test_tanh_is_tanh():
    for x in [*np.linspace(-9, 9, 18_001), *np.linspace(9, 40, 1_001), 1e-9, 1e30, np.inf]:
        assert tanh(x) == pytest.approx(np.tanh(x), rel=3e-8, abs=0)
        assert tanh(-x) == -tanh(x)
        assert abs(np.float32(tanh(x))) <= 1


@pytest.mark.parametrize("beta", [0.5, 2.7, 4.0])
def test_transfer_polynomial_is_the_exponential(beta):
    x = np.linspace(0, 1, 1001)
    poly = np.polynomial.Polynomial(transfer_polynomial(beta).astype(float))(x)
    assert poly == pytest.approx(np.exp(beta * (x - 1)), abs=2e-5)
