"""Measure regret matching on a GPU: moves a second of all agents together, beside one core.

python -m benchmarks.gpu_regret [FILE]      writes JSON; without a file into benchmarks/results
"""

import json
import sys
import time
from pathlib import Path

import tafl
from benchmarks.store import store
from tafl.settings.presets import compose
from tafl.training.device import device_code
from tafl.training.gpu_training import populate
from tafl.training.regret_learner import RegretLearner

GAMES = {"kuhn": 12, "leduc": 288}  # information states
AGENTS = (1, 128, 2_048, 16_384)
EPISODES, TRIED = 2_000, 200_000  # of each agent; on one core


def measure(name: str, states: int) -> dict[str, float]:
    """Return moves a second, by the number of agents; 0 stands for one core of the CPU."""
    game, found = tafl.game(name), {}
    first = compose(game, overrides={"seed": 1, "regret": {"states": states}})
    core = RegretLearner(game, first, [])
    core.learn(1_000)
    began, moves = time.process_time(), core.moves
    core.learn(TRIED)
    found["0"] = (core.moves - moves) / (time.process_time() - began)
    for agents in AGENTS:
        settings = [first.model_copy(update={"seed": 1 + k}) for k in range(agents)]
        together = populate(game, settings, [[]] * agents)
        together.learn(100)
        began, before = time.perf_counter(), float(together.rows.totals[:, 0].sum())
        together.learn(EPISODES)
        moves = float(together.rows.totals[:, 0].sum()) - before
        found[str(agents)] = moves / (time.perf_counter() - began)
        print(name, agents, f"{found[str(agents)]:,.0f} moves/s", flush=True)
    return found


if __name__ == "__main__":
    measured = {"device": device_code().device_name()}
    measured |= {name: measure(name, states) for name, states in GAMES.items()}
    if sys.argv[1:]:
        Path(sys.argv[1]).write_text(json.dumps(measured, indent=1))
    else:
        store("gpu_regret", measured)
