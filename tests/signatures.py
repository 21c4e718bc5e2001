"""One number for what learning does: every algorithm, game, FARL on and off, two seeds.

    python tests/signatures.py      writes tests/data/signatures.json

A change of learning changes signatures, and the commit that makes it updates them; a change
that should not alter learning leaves them as they are. Bits of machine code depend on the processor
and on the compiler, so the table has one column for each pair of them, and a test compares its own.
The column `python` is of uncompiled kernels, fewer episodes: the same on every machine. The others
differ from it in last bits, for machine code multiplies and adds in one step.
"""

import hashlib
import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path

import llvmlite.binding
import numba
import numpy as np

import tafl
from tafl.core.games import PAPER
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

PYTHON = "python"
STORE = Path(__file__).resolve().parent / "data" / "signatures.json"
ALGOS = ("td", "sarsa", "q")
SEEDS = (1, 2)
SMALL = {"network": {"tuples": "random-walk", "number": 4, "length": 3}}  # any board has 3 cells


def machine() -> str:
    """Return what bits depend on besides the sources."""
    return f"{llvmlite.binding.get_host_cpu_name()}, numba {numba.__version__}"


def signature(name: str, algo: str, farl: bool, seed: int, compiled: bool) -> str:
    """Return a hash of the tables after some episodes on a small network."""
    game = tafl.game(name)
    long = name in ("2048", "othello")
    episodes = (5 if name == "2048" else 200) if compiled else (1 if long else 10)
    options = option_tree(algo=algo, farl=farl, seed=seed, episodes=episodes)
    settings = compose(game, "as-run", None, merged(options, SMALL))
    learner = Learner(game, settings, make_plan(game, settings).tuples)
    if not compiled:
        learner.kernel = learner.kernel.python
    with np.errstate(over="ignore"):
        learner.learn(episodes)
    return hashlib.sha256(learner.tensors()["weights"].tobytes()).hexdigest()[:12]


def signatures(name: str, compiled: bool = True, algos: Iterable[str] = ALGOS) -> dict[str, str]:
    """Return the signatures of one game, by default of all algorithms."""
    found = {}
    for algo, farl, seed in product(algos, (True, False), SEEDS):
        key = f"{name} {algo} {'farl' if farl else 'no-farl'} {seed}"
        found[key] = signature(name, algo, farl, seed, compiled)
    return found


def table_of(compiled: bool) -> dict[str, str]:
    """Return the signatures of all games."""
    return {key: value for name in PAPER for key, value in signatures(name, compiled).items()}


if __name__ == "__main__":
    table = json.loads(STORE.read_text()) if STORE.exists() else {}
    table |= {machine(): table_of(compiled=True), PYTHON: table_of(compiled=False)}
    STORE.write_text(json.dumps(table, indent=1) + "\n")
