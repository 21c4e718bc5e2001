"""Kernels are compiled as one piece: with this version of Numba, and with the same results."""

import os
import subprocess
import sys
from pathlib import Path

import numba

import tafl
from planted import plant
from tafl.core.compile import cpu
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.play.perft import count_sequences, perft

SOURCE = Path(tafl.__file__).parent.parent

LEARN = """
import hashlib, sys
import numba
numba.__version__ = sys.argv[1] or numba.__version__
from tafl.core.compile import cpu
from tafl.training.learner import Learner
from tafl.training.plan import prepare

plan = prepare("tictactoe", None, None, {"episodes": 300})
learner = Learner(plan.game, plan.settings, plan.tuples)
learner.learn(300)
print(bool(cpu.PART), hashlib.sha256(learner.net.weights.tobytes()).hexdigest())
"""


def run(program, *arguments, cache):
    """What a program of its own prints."""
    home = {**os.environ, "PYTHONPATH": str(SOURCE), "TAFL_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_this_version_of_numba_is_known():
    assert numba.__version__.startswith(cpu.KNOWN), (
        "compiling takes twice as long: add this version to KNOWN in core/compile/cpu.py, "
        "and if the other tests here fail then, bring core/compile/pipeline.py up to date"
    )


def test_a_kernel_is_one_module_with_all_its_parts():
    """Machine code is made of nothing else, and the module can be compiled for other machines."""
    rules = TicTacToe()
    count_sequences.compiled(TicTacToe)._cache.disable()
    perft(rules, rules.facts(), 2)
    results = count_sequences.compiled(TicTacToe).overloads.values()
    code = next(iter(results)).library.get_llvm_str()
    defined = [line for line in code.splitlines() if line.startswith("define ")]
    assert len(defined) == 2, defined  # the kernel, and its wrapper for Python
    missing = [line for line in code.splitlines() if line.startswith("declare ") and "_ZN" in line]
    assert not missing


def test_unknown_versions_of_numba_give_the_same_results(tmp_path):
    known = run(LEARN, "", cache=tmp_path / "known")
    unknown = run(LEARN, "0.0.0", cache=tmp_path / "unknown")
    assert (known.split()[0], unknown.split()[0]) == ("True", "False")
    assert known.split()[1] == unknown.split()[1]


PRINT = """
import sys, tafl
from tafl.core.play.perft import perft

game = tafl.game(sys.argv[1])
perft(game.rules, game.facts, 2)
"""


def test_rules_that_print_do_so_compiled_and_from_the_cache(tmp_path):
    path = plant(
        tmp_path, ("        state[0] += 1\n", "        state[0] += 1\n        print('x')\n")
    )
    first = run(PRINT, path, cache=tmp_path / "cache")
    assert first == "x\n" * 16
    assert run(PRINT, path, cache=tmp_path / "cache") == first
