"""Approximators behind one interface: a neural network, n-tuples of one cell, and your own."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

import tafl
from studies.approximators import report
from tafl.boards import trust
from tafl.boards.template import APPROXIMATOR, write_from
from tafl.cli.main import main
from tafl.core.approximators.mlp import make_mlp
from tafl.core.learn.adapt import TD, adapt
from tafl.core.learn.policy import look
from tafl.core.learn.work import make_work
from tafl.errors import InputError
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.training.check_approximator import check_approximator
from tafl.training.learner import Learner
from tafl.training.plan import make_plan

MLP = {"network": {"kind": "mlp", "units": 8}}
QUIET = {"evaluation": {"every": 0}}
RANDOM = {"epsilon": 1.0, "epsilon_final": 1.0}  # so that rounding decides no move


@pytest.fixture
def own(tmp_path):
    """The file of an approximator as `tafl new-approximator` writes it."""
    return write_from(APPROXIMATOR, "mynet", tmp_path / "mynet.py")


def learner(name="tictactoe", **changes):
    game = tafl.game(name)
    tree = {"algo": "td", "seed": 1, "episodes": 40, **MLP, **QUIET, "td": RANDOM} | changes
    plan = make_plan(game, compose(game, overrides=tree))
    return Learner(game, plan.settings, plan.tuples)


def random_mlp(game, units=16):
    """A network with random weights everywhere, also where training has not been."""
    net = make_mlp(game.facts, units, seed=1)
    net.weights[:] = np.random.default_rng(2).normal(size=net.weights.shape) * 0.3
    return net


def nu_by_hand(net, p, cells):
    """The formula, with NumPy."""
    rows = net.weights.shape[1] - 3
    sums = net.weights[p, rows].astype(float)
    for c, v in enumerate(cells):
        if v:
            sums = sums + net.weights[p, c * net.values + v]
    active = np.maximum(sums, 0.1 * sums)
    return float(active @ net.weights[p, rows + 1] + net.weights[p, rows + 2, 0])


def test_the_compiled_network_learns_as_plain_python():
    compiled, plain = learner(), learner()
    before = plain.net.weights.copy()
    plain.kernel = plain.kernel.python
    with np.errstate(over="ignore"):
        for one in (compiled, plain):
            one.learn(40)
    assert compiled.rngs[0] == plain.rngs[0]
    assert compiled.net.weights == pytest.approx(plain.net.weights, abs=1e-5)
    assert np.abs(plain.net.weights - before).max() > 1e-3


@pytest.mark.parametrize("name", ["connectfour", "gomoku", "othello", "kuhn", "2048"])
def test_hidden_sums_of_candidates_are_those_of_all_cells(name):
    """Gomoku has more cells than a mask has bits; 2048 has chance; Kuhn poker hides cards."""
    game = tafl.game(name)
    net, td, rng = random_mlp(game), TD(), np.array([3], np.uint64)
    work, choice = make_work(game.facts, net), np.random.default_rng(3)
    state = game.start(seed=1)
    for _ in range(6):
        if state.over:
            break
        p = state.player
        work.state[:] = state.words
        net.encode(game.rules, work.state, p, work.now)
        with np.errstate(over="ignore"):
            n = look(game.rules, net, td, work, p, rng)
        assert n == len(state.legal_actions)
        for i in range(n):
            seen = [game.rules.sees(work.afters[i], p, c) for c in range(game.facts.cells)]
            if not game.hides:
                seen = [game.rules.input(work.afters[i], c) for c in range(game.facts.cells)]
            assert work.codes[i].tolist() == seen
            assert work.activations[i] == pytest.approx(nu_by_hand(net, p, seen), abs=1e-4)
        state.play(int(choice.choice(state.legal_actions)))


def test_a_step_descends_along_the_gradient():
    """The change of each weight is the step times the derivative of nu, by finite differences."""
    game = tafl.game("tictactoe")
    net = random_mlp(game, units=4)._replace(boards=np.arange(9)[None])
    work = make_work(game.facts, net)
    code = np.array([0, 1, 2, 0, 1, 0, 2, 0, 0], np.uint32)
    before = net.weights.copy()
    v = np.tanh(nu_by_hand(net, 1, code))
    with np.errstate(over="ignore"):
        adapt(net, TD(), work, 1, code, 0.5, 1e-3, np.array([1], np.uint64))
    step = 1e-3 * (0.5 - v) * (1 - v * v)
    learned, eps = (net.weights - before) / step, 1e-3
    wide = net._replace(weights=before.astype(np.float64))
    for index in np.ndindex(before[1].shape):
        found = []
        for d in (eps, -eps):
            wide.weights[1][index] += d
            found.append(nu_by_hand(wide, 1, code))
            wide.weights[1][index] -= d
        assert learned[1][index] == pytest.approx((found[0] - found[1]) / (2 * eps), abs=2e-2)
    assert not learned[0].any()  # of the other player


def test_learning_is_on_symmetric_boards():
    """A state that learns is worth the same on all eight boards in the end, and is not before."""
    game = tafl.game("tictactoe")
    net, rng = make_mlp(game.facts, 16, seed=1), np.array([1], np.uint64)
    work = make_work(game.facts, net)
    code = np.array([1, 2, 0, 0, 0, 0, 0, 0, 0], np.uint32)

    def values():
        boards = game.facts.symmetries
        return [float(net.squash(net.activation(work, 0, code[board]))) for board in boards]

    assert np.ptp(values()) > 0.3
    with np.errstate(over="ignore"):
        for _ in range(3000):
            adapt(net, TD(), work, 0, code, 0.7, 0.02, rng)
    assert values() == pytest.approx([0.7] * 8, abs=0.06)


def test_hidden_cards_are_not_seen():
    game = tafl.game("kuhn")
    net, work = random_mlp(game), make_work(game.facts, random_mlp(game))
    codes = {}
    for seed in range(30):
        state = game.start(seed=seed)
        net.encode(game.rules, state.words, state.player, work.now)
        own = tuple(game.rules.sees(state.words, 0, c) for c in range(game.facts.cells))
        codes.setdefault(own, set()).add(work.now.tobytes())
        truth = [game.rules.cell(state.words, c) for c in range(game.facts.cells)]
        assert work.now.tolist() != truth
    assert len(codes) == 3  # cards of the first player
    assert all(len(found) == 1 for found in codes.values())


REFUSED = {
    "td.lambda above 0": {"td": {"lambda": 0.5}},
    "algo = sarsa or q": {"algo": "sarsa"},
    "temporal coherence": {"coherence": {"transfer": "id"}},
    "device = cuda": {"device": "cuda"},
    "regret": {"algo": "regret", "regret": {"store": "n-tuples"}},
    "tuples applies only to kind = n-tuples": {"network": {"tuples": [[0, 1]]}},
    "hash_bits applies only": {"network": {"hash_bits": 20}},
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_a_network_is_not_able_to_do_is_refused_in_one_line(words):
    game, tree = tafl.game("tictactoe"), REFUSED[words]
    tree = {**MLP, **tree, "network": MLP["network"] | tree.get("network", {})}
    with pytest.raises(InputError, match=words) as refused:
        make_plan(game, compose(game, overrides=tree))
    assert "\n" not in str(refused.value)
    assert "mlp" in str(refused.value) or "network" in str(refused.value)


def test_units_are_of_an_mlp_alone():
    game = tafl.game("tictactoe")
    with pytest.raises(InputError, match="units applies only to kind = mlp"):
        compose(game, overrides={"network": {"units": 8}})
    with pytest.raises(InputError, match="n-tuples, linear, mlp, or a file such as mynet"):
        compose(game, overrides={"network": {"kind": "mpl"}})


def test_linear_is_n_tuples_of_one_cell_each():
    game = tafl.game("connectfour")
    settings = compose(game, overrides={"network": {"kind": "linear"}})
    assert settings.network.tuples == "cells"
    assert make_plan(game, settings).tuples == [[c] for c in range(42)]
    with pytest.raises(InputError, match="linear means tuples = cells"):
        compose(game, overrides={"network": {"kind": "linear", "tuples": "connectfour-1"}})


def test_settings_of_n_tuples_are_written_as_before():
    game = tafl.game("tictactoe")
    assert "kind" not in compose(game).tree()["network"]
    tree = compose(game, overrides=MLP).tree()
    assert tree["network"] == {"kind": "mlp", "units": 8, "sigma": "tanh", "symmetries": True}
    assert tree["coherence"]["transfer"] == "off"
    assert Settings.of(tree).tree() == tree


def test_a_run_goes_on_to_the_same_bits_and_its_file_plays_the_same(tmp_path):
    options = {"episodes": 60, "seed": 2, **MLP, **QUIET}
    straight = tafl.train("tictactoe", out=tmp_path / "straight", **options)
    plan_game = tafl.game("tictactoe")
    halves = compose(plan_game, overrides=options)
    first = Learner(plan_game, halves, [])
    first.learn(60)
    assert np.array_equal(straight.agent.net.weights, first.net.weights)
    longer = tafl.resume(tmp_path / "straight", episodes=80)
    again = tafl.train("tictactoe", out=tmp_path / "again", **options)
    assert np.array_equal(
        tafl.resume(again.path, episodes=80).agent.net.weights, longer.agent.net.weights
    )
    tafl.save(longer, tmp_path / "net.agent")
    start = plan_game.start()
    assert tafl.load(tmp_path / "net.agent").values(start) == longer.agent.values(start)


def test_an_own_approximator_trains_resumes_and_is_evaluated(own, tmp_path, capsys):
    out = tmp_path / "run"
    words = ["tictactoe", "--approximator", str(own), "--episodes", "200", "--seed", "1"]
    assert main(["train", *words, "--out", str(out)]) == 0
    kept = Run.open(out)
    assert kept.settings.network.kind == str(own)
    assert (out / "network" / "mynet.py").read_text() == own.read_text()
    assert kept.agent.net.weights.shape == (2, 9, 3, 9)
    assert main(["train", "--resume", str(out), "--episodes", "300"]) == 0
    assert main(["eval", str(out), "--games", "20"]) == 0
    text = own.read_text()
    own.write_text(text.replace("sums[h] * sums[h]", "sums[h]"))
    assert main(["train", "--resume", str(out), "--episodes", "400"]) == 2
    assert "mynet.py has changed since" in capsys.readouterr().err
    own.unlink()  # the run's copy stands for it
    values = Run.open(out).agent.values(tafl.game("tictactoe").start())
    assert len(values) == 9


def test_parameters_of_an_own_approximator(own):
    game = tafl.game("tictactoe")
    known = learner(network={"kind": f"{own}(factors=3)"})
    assert known.net.weights.shape == (2, 9, 3, 4)
    for text, words in {
        "(factor=3)": "no parameter 'factor'; did you mean factors",
        "(factors=x)": "factors must be a whole number, not x",
    }.items():
        with pytest.raises(InputError, match=words):
            make_plan(game, compose(game, overrides={"network": {"kind": f"{own}{text}"}}))


def test_the_run_of_somebody_else_runs_no_code(own, tmp_path, monkeypatch):
    out = tmp_path / "run"
    tafl.train("tictactoe", episodes=20, seed=1, network={"kind": str(own)}, out=out, **QUIET)
    theirs = shutil.copytree(out, tmp_path / "theirs")
    for file in (own, theirs / "network" / "mynet.py"):
        file.write_text(own.read_text() + "\nraise SystemExit('it ran')\n")
    monkeypatch.setenv("TAFL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv(trust.ALL, "0")
    monkeypatch.setattr(trust, "_now", set())
    with pytest.raises(InputError, match=r"names the network .* never run here on purpose"):
        assert Run.open(theirs).agent


def test_a_new_approximator_has_no_faults(own):
    found = check_approximator(str(own))
    assert found.faults == {}
    assert found.games == 90


FAULTS = {
    "the error": ("row[0] += step", "row[0] -= step"),
    "nothing is learned": ("row[0] += step", "continue"),
    "IndexError": ("code[c]]\n            row[0]", "9]\n            row[0]"),
    "float32": (".astype(np.float32)", ""),
    "must be activation": ("def activation(self, work, p, code)", "def activation(self, p, code)"),
    "has no method change": ("def change", "def changed"),
}  # fmt: skip


@pytest.mark.parametrize("words", FAULTS)
def test_faults_are_found(words, own, capsys):
    old, new = FAULTS[words]
    text = own.read_text()
    assert old in text
    if words == "the error":
        text = text.replace("step * 2 * sums[h]", "-step * 2 * sums[h]")
    own.write_text(text.replace(old, new))
    assert main(["check", str(own)]) in (1, 2)
    said = "".join(capsys.readouterr())
    assert words in said
    assert "Traceback" not in said


def test_what_does_not_compile_names_the_line(own, capsys):
    text = own.read_text().replace("nu = sums[0]", "nu = sums[0] + len({1: 2})")
    own.write_text(text)
    line = 1 + text[: text.index("len({1")].count("\n")
    assert main(["check", str(own)]) == 1
    assert re.search(rf"mynet\.py:{line}\b.*activation", capsys.readouterr().out)


def test_the_guide_shows_the_template():
    guide = Path(__file__).parents[1] / "docs" / "guides" / "approximators.md"
    source = Path(tafl.__file__).parent / "boards" / "template" / APPROXIMATOR.file
    assert source.read_text(encoding="utf-8").strip() in guide.read_text(encoding="utf-8")


def test_the_page_of_the_study_is_written_from_what_is_stored(tmp_path):
    (page,) = report.write(tmp_path)
    published = Path(__file__).parents[1] / "docs" / "science" / "approximators.md"
    assert published.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
