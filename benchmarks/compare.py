"""Which of two builds is faster? Runs `tafl bench` of both in alternation.

    python benchmarks/compare.py main .                       a git revision, the working tree
    python benchmarks/compare.py ../other-tree . connectfour  two source trees, one game
    python benchmarks/compare.py v0.1.0 main --rounds 10

Each measurement is a process of its own. Alternating cancels what changes slowly on a machine
(heat, other work); the spread of the ratios over the rounds says how much is left.
Each build keeps its compiled code in a cache of its own.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from io import BytesIO
from pathlib import Path

BENCH = ["-m", "tafl.cli.main", "bench"]


def source_tree(build: str, scratch: Path) -> Path:
    """The folder that holds a build's src/: the folder itself, or an unpacked git revision."""
    if (Path(build) / "src" / "tafl").is_dir():
        return Path(build).resolve()
    archive = subprocess.run(["git", "archive", build, "src"], capture_output=True, check=False)
    if archive.returncode != 0:
        sys.exit(f"compare: {build!r} is neither a folder with src/tafl nor a git revision")
    tree = scratch / build.replace("/", "-")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="data")
    return tree


def measure(tree: Path, cache: Path, games: list[str], seconds: float) -> dict[str, float]:
    """Moves per second of each game, measured by one process."""
    command = [sys.executable, *BENCH, *games, "--json", "--seconds", str(seconds)]
    environment = os.environ | {"PYTHONPATH": str(tree / "src"), "TAFL_CACHE_DIR": str(cache)}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"compare: {tree} failed:\n{run.stderr}")
    return {row["game"]: row["moves_per_second"] for row in json.loads(run.stdout)["games"]}


def report(builds: list[str], rates: list[list[dict[str, float]]]) -> None:
    """One line a game: median rates of both builds, median ratio and its spread over the rounds."""
    width = max(len(build) for build in builds) + 10
    names = "".join(f"{build:>{width}}" for build in builds)
    print(f"{'moves/s':14}{names}   ratio (lowest - highest)")
    for game in rates[0][0]:
        before, after = ([rate[game] for rate in rounds] for rounds in rates)
        ratios = [a / b for b, a in zip(before, after, strict=True)]
        medians = "".join(f"{statistics.median(r):>{width},.0f}" for r in (before, after))
        print(
            f"{game:14}{medians}   {statistics.median(ratios):.3f} "
            f"({min(ratios):.3f} - {max(ratios):.3f})"
        )


def main() -> None:
    """Reads the command line, measures in alternation, prints the table."""
    parser = argparse.ArgumentParser(description="Which of two builds is faster?")
    parser.add_argument("before", help="a source tree or a git revision")
    parser.add_argument("after", help="a source tree or a git revision")
    parser.add_argument("games", nargs="*", help="games to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="time per game and round")
    options = parser.parse_args()
    builds = [options.before, options.after]
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        trees = [source_tree(build, scratch) for build in builds]
        caches = [scratch / "cache-before", scratch / "cache-after"]
        rates: list[list[dict[str, float]]] = [[], []]
        for n in range(options.rounds):
            print(f"round {n + 1} of {options.rounds}", file=sys.stderr)
            for build in (0, 1) if n % 2 == 0 else (1, 0):
                rates[build].append(
                    measure(trees[build], caches[build], options.games, options.seconds)
                )
    report(builds, rates)


if __name__ == "__main__":
    main()
