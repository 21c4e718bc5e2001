"""Regret matching in the simulator of numba-cuda: one JSON document, for test_gpu_regret.py.

NUMBA_ENABLE_CUDASIM=1 python tests/simulated_regret.py STORE
NUMBA_ENABLE_CUDASIM=1 python tests/simulated_regret.py FOLDER
"""

import hashlib
import json
import sys
import warnings
from pathlib import Path

import numpy as np

import tafl
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.gpu_executor import GpuExecutor
from tafl.training.gpu_training import populate
from tafl.training.plan import make_plan, option_tree, prepare
from tafl.training.progress import Progress
from tafl.training.regret_learner import RegretLearner
from tafl.training.seed_runs import create_seeds, seed_folders, train_seeds
from tafl.training.training import resume

GAME = "kuhn(players=3)"


def compared(store: str, device: str = "cpu") -> list[dict]:
    """Agents side by side with other seeds and settings, beside each of them on the CPU."""
    game, found = tafl.game(GAME), []
    settings = [
        compose(
            game,
            overrides={
                "seed": seed,
                "episodes": 60,
                "regret": {"states": 100, "store": store, "alpha": 0.1 / seed},
                "td": {"farl_others": seed != 2},
            },
        )
        for seed in (1, 2, 3)
    ]
    tuples = [make_plan(game, one).tuples for one in settings]
    together = populate(game, settings, tuples)
    together.learn(25)
    together.learn(35)
    for k, one in enumerate(settings):
        cpu = RegretLearner(game, one, tuples[k])
        cpu.learn(60)
        here, there = cpu.tensors(), together.member(k).tensors()
        found.append(
            {
                "moves": [cpu.moves, together.member(k).moves],
                "scores": [cpu.scores, together.member(k).scores],
                "rng": [str(here["rng.0"]), str(there["rng.0"])],
                "keys": [here["keys"].tolist(), there["keys"].tolist()],
                "regrets": float(here["regrets"].sum()),
                "difference": max(float(np.abs(here[n] - there[n]).max()) for n in TABLES),
            }
        )
    return found


TABLES = ("critic", "regrets", "average")


def resumed(folder: Path) -> dict:
    """Two seeds side by side, as long at once and in parts; and the CPU goes on with one."""
    changes = {"device": "cuda", "regret": {"states": 50}, "evaluation": {"every": 0}}
    ends = []
    for name, parts in (("straight", [40]), ("parts", [15, 40])):
        options = merged(option_tree(episodes=parts[0], seed=1), changes)
        several = create_seeds(prepare("kuhn", None, None, options), 2, folder / name)
        train_seeds(several, GpuExecutor(), Progress())
        for episodes in parts[1:]:
            for path in seed_folders(several):
                resume(path, episodes=episodes)
        ends.append([digest(path, 40) for path in seed_folders(several)])
    moved = resume(seed_folders(several)[0], episodes=60, device="cpu")
    return {"ends": ends, "moved": [moved.finished, moved.settings.device]}


def digest(path: Path, episode: int) -> str:
    """A hash of what a run had learned."""
    from safetensors.numpy import load_file  # not on every GPU machine

    arrays = load_file(path / "checkpoints" / f"episode-{episode:015}.safetensors")
    learned = b"".join(array.tobytes() for _, array in sorted(arrays.items()))
    return hashlib.sha256(learned).hexdigest()


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)  # the simulator's threads wait for each other all the time
    warnings.simplefilter("ignore")
    wanted = sys.argv[1]
    known = wanted in ("exact", "n-tuples")
    print(json.dumps(compared(wanted) if known else resumed(Path(wanted))))
