"""Measure the speed of learning, of search and of starts: docs/science/speed.md.

    python -m benchmarks.speed run       measures and stores (about five minutes)
    python -m benchmarks.speed report    writes docs/science/speed.md from that and other results

Time is that of the processor everywhere, so that other work on the machine matters little.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import threads
from benchmarks.store import store, stored
from studies.pages import DOCS, write_page
from tafl.reproduction.cells import markdown_table
from tafl.runs.folder import environment

WORDS = Path(__file__).with_suffix(".md")
ALGOS = ("td", "sarsa", "q")
STARTED = ("mygame.py", "tictactoe", "connectfour", "othello", "2048")
WARM = 5  # starts with machine code in the cache
# A command that ends when its first episode has.
FIRST = """
import os, sys
from tafl.cli.main import main
from tafl.training.learner import Learner

def learn(self, episodes, whole=Learner.learn):
    whole(self, episodes)
    os._exit(0)

Learner.learn = learn
main(sys.argv[1:])
"""


def bench(*words: str) -> dict:
    """Return what `tafl bench` prints."""
    command = [sys.executable, "-m", "tafl", "bench", *words, "--json"]
    found: dict = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def first_episode(game: str, folder: Path) -> float:
    """Return the processor time from the start of `tafl train` to its first episode's end."""
    out = tempfile.mkdtemp(dir=folder)
    words = ["train", game, "--episodes", "1", "--out", f"{out}/run"]
    kept = {"TAFL_CACHE_DIR": str(folder / "cache"), "TAFL_DATA_DIR": str(folder / "data")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", FIRST, *words]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | kept)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def starts() -> dict[str, dict[str, float]]:
    """Measure starts with an empty cache, and with what was compiled then."""
    found = {}
    for game in STARTED:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if game.endswith(".py"):
                words = ["new-game", "mygame", "--out", f"{name}/{game}"]
                make = [sys.executable, "-m", "tafl", *words]
                subprocess.run(make, check=True, capture_output=True)
            path = f"{name}/{game}" if game.endswith(".py") else game
            cold = first_episode(path, folder)
            warm = [first_episode(path, folder) for _ in range(WARM)]
            found[game] = {"cold": cold, "warm": statistics.median(warm)}
    return found


def run() -> None:
    """Measure everything."""
    found = {
        "environment": environment(),
        "learning": {algo: bench("--algo", algo)["games"] for algo in ALGOS},
        "search": bench("--search")["games"],
        "starts": starts(),
    }
    del found["environment"]["command"]
    store("speed", found)


def learning(found: dict) -> str:
    """Return the moves per second of all games and learners."""
    rows = []
    for k, row in enumerate(found["learning"]["td"]):
        rates = [found["learning"][algo][k]["moves_per_second"] for algo in ALGOS]
        searched = found["search"][k]["simulations_per_second"]
        cost = f"{1e9 / rates[0]:,.0f} ns"
        name = row["game"].partition("(")[0]
        rows.append([name, *(f"{rate:,}" for rate in rates), cost, f"{searched:,}"])
    columns = ["game", "TD: moves/s", "SARSA: moves/s", "Q: moves/s", "TD: time per move"]
    return markdown_table([*columns, "`mcts`: simulations/s"], rows)


def costs() -> str:
    """Return shares of a move's time."""
    games = stored("costs")["games"]
    parts = list(next(iter(games.values()))["shares"])
    rows = [
        [part, *(f"{100 * game['shares'][part]:.0f} %" for game in games.values())]
        for part in parts
    ]
    return markdown_table(["step", *games], rows)


def ratio(row: dict) -> str:
    """Return a ratio and its interval."""
    low, high = row["interval"]
    return f"{row['ratio']:.2f} ({low:.2f} - {high:.2f})"


def peers() -> str:
    """Return the speed of 2048 beside TDL2048+."""
    rows = [
        [row["program"], f"{row['theirs']:,}", f"{row['ours']:,}", ratio(row)]
        for row in stored("tdl2048")["beside"]
    ]
    return markdown_table(["build", "its moves/s", "tafl: moves/s", "ratio"], rows)


def listed() -> str:
    """Return the speed of games with many actions, without and with a list of moves."""
    rows = [
        [
            *(name, f"{game['actions']:,}", f"{game['before']:,}", f"{game['after']:,}"),
            *(ratio(game), f"{game['game_before']:.2f} s", f"{game['game_after']:.2f} s"),
        ]
        for name, game in stored("moves")["games"].items()
    ]
    columns = ["game", "actions", "moves/s of td, without", "with", "ratio"]
    return markdown_table([*columns, "a game, without", "with"], rows)


def compared() -> str:
    """Return the speed of this build and an earlier one."""
    rows = [
        [row["what"], f"{row['before']:,}", f"{row['after']:,}", ratio(row)]
        for row in stored("compare")
    ]
    return markdown_table(["game and kind", "before", "now", "ratio"], rows)


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    found = stored("speed")
    soon = [[g, f"{t['cold']:.1f} s", f"{t['warm']:.2f} s"] for g, t in found["starts"].items()]
    values = {
        "machine": found["environment"]["processor"],
        "learning": learning(found),
        "starts": markdown_table(["game", "nothing compiled", "from the cache"], soon),
        "threads": threads.report(),
        "costs": costs(),
        "peers": peers(),
        "compare": compared(),
        "moves": listed(),
    }
    return [
        write_page(
            docs / "science" / "speed.md", WORDS, "python -m benchmarks.speed report", values
        )
    ]


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        run()
    elif sys.argv[1:] == ["report"]:
        write()
    else:
        sys.exit(__doc__)
