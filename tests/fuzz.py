"""Attacks on everything around training, with a seed: what is tried, and what came of it.

    python tests/fuzz.py --minutes 30 --seed 1            a table
    python tests/fuzz.py --minutes 30 --seed 1 --write    the table in docs/reference/trust.md, too

The attacks are in tests/attacks. Two processes make tries until the time is over, of each kind in
proportion to what is aimed at; test_fuzz.py makes a few of each.
"""

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from attacks import OK
from attacks.damage import flip, truncate
from attacks.hostile import hostile
from attacks.kills import kill, left_behind
from attacks.lines import agent_text, command_line
from attacks.painted import terminal
from attacks.speech import board, engine, environment

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "trust.md"
BEGIN, END = "<!-- fuzz -->\n", "<!-- end of fuzz -->\n"
PROCESSES = 2


class Attack(NamedTuple):
    """One kind of try, how many of them are aimed at in half an hour, and what is withstood."""

    one: Callable[[random.Random], str]
    tries: int
    withstood: str


ATTACKS = {
    "`kill -9`, then again": Attack(kill, 300, "nothing lost, the same result"),
    "killed with its processes": Attack(left_behind, 100, "no process left"),
    "a flipped bit": Attack(flip, 2000, "found, or the same result"),
    "a file cut short": Attack(truncate, 500, "found, or the same result"),
    "a command line": Attack(command_line, 10_000, "exit code 0, 1 or 2, and one line"),
    "the text of an agent": Attack(agent_text, 2000, "an agent, or one line"),
    "a hostile file": Attack(hostile, 100, "nothing run, memory <= 2 x file + 100 MB"),
    "lines for the GTP engine": Attack(board, 2000, "an answer to each, and it goes on"),
    "an engine that answers anything": Attack(engine, 50, "a move, or one line"),
    "steps of Gymnasium": Attack(environment, 1000, "no reward after the end"),
    "text that a terminal obeys": Attack(terminal, 1000, "shown, and nothing more"),
}
Found = dict[str, list[str]]


def attack(name: str, number: int, seed: int) -> str:
    """Makes one try of one kind."""
    return ATTACKS[name].one(random.Random(f"{seed} {name} {number}"))


def share(process: int, seed: int, minutes: float) -> Found:
    """The tries of one process, always of the kind that is furthest behind."""
    # where a shell has started this in the background, commands would not hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)
    found: Found = {name: [] for name in ATTACKS}
    began, said = time.monotonic(), 0
    while (passed := (time.monotonic() - began) / 60) < minutes:
        name = min(ATTACKS, key=lambda name: len(found[name]) / ATTACKS[name].tries)
        number = PROCESSES * len(found[name]) + process
        found[name].append(attack(name, number, seed))
        if found[name][-1] != OK:
            print(f"{name} {number}: {found[name][-1]}", file=sys.stderr, flush=True)
        if process == 0 and passed >= said + 1:
            said, tries = int(passed), PROCESSES * sum(map(len, found.values()))
            text = f"{said} of {minutes:g} minutes, about {tries:,} tries"
            print(text, file=sys.stderr, flush=True)
    return found


def table(results: Found, minutes: float, seed: int) -> str:
    """What was tried, and what came of it."""
    lines = ["| attack | withstood is | tried | withstood |", "|---|---|---:|---:|"]
    for name, found in results.items():
        held = f"{len(found):,} | {found.count(OK):,}"
        lines.append(f"| {name} | {ATTACKS[name].withstood} | {held} |")
    return f"`make fuzz MINUTES={minutes:g} SEED={seed}`:\n\n" + "\n".join(lines) + "\n"


def run_all(minutes: float, seed: int, write: bool) -> int:
    """All attacks; the exit code is 1 if one was not withstood."""
    with tempfile.TemporaryDirectory(prefix="tafl-fuzz-") as folder:
        # no decision of the user about trust counts, and none is made
        os.environ |= {"TAFL_DATA_DIR": str(Path(folder) / "data"), "TMPDIR": folder}
        with ProcessPoolExecutor(PROCESSES, get_context("spawn")) as pool:
            shares = [pool.submit(share, k, seed, minutes) for k in range(PROCESSES)]
            parts = [future.result() for future in shares]
    results = {name: [text for part in parts for text in part[name]] for name in ATTACKS}
    text = table(results, minutes, seed)
    print(text)
    if write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(before + BEGIN + text + END + rest.partition(END)[2])
    return int(any(found.count(OK) < len(found) for found in results.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sys.exit(run_all(options.minutes, options.seed, options.write))
