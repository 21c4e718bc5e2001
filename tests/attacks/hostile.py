"""Files made to be run, to fill memory or to break a parser: they are looked at, no more."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from attacks import OK
from attacks.damage import READERS
from attacks.home import copied
from tafl.files import checksum
from tafl.runs.checkpoint import read_header
from tafl.runs.tensors import write_tensors

EVIL = "from pathlib import Path\nPath(r'{}').touch()\n"
PROGRAM = """
import re, sys
from pathlib import Path
from tafl.cli.main import main
code = main(sys.argv[1:])
status = Path("/proc/self/status")  # getrusage would count the most that its parent had
peak = re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1] if status.exists() else 0
print(peak, file=sys.stderr)
sys.exit(code)
"""


def hostile(rng: random.Random) -> str:
    """One such file, looked at in a process whose memory is measured."""
    with copied("run", "games.jsonl", "sweep", "nim.agent") as place:
        mark = place / "executed"
        (place / "evil.py").write_text(EVIL.format(mark))
        name = rng.choice(sorted(HOSTILE))
        readers, make = HOSTILE[name]
        make(place)
        size = sum(f.lstat().st_size for f in place.rglob("*") if f.is_file())
        code, kilobytes, err = measured(*(w.format(place) for w in rng.choice(readers)), cwd=place)
        if mark.exists():
            return f"{name}: it was run"
        if code not in (0, 1, 2) or "Traceback" in err:
            return f"{name}: exit code {code}, {err.strip()[:200]}"
        if 1024 * (kilobytes - least()) > 2 * size + 100 * 2**20:
            return f"{name}: {kilobytes:,} kB"
    return OK


@cache
def least() -> int:
    """What a command takes that plays with a sound agent, in kB."""
    with copied("run") as place:
        return measured(*(word.format(place) for word in PLAY))[1]


def measured(*words: str, cwd: Path | None = None) -> tuple[int, int, str]:
    """A command in a process of its own: exit code, most memory in kB, complaints."""
    run = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(run, capture_output=True, text=True, cwd=cwd, timeout=120, check=False)
    complaints, _, kilobytes = done.stderr.strip().rpartition("\n")
    return done.returncode, int(kilobytes or 10**9), complaints


def _settings(place: Path, game: str) -> None:
    file = place / "run" / "settings.toml"
    file.write_text(file.read_text().replace("nim(heaps=3,stones=5,take=5,misere=false)", game))


def _checkpoints(place: Path, content: bytes) -> None:
    for file in (place / "run" / "checkpoints").iterdir():
        file.write_bytes(content)


def _instead(place: Path, name: str, target: str) -> None:
    (place / name).unlink(missing_ok=True)
    (place / name).symlink_to(target)


def _pipe(place: Path, name: str) -> None:
    (place / name).unlink()
    os.mkfifo(place / name)


def _record(place: Path, game: str) -> None:
    empty: dict = {key: [] for key in ("agents", "start", "moves", "scores")}
    text = json.dumps({"game": game, "number": 0, "seed": 0, **empty, "seats": []})
    (place / "games.jsonl").write_text(text + "\n")


def _engine(place: Path, file: str) -> None:
    """Let settings name an engine that leaves the mark."""
    command = f"{sys.executable} {place}/evil.py"
    path = place / file
    path.write_text(path.read_text().replace('"random"', json.dumps(f"gtp(command='{command}')")))


def _unfinished(place: Path) -> None:
    shutil.rmtree(place / "run" / "checkpoints")
    (place / "run" / "checkpoints").mkdir()
    _engine(place, "run/settings.toml")


def _asked(place: Path, **changes: Any) -> None:
    """Change the plan of a sweep, with a right checksum."""
    file = place / "sweep" / "sweep.json"
    asked = json.loads(file.read_text()) | changes
    file.write_text(json.dumps(asked | {"check": checksum(asked)}))


def _sweep_engine(place: Path) -> None:
    _engine(place, "sweep/sweep.json")
    _asked(place)
    (place / "sweep" / "results.json").unlink()


def _agent(place: Path, **changes: Any) -> None:
    """Write an agent whose header has other values, and a right checksum."""
    file = place / "nim.agent"
    header = read_header(file).metadata()
    header |= {name: json.dumps(value) for name, value in changes.items()}
    with file.open("wb") as stream:
        write_tensors(stream, {"weights": np.zeros(1000, np.float32)}, header)


def _packed(place: Path) -> None:
    header = read_header(place / "nim.agent").metadata()
    arrays = {"gaps": np.full(10**7, 255, np.uint8), "values": np.zeros(1, np.float16)}
    with (place / "nim.agent").open("wb") as stream:
        write_tensors(stream, arrays, header)


PLAY = ("eval", "{0}/run", "--games", "2")
RUN = [READERS["run"], ("export", "{0}/run"), ("runs", "{0}"), ("train", "--resume", "{0}/run"),
       PLAY, ("match", "nim", "run:{0}/run", "random")]  # fmt: skip
GAMES = [READERS["games.jsonl"]]
SWEEP = [READERS["sweep"]]
AGENT = [READERS["nim.agent"], ("match", "nim", "run:{0}/nim.agent", "random", "--games", "2")]

HOSTILE: dict[str, tuple[list[tuple[str, ...]], Callable[[Path], object]]] = {
    "a game that is a file": (RUN, lambda p: _settings(p, f"{p}/evil.py")),
    "a game that is a module": (RUN, lambda p: _settings(p, "evil:Game")),
    "a record that names a file": (GAMES, lambda p: _record(p, f"{p}/evil.py")),
    "a record that names a module": (GAMES, lambda p: _record(p, "evil:Game")),
    "a header of 100 MB": (
        RUN, lambda p: _checkpoints(p, (10**8).to_bytes(8, "little") + b" " * 10**8),
    ),
    "a header nested deeply": (
        RUN, lambda p: _checkpoints(p, (4 * 10**6).to_bytes(8, "little") + b"[" * 4 * 10**6),
    ),
    "settings nested deeply": (
        RUN, lambda p: (p / "run" / "settings.toml").write_text("x = " + "[" * 100_000),
    ),
    "metrics nested deeply": (
        RUN, lambda p: (p / "run" / "metrics.jsonl").write_text("[" * 10**6 + "\n"),
    ),
    "an environment nested deeply": (
        RUN, lambda p: (p / "run" / "environment.json").write_text("[" * 10**6),
    ),
    "records nested deeply": (GAMES, lambda p: (p / "games.jsonl").write_text("[" * 10**6 + "\n")),
    "metrics that never end": (RUN, lambda p: _instead(p, "run/metrics.jsonl", "/dev/zero")),
    "metrics that are a pipe": (RUN, lambda p: _pipe(p, "run/metrics.jsonl")),
    "an endless environment": (RUN, lambda p: _instead(p, "run/environment.json", "/dev/zero")),
    "a lock on another file": (RUN, lambda p: _instead(p, "run/lock", "evil.py")),
    "an engine in settings": (RUN, _unfinished),
    "an engine in a sweep": (SWEEP, _sweep_engine),
    "a sweep of 10^9 trials": (SWEEP, lambda p: _asked(p, trials=10**9)),
    "a sweep without batches": (SWEEP, lambda p: _asked(p, batch=0)),
    "a sweep without a space": (SWEEP, lambda p: _asked(p, space=None)),
    "scores that never end": (SWEEP, lambda p: _instead(p, "sweep/results.json", "/dev/zero")),
    "scores that are a pipe": (SWEEP, lambda p: _pipe(p, "sweep/results.json")),
    "scores nested deeply": (
        SWEEP, lambda p: (p / "sweep" / "results.json").write_text("[" * 10**6),
    ),
    "an n-tuple of 100,000 cells": (AGENT, lambda p: _agent(p, tuples=[[*range(10**5)]])),
    "n-tuples of no cells": (AGENT, lambda p: _agent(p, tuples=[[99], ["a"], None])),
    "1,000 n-tuples of a board": (AGENT, lambda p: _agent(p, tuples=[[0, 1, 2]] * 1000)),
    "compact weights of 10 MB": (AGENT, _packed),
    "no checkpoints": (RUN, lambda p: shutil.rmtree(p / "run" / "checkpoints")),
}  # fmt: skip
