"""A learner in the simulator of numba-cuda beside the CPU's: one JSON document, for test_gpu.py.

NUMBA_ENABLE_CUDASIM=1 python tests/simulated.py GAME ALGO EPISODES THREADS GAMES
"""

import json
import sys
import warnings

import numpy as np

import tafl
from signatures import SMALL
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.gpu import Member, Population
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

RANDOM = {"td": {"epsilon": 1.0, "epsilon_final": 1.0, "learn_from_random_moves": True}}


def compared(name: str, algo: str, episodes: int, threads: int, games: int) -> dict:
    """Half of the episodes on the CPU, half on the device, beside all of them on the CPU."""
    game = tafl.game(name)
    options = option_tree(algo=algo, seed=3, episodes=2 * episodes)
    tree = {"threads": games}
    settings = compose(game, "as-run", None, merged(options, merged(RANDOM, merged(SMALL, tree))))
    tuples = make_plan(game, settings).tuples
    cpu, half = (Learner(game, settings, tuples) for _ in "12")
    device = Member(Population(game, [settings], [tuples]))
    device.population.threads = threads
    half.learn(episodes)
    device.population.put(0, half.tensors())
    device.episode = half.episode
    device.learn(episodes)
    cpu.learn(episodes)
    cpu.learn(episodes)
    here, there = cpu.tensors(), device.tensors()
    return {
        "moves": [cpu.moves, device.moves],
        "scores": [cpu.scores, device.scores],
        "rng": [str(here["rng.0"]), str(there["rng.0"])],
        "names": [sorted(here), sorted(there)],
        "counts": [here["counts.0"].tolist(), there["counts.0"].tolist()],
        "used": int(np.count_nonzero(cpu.net.weights)),
        "difference": float(np.abs(here["weights"] - there["weights"]).max()),
    }


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)  # the simulator's threads wait for each other all the time
    warnings.simplefilter("ignore")
    print(json.dumps(compared(*sys.argv[1:3], *map(int, sys.argv[3:6]))))
