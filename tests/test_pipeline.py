"""Kernels are compiled as one piece: with this version of Numba, and with the same results."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

import tafl
from long import long
from planted import plant
from tafl.core.compile import cpu

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


def run(program, *arguments, cache=None):
    """What a program of its own prints; its machine code is that of all tests, or in a cache."""
    home = {**os.environ, "PYTHONPATH": str(SOURCE)}
    home |= {"TAFL_CACHE_DIR": str(cache)} if cache else {}
    command = [sys.executable, "-c", program, *map(str, arguments)]
    done = subprocess.run(command, env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_this_version_of_numba_is_known():
    assert numba.__version__.startswith(cpu.KNOWN), (
        "compiling takes twice as long: add this version to KNOWN in core/compile/cpu.py, "
        "and if the other tests here fail then, bring core/compile/pipeline.py up to date"
    )


MODULE = """
import tafl
from tafl.core.play.perft import count_sequences, perft

game = tafl.game("tictactoe")
perft(game.rules, game.facts, 2)
(result,) = count_sequences.compiled(type(game.rules)).overloads.values()
print(result.library.get_llvm_str())
"""


def test_a_kernel_is_one_module_with_all_its_parts(tmp_path):
    """Machine code is made of nothing else, and the module can be compiled for other machines."""
    code = run(MODULE, cache=tmp_path).splitlines()  # nothing is in the cache: it is compiled
    defined = [line for line in code if line.startswith("define ")]
    assert len(defined) == 2, defined  # the kernel, and its wrapper for Python
    assert not [line for line in code if line.startswith("declare ") and "_ZN" in line]


COUNT = """
import sys
import numba
numba.__version__ = sys.argv[1] or numba.__version__
import tafl
from tafl.core.compile import cpu
from tafl.core.play.perft import perft

game = tafl.game("tictactoe")
print(bool(cpu.PART), perft(game.rules, game.facts, 4))
"""


@pytest.mark.parametrize("program", [COUNT, long(LEARN)], ids=["count", "learn"])
def test_unknown_versions_of_numba_give_the_same_results(program, tmp_path):
    known = run(program, "")
    unknown = run(program, "0.0.0", cache=tmp_path)
    assert (known.split()[0], unknown.split()[0]) == ("True", "False")
    assert known.split()[1:] == unknown.split()[1:]


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
