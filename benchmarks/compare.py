"""Measure which of two builds is faster: both do the same work in turn, in processor time.

    python -m benchmarks.compare main .                        a git revision, the working tree
    python -m benchmarks.compare ../other-tree . connectfour   two source trees, one game
    python -m benchmarks.compare v0.1.0 main 2048:td othello:mcts --rounds 30

What is measured is GAME:KIND, where a kind is a learner (td, sarsa, q; with the paper's settings,
moves a second), mcts (simulations a second) or expectimax (searches a second, for games of chance);
GAME alone stands for all kinds, nothing for all games of the paper. Each build is one process with
a cache of its own. Alternating short pieces of the same work cancels what changes slowly on a
machine (heat, others); the interval is that of the median ratio, 95 %. `same bits` says whether
both builds ended with the same weights.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from io import BytesIO
from pathlib import Path
from typing import Any

LEARNERS = ("td", "sarsa", "q")
SEARCH = {"mcts": "mcts(iterations=2000)", "expectimax": "expectimax(depth=3)"}
WARM_UP = 5_000  # episodes: an empty network is faster
UNITS = {"mcts": 2_000, "expectimax": 1}  # of a search
Pair = tuple[float, float]


def work() -> None:
    """Serve as the process of one build: do as many pieces of work as it is told.

    Answer with what was done (moves, simulations), the time it took, and a hash of the weights.
    """
    import tafl
    from tafl.settings.presets import compose
    from tafl.training.learner import Learner
    from tafl.training.plan import make_plan, option_tree

    for line in sys.stdin:
        name, kind, pieces = json.loads(line)
        if name is not None:
            learner, game = None, tafl.game(name)
            unit = UNITS.get(kind, 0)
            if kind in SEARCH:
                agent, state = tafl.agent(SEARCH[kind], game), game.start()
                agent.act(state)  # compiles
            else:
                plan = make_plan(game, compose(game, None, None, option_tree(algo=kind)))
                learner = Learner(game, plan.settings, plan.tuples)
                learner.learn(WARM_UP if kind == "td" else WARM_UP // 10)
        before, began = learner.moves if learner else 0, time.process_time()
        if learner:
            learner.learn(pieces)
        else:
            for _ in range(pieces):
                agent.act(state)
        passed = time.process_time() - began
        done = learner.moves - before if learner else pieces * unit
        bits = ""
        if learner and pieces == 0:
            bits = hashlib.sha1(learner.tensors()["weights"]).hexdigest()
        print(json.dumps([done, passed, bits]), flush=True)


class Build:
    """One build at work in a process of its own."""

    def __init__(self, build: str, scratch: Path, cache: str):
        tree = source_tree(build, scratch)
        kept = {"PYTHONPATH": str(tree / "src"), "TAFL_CACHE_DIR": str(scratch / cache)}
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work"],
            env=os.environ | kept,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, pieces: int, name: str | None = None, kind: str = "") -> tuple[int, float, str]:
        """Let it work; on something else than before, if a name is given."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([name, kind, pieces]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit("compare: a build failed")
        answer: tuple[int, float, str] = tuple(json.loads(line))
        return answer


def source_tree(build: str, scratch: Path) -> Path:
    """Return the folder that holds a build's src/: itself, or an unpacked git revision."""
    if (Path(build) / "src" / "tafl").is_dir():
        return Path(build).resolve()
    archive = subprocess.run(["git", "archive", build, "src"], capture_output=True, check=False)
    if archive.returncode != 0:
        sys.exit(f"compare: {build!r} is neither a folder with src/tafl nor a git revision")
    tree = scratch / build.replace("/", "-")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="data")
    return tree


def interval(ratios: list[float]) -> Pair:
    """Return a 95 % confidence interval of the median, from ranks.

    >>> interval([float(n) for n in range(1, 31)])
    (10.0, 21.0)
    """
    n = len(ratios)
    k = max(0, int((n - 1.96 * n**0.5) / 2))
    return sorted(ratios)[k], sorted(ratios)[n - 1 - k]


def compare(
    builds: list[Build], name: str, kind: str, rounds: int, seconds: float
) -> dict[str, Any]:
    """Return the rates of both builds, the median ratio and its interval."""
    for build in builds:
        build.do(0, name, kind)
    pieces = 1
    while (spent := builds[0].do(pieces)[1]) < seconds / 4:
        builds[1].do(pieces)
        pieces *= 2
    builds[1].do(pieces)
    pieces = max(1, round(pieces * seconds / spent))
    rates: list[Pair] = []
    for n in range(rounds):
        pair: dict[int, Any] = {b: builds[b].do(pieces) for b in ((0, 1) if n % 2 == 0 else (1, 0))}
        rates.append((pair[0][0] / pair[0][1], pair[1][0] / pair[1][1]))
    before, after = (statistics.median(rate) for rate in zip(*rates, strict=True))
    ratios = [b / a for a, b in rates]
    low, high = interval(ratios)
    bits = [build.do(0)[2] for build in builds]
    return {
        "what": f"{name}:{kind}",
        "before": round(before),
        "after": round(after),
        "ratio": statistics.median(ratios),
        "interval": (low, high),
        "same_bits": None if kind in SEARCH else bits[0] == bits[1],
    }


def line(row: dict[str, Any]) -> str:
    """Return a line of the table."""
    low, high = row["interval"]
    same = {None: "", True: "same bits", False: "OTHER BITS"}[row["same_bits"]]
    rates = f"{row['before']:>14,}{row['after']:>14,}{row['ratio']:>8.3f}"
    return f"{row['what']:18}{rates}  ({low:.3f} - {high:.3f})  {same}"


def main() -> None:
    """Read the command line, measure in turn, print the table."""
    parser = argparse.ArgumentParser(description="Which of two builds is faster?")
    parser.add_argument("before", help="a source tree or a git revision")
    parser.add_argument("after", help="a source tree or a git revision")
    parser.add_argument("works", nargs="*", help="GAME or GAME:KIND (default: all of the paper)")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.3, help="time per piece of work")
    parser.add_argument(
        "--store", action="store_true", help="store the rows for docs/science/speed.md"
    )
    options = parser.parse_args()
    from benchmarks.store import store, stored  # a worker has tafl of another build
    from tafl.core.games import PAPER

    works = []
    for work in options.works or PAPER:
        name, _, kind = work.partition(":")
        chance = ["expectimax"] if name == "2048" else []
        works += [(name, k) for k in ([kind] if kind else [*LEARNERS, "mcts", *chance])]
    with tempfile.TemporaryDirectory() as folder:
        builds = [
            Build(build, Path(folder), f"cache-{number}")
            for number, build in enumerate((options.before, options.after))
        ]
        print(f"{'':18}{'before':>14}{'after':>14}{'ratio':>8}")
        rows = {row["what"]: row for row in stored("compare", [])}
        for name, kind in works:
            row = compare(builds, name, kind, options.rounds, options.seconds)
            rows[row["what"]] = row
            print(line(row), flush=True)
            if options.store:
                store("compare", list(rows.values()))
        for build in builds:
            build.process.communicate()


if __name__ == "__main__":
    work() if "--work" in sys.argv else main()
