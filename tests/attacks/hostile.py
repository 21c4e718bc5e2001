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

from attacks import OK
from attacks.damage import READERS
from attacks.home import copied

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
    with copied("run", "games.jsonl") as place:
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


PLAY = ("eval", "{0}/run", "--games", "2")
RUN = [READERS["run"], ("export", "{0}/run"), ("runs", "{0}"), ("train", "--resume", "{0}/run"),
       PLAY, ("match", "nim", "run:{0}/run", "random")]  # fmt: skip
GAMES = [READERS["games.jsonl"]]

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
    "no checkpoints": (RUN, lambda p: shutil.rmtree(p / "run" / "checkpoints")),
}  # fmt: skip
