"""Learning on a GPU is the CPU's: the same rules and learners, and second bodies of primitives.

Without a GPU they run in plain Python as a block of one thread, in the simulator of numba-cuda with
several, and the compiler makes PTX of them. All moves are random, so that both play the same games.
"""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import tafl
from signatures import ALGOS, SMALL
from simulated import RANDOM, compared
from tafl.core.compile.translate import Copies
from tafl.core.games import GAMES
from tafl.core.learn.adapt import TD
from tafl.core.learn.population import population
from tafl.settings.build import build
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.gpu import Population, make_rows, sizes_of
from tafl.training.learner import KERNELS, Learner
from tafl.training.plan import make_plan, option_tree

HERE = Path(__file__).resolve().parent
# Q-learning draws lots among equal values. Those of symmetric moves are sums of the same weights in
# another order, so which of them are equal to the last bit is not the same here and there.
SAME_GAMES = [(n, algo) for n in GAMES for algo in ALGOS if (n, algo) != ("2048", "q")]
numba_cuda = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'tafl[gpu]'"
)


def small(name, algo, episodes=2, **options):
    """A small network that only moves at random."""
    game = tafl.game(name)
    tree = merged(option_tree(algo=algo, seed=3, episodes=episodes), merged(RANDOM, SMALL))
    settings = compose(game, "as-run", None, merged(tree, options))
    return game, settings, make_plan(game, settings).tuples


def block_of(game, settings, tuples, episodes):
    """A kernel and its arguments, for one block."""
    net, td, horizon = build(game, settings, tuples)
    rows = make_rows(game, net, horizon, Learner(game, settings, tuples).rngs[0])
    rows.episodes[0] = episodes
    one = net._replace(strides=net.strides[None], base=net.base[None], rate=net.rate[None])
    one = one._replace(rows=np.zeros(0, np.uint32))
    settled = TD(*(np.array([value]) for value in td))
    train = population(KERNELS[settings.algo], *sizes_of(game, net, horizon))
    return train, (game.rules, one, settled, rows, 1, net.weights.size, settings.episodes)


@pytest.mark.parametrize(("name", "algo"), SAME_GAMES)
def test_a_block_of_one_thread_learns_as_the_cpu_does(name, algo):
    game, settings, tuples = small(name, algo)
    cpu = Learner(game, settings, tuples)
    cpu.learn(2)
    train, arguments = block_of(game, settings, tuples, 2)
    with np.errstate(over="ignore"):
        Copies().copy(train)(*arguments)
    _, net, _, rows, *_ = arguments
    assert rows.totals[0] == pytest.approx(cpu.totals[0], rel=1e-12)
    assert rows.rng == cpu.rngs[0]
    assert rows.finished == [1]
    assert np.count_nonzero(net.weights) > 10
    assert net.weights == pytest.approx(cpu.net.weights, abs=1e-5, rel=1e-4)


@numba_cuda
@pytest.mark.parametrize(
    ("name", "algo"),
    [("tictactoe", "td"), ("tictactoe", "q"), ("nim3p", "td"), ("nim3p", "sarsa"), ("2048", "td")],
)
def test_the_simulator_learns_as_the_cpu_does_and_continues_its_training(name, algo):
    environment = os.environ | {
        "NUMBA_ENABLE_CUDASIM": "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    command = [sys.executable, str(HERE / "simulated.py"), name, algo, "1", "3", "1"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr[-2000:]
    found = json.loads(said.stdout)
    assert found["scores"][0] == pytest.approx(found["scores"][1], rel=1e-12)
    for key in ("moves", "rng", "names", "counts"):
        assert found[key][0] == found[key][1], key
    assert found["used"] > 10
    assert found["difference"] < 1e-4


def has_compiler():
    """Is NVIDIA's compiler installed?"""
    try:
        from numba.cuda.cudadrv.nvvm import NVVM

        return bool(NVVM())
    except Exception:
        return False


@numba_cuda
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("algo", ALGOS)
@pytest.mark.parametrize("name", GAMES)
def test_kernels_compile_for_every_game_and_learner(name, algo, shared):
    if shared and (name, algo) != ("tictactoe", "td"):
        pytest.skip("one kernel with shared tables is enough")
    if not has_compiler():
        pytest.skip("NVIDIA's compiler is not installed: pip install 'tafl[gpu]'")
    from tafl.core.compile import cuda

    train, arguments = block_of(*small(name, algo), 1)
    ptx = cuda.compile_ptx(train, shared, arguments)
    assert ".visible .entry" in ptx
    assert bool(re.search(r"\s(atom|red)\.", ptx)) == shared


@pytest.mark.gpu
@pytest.mark.parametrize(("name", "algo"), SAME_GAMES)
def test_a_device_learns_as_the_cpu_does(name, algo):
    found = compared(name, algo, 1, 96, 1)
    assert found["moves"][0] == found["moves"][1]
    assert found["rng"][0] == found["rng"][1]
    assert found["difference"] < 1e-3


@pytest.mark.gpu
def test_the_same_seeds_give_the_same_bits_on_a_device():
    game, settings, tuples = small("connectfour", "td", 2000, seed=1, td={"epsilon": 0.1})
    seeds = [settings.model_copy(update={"seed": seed}) for seed in range(3)]
    runs = [Population(game, seeds, [tuples] * 3) for _ in "12"]
    for run in runs:
        run.learn(2000)
    first, second = ([run.tables(k).copy_to_host().tobytes() for k in range(3)] for run in runs)
    assert first == second
    assert len(set(first)) == 3
