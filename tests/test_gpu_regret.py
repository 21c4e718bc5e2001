"""Regret matching on a GPU is the CPU's, agent by agent; without one, in numba-cuda's simulator."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tafl
from tafl.errors import FullStore, InputError
from tafl.settings.presets import compose
from tafl.training.gpu_training import populate

HERE = Path(__file__).resolve().parent
numba_cuda = pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'tafl[gpu]'"
)


def simulated(wanted):
    """What tests/simulated_regret.py says."""
    path = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": path}
    command = [sys.executable, str(HERE / "simulated_regret.py"), str(wanted)]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr[-2000:]
    return json.loads(said.stdout)


def check_equal(found):
    for one in found:
        for name in ("moves", "rng", "keys"):
            assert one[name][0] == one[name][1], name
        assert one["scores"][0] == pytest.approx(one["scores"][1])
        assert one["regrets"] > 1
        assert one["difference"] < 1e-9
    assert len({one["moves"][0] for one in found}) > 1


@numba_cuda
@pytest.mark.parametrize("store", ["exact", "n-tuples"])
def test_agents_side_by_side_learn_as_on_the_cpu(store):
    check_equal(simulated(store))


@numba_cuda
def test_runs_go_on_to_the_same_bits_and_move_to_the_cpu(tmp_path):
    found = simulated(tmp_path)
    straight, parts = found["ends"]
    assert straight == parts
    assert len(set(straight)) == 2
    assert found["moved"] == [True, "cpu"]


def test_settings_of_a_gpu():
    game = tafl.game("kuhn")
    assert compose(game, overrides={"device": "cuda"}).threads == 1
    with pytest.raises(InputError, match="threads = 4: must be 1 with regret and device = cuda"):
        compose(game, overrides={"device": "cuda", "threads": 4})


@pytest.mark.gpu
@pytest.mark.parametrize("store", ["exact", "n-tuples"])
def test_a_device_learns_as_the_cpu_does(store):
    from simulated_regret import compared

    check_equal(compared(store))


@pytest.mark.gpu
def test_a_device_learns_every_game_with_hidden_information():
    for name in ("leduc", "liarsdice(sides=3)", "phantom", "hearts", "hearts(players=4)"):
        game = tafl.game(name)
        settings = compose(game, overrides={"episodes": 200, "device": "cuda"})
        agents = populate(game, [settings], [[]])
        agents.learn(200)
        assert agents.member().moves >= 200


@pytest.mark.gpu
def test_a_store_that_is_too_small_on_a_device():
    game = tafl.game("kuhn")
    settings = compose(game, overrides={"device": "cuda", "regret": {"states": 5}})
    with pytest.raises(FullStore, match=r"regret\.states = 5; raise it"):
        populate(game, [settings], [[]]).learn(1000)
