"""Measure what the time of learning is spent on: shares of a move's time.

    python -m benchmarks.costs [GAME ...]     Linux; needs perf and addr2line

A kernel is one piece of machine code with everything inlined. It is compiled here with tables of
source lines, which leaves its code as fast as it is; `perf` notes thousands of times a second where
it is, and from the lines of the functions that were inlined there follows what it is doing.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cache
from pathlib import Path

GAMES = ("tictactoe", "connectfour", "hex", "othello", "nim", "nim3p", "2048")
EPISODES, SECONDS, RATE = 3_000, 6.0, 15_000  # before; measured; samples a second
# What a function does, for the innermost one that is named here.
PARTS = {
    "legal actions": {"legal_actions", "random_action"},
    "afterstates": {"try_action", "make_candidates", "make_action", "begin"},
    "indices": {"index_change", "index_state", "copy_code", "keep_code"},
    "asking for weights": {"fetch"},
    "sums of weights": {"activation", "activate"},
    "comparing values": {"expect", "highest", "squash", "greedy", "choose"},
    "distinct positions": {"distinct"},
    "changing weights": {"change", "adapt"},
}
REST = "the rest"


def work(game: str, data: str) -> None:
    """Learn while perf looks on; write the code and where it lies."""
    with_lines()
    import tafl
    from tafl.core.learn.td import train_td
    from tafl.settings.presets import compose
    from tafl.training.learner import Learner
    from tafl.training.plan import make_plan, option_tree

    rules = tafl.game(game)
    plan = make_plan(rules, compose(rules, None, None, option_tree(algo="td")))
    learner = Learner(rules, plan.settings, plan.tuples)
    learner.learn(EPISODES)
    began = time.process_time()
    learner.learn(EPISODES // 10)
    piece = max(1, int(EPISODES / 100 / (time.process_time() - began)))  # a tenth of a second
    words = ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(RATE), "-o", f"{data}/perf"]
    perf = subprocess.Popen([*words, "-p", str(os.getpid())])
    time.sleep(0.5)
    before, began = learner.moves, time.process_time()
    while time.process_time() - began < SECONDS:
        learner.learn(piece)
    rate = (learner.moves - before) / (time.process_time() - began)
    perf.terminate()
    perf.wait()
    compiled = next(iter(train_td.compiled(type(rules.rules)).overloads.values()))
    name = compiled.fndesc.llvm_func_name
    Path(f"{data}/object").write_bytes(compiled.library._get_compiled_object())
    print(json.dumps([rate, compiled.library.get_pointer_to_function(name)]))


def with_lines() -> None:
    """Let Numba write tables of lines and nothing else that helps a debugger."""
    from numba.core import lowering
    from numba.core.typed_passes import NativeLowering

    plain = NativeLowering.run_pass

    def run_pass(self, state):
        state.flags.dbg_directives_only = True
        return plain(self, state)

    NativeLowering.run_pass = run_pass
    # as a function's own; Numba would look for the first statement after a docstring
    lowering.BaseLower._compute_def_location = lambda self: self.func_ir.loc


@cache
def functions(file: str) -> list[tuple[int, int, str]]:
    """Return the first and last lines of the functions of a file."""
    if not Path(file).is_file():
        return []
    nodes = ast.walk(ast.parse(Path(file).read_text()))
    return [(n.lineno, n.end_lineno or 0, n.name) for n in nodes if isinstance(n, ast.FunctionDef)]


def part(frames: list[str]) -> str:
    """Return what the innermost known function of a stack of FILE:LINE does."""
    for frame in frames:
        file, _, line = frame.partition(" ")[0].rpartition(":")
        if line.isdigit():
            for first, last, name in functions(file):
                if first <= int(line) <= last:
                    for what, names in PARTS.items():
                        if name in names:
                            return what
    return REST


def samples(data: str, start: int) -> Counter[int]:
    """Return how often the kernel was seen at which place of its code."""
    words = ["perf", "script", "-i", f"{data}/perf", "-F", "ip"]
    seen = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    places = Counter(int(ip, 16) - start for ip in seen)
    size = Path(f"{data}/object").stat().st_size
    return Counter({place: n for place, n in places.items() if 0 <= place < size})


def profile(game: str) -> dict:
    """Return the moves a second and the shares of a game."""
    with tempfile.TemporaryDirectory() as data:
        kept = {"NUMBA_DEBUGINFO": "1", "TAFL_CACHE_DIR": f"{data}/cache"}
        command = [sys.executable, __file__, "--work", game, data]
        run = subprocess.run(command, env=os.environ | kept, stdout=subprocess.PIPE, check=True)
        rate, start = json.loads(run.stdout)
        places = samples(data, start)
        asked = "\n".join(hex(place) for place in places)
        words = ["addr2line", "-a", "-i", "-e", f"{data}/object"]
        lines = subprocess.run(words, input=asked, capture_output=True, text=True, check=True)
    shares: Counter[str] = Counter()
    for block in lines.stdout.split("0x")[1:]:
        place, *frames = block.splitlines()
        shares[part(frames)] += places[int(place, 16)]
    total = sum(shares.values())
    found = {what: round(shares[what] / total, 3) for what in [*PARTS, REST]}
    return {"moves_per_second": round(rate), "samples": total, "shares": found}


def main() -> None:
    """Measure the games named, or all."""
    from benchmarks.store import store, stored
    from tafl.runs.folder import environment

    found = stored("costs", {"games": {}})
    found["processor"] = environment()["processor"]
    for game in sys.argv[1:] or GAMES:
        found["games"][game] = profile(game)
        print(game, json.dumps(found["games"][game]), flush=True)
        store("costs", found)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(*sys.argv[2:])
    else:
        main()
