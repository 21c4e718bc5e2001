"""Learning on a GPU is the CPU's: the same rules and learners, and second bodies of primitives.

Without a GPU they run in plain Python as a block of one thread, in the simulator of numba-cuda with
several, and the compiler makes PTX of them. All moves are random, so that both play the same games.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import tafl
from benchmarks import gpu_page
from kinds import KINDS
from long import long, long_learners
from one_at_a_time import Block, backwards
from signatures import ALGOS, SMALL
from simulated import RANDOM, compared, preset_of
from studies.pages import DOCS
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.cli.main import main
from tafl.core.compile import thread_block as block
from tafl.core.compile.translate import Copies
from tafl.core.games import FURTHER, PAPER
from tafl.core.learn.adapt import TD
from tafl.core.learn.population import population
from tafl.core.learn.work import make_work
from tafl.core.ntuple.block_update import block_change
from tafl.core.ntuple.block_values import block_index_change, reach
from tafl.core.ntuple.net import make_net
from tafl.core.ntuple.value import index_state
from tafl.errors import InputError
from tafl.settings.build import build
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.gpu import Member, Population, make_rows, sizes_of
from tafl.training.learner import KERNELS, Learner
from tafl.training.plan import make_plan, option_tree

HERE = Path(__file__).resolve().parent
# Q-learning draws lots among equal values. Those of symmetric moves are sums of the same weights in
# another order, so which of them are equal to the last bit is not the same here and there.
SAME_GAMES = [(n, algo) for n in PAPER for algo in ALGOS if (n, algo) != ("2048", "q")]
SHORT = ("tictactoe", "nim", "nim3p")  # games
numba_cuda = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'tafl[gpu]'"
)


def small(name, algo, episodes=2, **options):
    """A small network that only moves at random."""
    game = tafl.game(name)
    tree = merged(option_tree(algo=algo, seed=3, episodes=episodes), merged(RANDOM, SMALL))
    settings = compose(game, preset_of(game), None, merged(tree, options))
    return game, settings, make_plan(game, settings).tuples


def block_of(game, settings, tuples, episodes, begun=0):
    """A kernel and its arguments, for one block, which has all episodes or has to take some."""
    net, td, horizon = build(game, settings, tuples)
    work = make_work(game.facts, net, horizon, td.backward)
    rows = make_rows(game, work, Learner(game, settings, tuples).rngs[0])
    rows.episodes[0] = begun or episodes
    rows.free[0] = rows.episodes[0]
    one = net._replace(strides=net.strides[None], base=net.base[None], rate=net.rate[None])
    one = one._replace(rows=np.zeros(0, np.uint32))
    settled = TD(*(np.array([value]) for value in td))
    train = population(KERNELS[settings.algo], begun > 0, *sizes_of(game, net, horizon))
    size, total = net.weights.size, settings.episodes
    return train, (game.rules, one, settled, rows, 1, size, total, episodes)


@pytest.mark.parametrize(("name", "algo"), long_learners([*SAME_GAMES, *product(KINDS, ["td"])]))
def test_a_block_of_one_thread_learns_as_the_cpu_does(name, algo):
    game, settings, tuples = small(name, algo)
    cpu = Learner(game, settings, tuples)
    if name in KINDS:  # the same uncompiled, in less time than the compiler takes
        cpu.kernel = cpu.kernel.python
    episodes = 2 if name in SHORT else 1
    with np.errstate(over="ignore"):
        cpu.learn(episodes)
    train, arguments = block_of(game, settings, tuples, episodes)
    with np.errstate(over="ignore"):
        Copies().copy(train)(*arguments)
    _, net, _, rows, *_ = arguments
    assert rows.totals[0] == pytest.approx(cpu.totals[0], rel=1e-12)
    assert rows.rng == cpu.rngs[0]
    assert rows.finished == [1]
    assert np.count_nonzero(net.weights) > 10
    assert net.weights == pytest.approx(cpu.net.weights, abs=1e-5, rel=1e-4)


def test_a_warp_reads_no_weights_but_those_of_the_state():
    # a move of Othello that changes many cells: indices are made in several passes over themselves
    game = tafl.game("othello")
    before, changed = game.start(seed=1), []
    while len(changed) < 5:
        after = before.afterstate(max(before.legal_actions))
        changed = [c for c in range(64) if before.cells[c] != after.cells[c]]
        before, after = (before, after) if len(changed) > 4 else (after, after)
    net = make_net(game.facts, [changed[-2:], *([c, 63 - c] for c in range(19))])
    index, expected = np.zeros((2, net.base.size), np.uint32)
    index_state(game.rules, net, before.words, 0, index)
    index_state(game.rules, net, after.words, 0, expected)
    read, out = [], np.zeros_like(index)

    def recorded(weights, i):
        read.append(int(i))
        return weights[i]

    with np.errstate(over="ignore"):
        activate = Copies({block.read: recorded}).copy(reach)
        activate(game.rules, net, 0, before.words, after.words, index, out)
    assert np.array_equal(out, expected)
    assert set(read) <= {0, *expected.tolist()}


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    ("name", "algo", "td"),
    [
        ("connectfour", "td", {}),
        ("connectfour", "td", {"lambda": 0.9}),
        ("connectfour", "td", {"lambda": 0.0, "backward": 4}),
        ("tictactoe", "td", {"afterstates": False}),
        ("tictactoe", "td", {"learn_from_random_moves": False}),
        ("nim", "sarsa", {}),
        long(("nim3p", "sarsa", {})),
        ("tictactoe", "q", {}),
    ],
)
def test_no_barrier_is_missing_and_a_block_of_warps_plays_as_the_cpu(name, algo, td, alone):
    game, settings, tuples = small(name, algo, td={"epsilon": 0.3, "epsilon_final": 0.3} | td)
    cpu = Learner(game, settings, tuples)
    cpu.learn(1)
    nets = []
    for order in (sorted, backwards):
        train, arguments = block_of(game, settings, tuples, 1)
        Block(8, 2, order, alone).run(train, *arguments)
        _, net, _, rows, *_ = arguments
        assert rows.totals[0] == pytest.approx(cpu.totals[0], rel=1e-12)
        assert rows.rng == cpu.rngs[0]
        np.testing.assert_allclose(net.weights, cpu.net.weights, atol=1e-5, rtol=1e-4)
        nets.append(net.weights.tobytes())
    assert nets[0] == nets[1]


@pytest.mark.parametrize("name", ["sim(players=3)", "hex3p(size=2)"])
def test_a_block_of_warps_learns_one_network_for_all_players_as_the_cpu_does(name):
    network = SMALL["network"] | {"shared": True}
    game, settings, tuples = small(name, "td", 2, network=network, td={"epsilon": 0.3})
    cpu = Learner(game, settings, tuples)
    cpu.kernel = cpu.kernel.python
    with np.errstate(over="ignore"):
        cpu.learn(1)
        for order in (sorted, backwards):
            train, arguments = block_of(game, settings, tuples, 1)
            Block(8, 2, order, True).run(train, *arguments)
            _, net, _, rows, *_ = arguments
            assert rows.rng == cpu.rngs[0]
            np.testing.assert_allclose(net.weights, cpu.net.weights, atol=1e-5, rtol=1e-4)
    assert net.size == net.weights.size


@pytest.mark.parametrize("begun", [1, 2, 7])
def test_a_block_takes_the_episodes_that_no_other_has(begun):
    game, settings, tuples = small("nim", "td", 7)
    cpu = Learner(game, settings, tuples)
    cpu.learn(7)
    for order in (sorted, backwards):
        train, arguments = block_of(game, settings, tuples, 7, begun)
        Block(4, 2, order).run(train, *arguments)
        _, net, _, rows, *_ = arguments
        assert rows.totals[0] == pytest.approx(cpu.totals[0], rel=1e-12)
        assert rows.rng == cpu.rngs[0]
        np.testing.assert_allclose(net.weights, cpu.net.weights, atol=1e-5, rtol=1e-4)


def test_a_block_sees_changes_beyond_the_64_cells_of_a_mask():
    game = tafl.game("gomoku")
    net = make_net(game.facts, [[0, 63, 64], [40, 72, 80]])
    index, out = np.zeros((2, net.base.size), np.uint32)
    state = game.start()
    index_state(game.rules, net, state.words, 0, index)
    index_change = Copies().copy(block_index_change)
    for action in (40, 80, 64, 62, 8):
        after = state.afterstate(action)
        index_change(game.rules, net, state.words, after.words, 0, index, out)
        index_state(game.rules, net, after.words, 0, index)
        assert out.tolist() == index.tolist()
        state = after


@numba_cuda
@pytest.mark.parametrize(
    ("name", "algo"),
    [
        *product(("tictactoe",), ("td", "q")),
        ("nim", "sarsa"),
        ("nim3p", "td"),
        ("2048", "td"),
        *map(long, product(("nim3p", "2048"), ("sarsa",))),
        long(("2048(fold=512)", "td")),
    ],
)
def test_the_simulator_learns_as_the_cpu_does_and_continues_its_training(name, algo):
    found = simulated(name, algo, "1", "3", "1")
    assert found["scores"][0] == pytest.approx(found["scores"][1], rel=1e-12)
    for key in ("moves", "rng", "names", "counts"):
        assert found[key][0] == found[key][1], key
    assert found["used"] > 10
    assert found["difference"] < 1e-4


@numba_cuda
@pytest.mark.parametrize("half", [15, long(150)])
def test_blocks_that_share_the_episodes_of_an_agent_play_each_of_them_once(half):
    found = simulated("nim3p", "td", str(half), "1", "3")
    for scores in found["scores"]:  # each game is worth 1 and 0.2
        assert sum(scores) == pytest.approx(1.2 * 2 * half)


def simulated(*words):
    """What tests/simulated.py says."""
    environment = os.environ | {
        "NUMBA_ENABLE_CUDASIM": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, str(HERE / "simulated.py"), *words]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr[-2000:]
    return json.loads(said.stdout)


@numba_cuda
def test_runs_side_by_side_stop_go_on_to_the_same_bits_and_move_to_the_cpu(tmp_path):
    found = simulated(str(tmp_path))
    stopped, at = found["stopped"]
    assert stopped
    assert 0 < at < 6
    assert found["halted"] == found["straight"]
    assert len(set(found["straight"])) == 2
    assert found["metrics"] == [[3, 6], [3, 6]]
    assert found["environment"]["gpu"] == "simulator"
    assert found["environment"]["repeatable"] is True
    assert found["moved"] == [True, "cpu"]


def test_a_weight_between_two_changes_of_others_learns_no_faster_than_it_may():
    """N may already have what A has not: |N| / A is bounded by 1, and so is the rate."""
    game = tafl.game("tictactoe")
    settings = compose(game, "as-run", None, {"coherence": {"transfer": "exp", "beta": 2.7}})
    net, _, _ = build(game, settings, [[0, 1]])
    where = np.array([net.base[0]], np.uint32)
    i = int(where[0])
    net.weights[i : i + 3] = 0, 0.3, 1e-4
    Copies().copy(block_change)(net, where, 1, 1.0, 0.5, 1.0)
    step = 0.5 / (net.tuples * net.symmetries)
    assert net.weights[i : i + 3] == pytest.approx([step, 0.8, 0.5001], rel=1e-5)


@pytest.mark.parametrize(("transfer", "games"), [("exp", 256), ("off", 4)])
def test_games_at_a_time_are_few_where_nothing_damps_what_they_learn_together(transfer, games):
    tree = {"device": "cuda", "coherence": {"transfer": transfer}}
    assert compose(tafl.game("tictactoe"), "as-run", None, tree).threads == games
    assert compose(tafl.game("tictactoe"), "as-run", None, tree | {"threads": 5}).threads == 5


@pytest.mark.skipif(bool(shutil.which("nvidia-smi")), reason="there is a CUDA device")
@pytest.mark.parametrize("words", ["train tictactoe --seeds 2", "train tictactoe", "bench nim"])
def test_without_a_gpu_one_line_says_so_and_nothing_is_written(
    words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main([*words.split(), "--device", "cuda"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    missing = "needs numba-cuda, which is not installed: pip install 'tafl[gpu]'"
    assert "no GPU can be used" in said or missing in said
    assert not list(tmp_path.iterdir())


@numba_cuda
def test_the_cause_is_named_if_numba_cuda_fails(tmp_path):
    """A broken library beside it is not told as a missing package."""
    (tmp_path / "cuda").mkdir()
    (tmp_path / "cuda" / "__init__.py").write_text("raise OSError('libcudart.so.12: not found')")
    places = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    told = subprocess.run(
        [sys.executable, "-m", "tafl", "train", "nim", "--device", "cuda"],
        env={**os.environ, "PYTHONPATH": places},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 2
    why = "numba-cuda is installed, but fails: OSError: libcudart.so.12: not found"
    assert told.stderr == f"tafl: --device cuda: {why}\n"
    assert [one.name for one in tmp_path.iterdir()] == ["cuda"]


def test_arguments_are_named_as_python_writes_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba_cuda", None)  # as if it were not installed
    with pytest.raises(InputError) as refused:
        tafl.train("nim", device="cuda")
    assert str(refused.value).startswith("device='cuda' needs numba-cuda, which is not installed")


def test_the_pages_are_written_from_what_is_stored(tmp_path):
    for page in gpu_page.write(tmp_path):
        published = DOCS / page.relative_to(tmp_path)
        assert published.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")


def has_compiler():
    """Are NVIDIA's compilers installed?"""
    from cuda.pathfinder import DynamicLibNotFoundError, load_nvidia_dynamic_lib

    try:
        return all(load_nvidia_dynamic_lib(name) for name in ("nvvm", "nvrtc"))
    except DynamicLibNotFoundError:
        return False


@numba_cuda
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("algo", ALGOS)
@pytest.mark.parametrize("name", [*PAPER, *KINDS, "2048(fold=8192)"])
def test_kernels_compile_for_every_game_and_learner(name, algo, shared):
    if shared and (name, algo) != ("tictactoe", "td"):
        pytest.skip("one kernel with shared tables is enough")
    if not has_compiler():
        pytest.skip("NVIDIA's compiler is not installed: pip install 'tafl[gpu]'")
    from tafl.core.compile import cuda

    train, arguments = block_of(*small(name, algo), 1)
    ptx = cuda.compile_ptx(train, "shared" if shared else "alone", arguments)
    assert ".visible .entry" in ptx
    assert bool(re.search(r"\s(atom|red)\.", ptx)) == shared


@pytest.mark.gpu
@pytest.mark.parametrize(("name", "algo"), [*SAME_GAMES, *product(FURTHER, ["td"])])
def test_a_device_learns_as_the_cpu_does(name, algo):
    found = compared(name, algo, 1, 96, 1)
    assert found["moves"][0] == found["moves"][1]
    assert found["rng"][0] == found["rng"][1]
    assert found["difference"] < 1e-3


@pytest.mark.gpu
def test_more_agents_than_fit_are_refused_with_their_number():
    game, settings, tuples = small("connectfour", "td", 100, device="cuda", threads=1)
    with pytest.raises(InputError, match=r"1000000 agents need .* GB .* [1-9]\d* would fit"):
        Population(game, [settings] * 1_000_000, [tuples] * 1_000_000)


@pytest.mark.gpu
def test_many_games_at_a_time_learn_as_well_as_one_after_the_other():
    game = tafl.game("tictactoe")
    for games in (1, None):
        settings = compose(
            game, "as-run", None, option_tree(episodes=30_000, device="cuda", threads=games)
        )
        learner = Member(Population(game, [settings], [make_plan(game, settings).tuples]))
        learner.learn(30_000)
        agent = LearnedAgent(game, learner.net, learner.td, 1)
        assert evaluate(agent, "exact", 100, seed=1).mean >= -0.05


@pytest.mark.gpu
def test_the_same_seeds_give_the_same_bits_on_a_device():
    game, settings, tuples = small("connectfour", "td", 2000, seed=1, td={"epsilon": 0.1})
    seeds = [settings.model_copy(update={"seed": seed, "threads": 1}) for seed in range(3)]
    runs = [Population(game, seeds, [tuples] * 3) for _ in "12"]
    for run in runs:
        run.learn(2000)
    first, second = ([run.tables(k).copy_to_host().tobytes() for k in range(3)] for run in runs)
    assert first == second
    assert len(set(first)) == 3
