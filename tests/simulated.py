"""Learning in the simulator of numba-cuda: one JSON document, for test_gpu.py.

NUMBA_ENABLE_CUDASIM=1 python tests/simulated.py GAME ALGO EPISODES THREADS GAMES
NUMBA_ENABLE_CUDASIM=1 python tests/simulated.py FOLDER
"""

import hashlib
import json
import signal
import sys
import warnings
from pathlib import Path

import numpy as np

import tafl
from signatures import SMALL
from tafl.runs.run import Run
from tafl.settings.presets import compose, presets_of
from tafl.settings.tables import merged
from tafl.training.gpu import Member, Population
from tafl.training.gpu_executor import GpuExecutor, opened
from tafl.training.gpu_training import GpuTraining
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree, prepare
from tafl.training.progress import Progress
from tafl.training.seed_runs import create_seeds, seed_folders, train_seeds
from tafl.training.stop import Stopped, StopSignal
from tafl.training.training import resume

RANDOM = {"td": {"epsilon": 1.0, "epsilon_final": 1.0, "learn_from_random_moves": True}}


def preset_of(game: tafl.Game) -> str | None:
    """What the paper's authors ran; the other games have default settings."""
    return "as-run" if "as-run" in presets_of(game) else None


def compared(name: str, algo: str, episodes: int, threads: int, games: int) -> dict:
    """Half of the episodes on the CPU, half on the device, beside all of them on the CPU."""
    game = tafl.game(name)
    options = option_tree(algo=algo, seed=3, episodes=2 * episodes)
    tree = {"threads": games}
    if "2048" in name:
        tree |= {"start": {"again": 1.0}}
        tree |= {"td": {"backward": 7}} if algo == "td" else {}
    changes = merged(options, merged(RANDOM, merged(SMALL, tree)))
    settings = compose(game, preset_of(game), None, changes)
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


class AfterOneBlock(StopSignal):
    """A signal that comes while the first block is played."""

    def __init__(self, learner):
        super().__init__()
        self.learner = learner

    @property
    def number(self):
        return signal.SIGTERM if self.learner.episode else 0

    @number.setter
    def number(self, number):
        pass


def resumed(folder: Path) -> dict:
    """Two seeds side by side, straight on and stopped in between; and moved to the CPU."""
    changes = {"device": "cuda", "threads": 1, "evaluation": {"every": 3, "games": 2}}
    options = merged(option_tree(episodes=6, seed=1), merged(SMALL, changes))
    plan = prepare("nim(stones=2)", "as-run", None, options)
    straight, halted = (create_seeds(plan, 2, folder / name) for name in ("straight", "halted"))
    runs = [opened(path) for path in seed_folders(halted)]
    first = GpuTraining([r.run for r in runs], [r.tuples for r in runs], [Progress()] * 2)
    first.take_up(None, None)
    stopped = False
    try:
        first.go(AfterOneBlock(first.learner))
    except Stopped:
        stopped = True
    at = first.learner.episode
    for several in (straight, halted):
        executor = GpuExecutor()
        train_seeds(several, executor, Progress())
    moved = seed_folders(halted)[0]
    longer = resume(moved, episodes=50, device="cpu")
    ends = [[end_of(path) for path in seed_folders(several)] for several in (straight, halted)]
    return {
        "stopped": [stopped, at],
        "straight": ends[0],
        "halted": ends[1],
        "metrics": [
            [line["episode"] for line in Run.open(path).metrics] for path in seed_folders(straight)
        ],
        "environment": Run.open(moved).environment,
        "moved": [longer.finished, longer.settings.device],
    }


def end_of(path: Path) -> str:
    """A hash of what a run had learned after six episodes."""
    file = path / "checkpoints" / "episode-000000000000006.safetensors"
    run = Run.open(path)
    plan = make_plan(run.game, run.settings.model_copy(update={"device": "cpu"}))
    learner = Learner(run.game, plan.settings, plan.tuples)
    learner.read(file)
    arrays = b"".join(array.tobytes() for _, array in sorted(learner.tensors().items()))
    return hashlib.sha256(arrays).hexdigest()


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)  # the simulator's threads wait for each other all the time
    warnings.simplefilter("ignore")
    if len(sys.argv) == 2:
        print(json.dumps(resumed(Path(sys.argv[1]))))
    else:
        print(json.dumps(compared(*sys.argv[1:3], *map(int, sys.argv[3:6]))))
