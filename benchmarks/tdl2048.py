"""Measure 2048 beside TDL2048+, a fast program in C++ for this one game: moves per second.

    python -m benchmarks.tdl2048 PROGRAM [PROGRAM ...]

A PROGRAM is a build of https://github.com/moporgic/TDL2048, for example one optimised for this
processor and one with a profile (`make 4x6patt PGO_ALPHA="1.0 coherence"`). Both learn with four
6-tuples on eight symmetric boards by TD with temporal coherence. They work in turn, one waits while
the other plays, so that other load on the machine affects both equally; the ratio is the median
of neighbouring pieces with an interval of 95 %. Time is that of the processor, and both have their
tables in huge pages of memory.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.compare import Build, interval
from benchmarks.store import store
from tafl.runs.folder import environment

HOME = Path(__file__).resolve().parent.parent
WARM_UP, PIECE, ROUNDS = 3_000, 50, 60  # episodes, episodes, pieces of each program
REPORT = re.compile(r"\d+/\d+ +(\d+)ms +([\d.]+)ops")
HUGE = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}


class Peer:
    """A build of TDL2048+ that learns a piece when it is told to."""

    def __init__(self, program: str):
        blocks = WARM_UP // PIECE + 2 * ROUNDS + 9
        words = ["-n", "4x6patt", "-a", "1.0", "-t", f"{blocks}x{PIECE}", "-u", str(PIECE)]
        self.process = subprocess.Popen(
            [program, *words], env=os.environ | HUGE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(WARM_UP // PIECE):
            self.block()
        self.process.send_signal(signal.SIGSTOP)

    def block(self) -> float:
        """Return the moves of the next block that it reports."""
        assert self.process.stdout
        for line in self.process.stdout:
            if found := REPORT.match(line):
                return float(found[1]) / 1000 * float(found[2])
        sys.exit("tdl2048: the program ended early")

    def seconds(self) -> float:
        """Return the processor time that it has used."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def piece(self) -> float:
        """Return the moves a second of a block; the one begun before is left out."""
        self.process.send_signal(signal.SIGCONT)
        self.block()
        began = self.seconds()
        moves = self.block()
        rate = moves / (self.seconds() - began)
        self.process.send_signal(signal.SIGSTOP)
        return rate


def beside(program: str, build: Build) -> dict:
    """Return the rates of both and the ratio."""
    peer = Peer(program)
    rates = []
    for _ in range(ROUNDS):
        theirs = peer.piece()
        build.do(PIECE)
        moves, seconds, _ = build.do(PIECE)
        rates.append((theirs, moves / seconds))
    peer.process.kill()
    peer.process.wait()
    theirs, ours = (round(statistics.median(rate)) for rate in zip(*rates, strict=True))
    ratios = [b / a for a, b in rates]
    found = {"program": Path(program).name, "theirs": theirs, "ours": ours}
    return found | {"ratio": statistics.median(ratios), "interval": interval(ratios)}


def main() -> None:
    """Measure against all programs named."""
    if not sys.argv[1:]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        build = Build(str(HOME), Path(folder), "cache")
        build.do(0, "2048", "td")
        found = [beside(program, build) for program in sys.argv[1:]]
        build.process.communicate()
    store("tdl2048", {"processor": environment()["processor"], "beside": found})
    for row in found:
        print(json.dumps(row))


if __name__ == "__main__":
    main()
