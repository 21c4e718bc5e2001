"""The folder of a run.

settings.toml       all settings; they alone reproduce the run
environment.json    versions and machine
metrics.jsonl       one line for each evaluation
checkpoints/        the last two checkpoints
progress            episodes and moves so far, while one of several runs is under way
lock                held by the process that writes here, with its number
"""

import fcntl
import inspect
import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.core.compile.cache import digest, source_files
from tafl.errors import InputError
from tafl.experiments.build import build
from tafl.experiments.checkpoint import Header, load, log, make_durable, read_headers
from tafl.experiments.settings import Settings, Tree
from tafl.games import Game, load_game

Candidates = list[tuple[Path, Header]]


class Run:
    """What training left behind: the settings, the metrics, and the agent."""

    def __init__(self, path: Path, game: Game, settings: Settings):
        self.path, self.game, self.settings = path, game, settings

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.game.name}, {self.settings.episodes:,} episodes)"

    @classmethod
    def open(cls, path: str | Path) -> "Run":
        """A run by its folder."""
        path = Path(path)
        if not (path / "settings.toml").is_file():
            inner = sorted(p.parent.name for p in path.glob("*/settings.toml"))
            hint = f"; it holds several runs: {', '.join(inner)}" if inner else ""
            raise InputError(f"there is no run in {path}: it has no settings.toml{hint}")
        settings = Settings.read(path / "settings.toml")
        return cls(path, load_game(settings.game), settings)

    @classmethod
    def create(cls, path: Path, game: Game, settings: Settings) -> "Run":
        """A new run in a folder that this process has claimed."""
        if (path / "settings.toml").exists():
            raise _occupied(path)
        (path / "checkpoints").mkdir()
        (path / "environment.json").write_text(json.dumps(environment(), indent=2) + "\n")
        (path / "metrics.jsonl").touch()
        # last, since whatever has settings counts as a run
        temporary = path / "settings.toml.writing"
        temporary.write_text(settings.toml(), encoding="utf-8")
        temporary.rename(path / "settings.toml")
        make_durable(path)
        return cls(path, game, settings)

    @cached_property
    def source(self) -> str:
        """A hash of the game's source; nothing, where it is not in a file."""
        try:
            file = Path(inspect.getfile(type(self.game.rules)))
        except (TypeError, OSError):
            return ""
        return digest(source_files(file))

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def metrics(self) -> list[Tree]:
        """One entry for each evaluation."""
        text = (self.path / "metrics.jsonl").read_text(encoding="utf-8")
        *whole, _half = text.split("\n")  # a crash may leave half a line behind
        return [json.loads(line) for line in whole]

    def add_metrics(self, line: Tree) -> None:
        """Appends an evaluation and makes it durable."""
        with (self.path / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def keep_metrics(self, number: int) -> None:
        """Forgets all evaluations but the first ones: those that a checkpoint knows."""
        file = self.path / "metrics.jsonl"
        lines = file.read_bytes().splitlines(keepends=True)
        if len(lines) < number:
            raise InputError(f"{file} has {len(lines)} lines, but the checkpoint knows {number}")
        kept = sum(len(line) for line in lines[:number])
        if kept < file.stat().st_size:
            os.truncate(file, kept)

    def candidates(self) -> Candidates:
        """The checkpoints, newest first; one of another game or other settings is refused."""
        found = read_headers(self.checkpoints)
        for path, header in found:
            # an older version knew fewer settings: the others were as they are by default
            written = Settings.of(header.settings).tree()
            other = difference(_movable(written), _movable(self.settings.tree()))
            if other:
                key, old, new = other
                raise InputError(
                    f"{path} was written with {key} = {old}, and settings.toml says {new}"
                )
        return found

    @property
    def finished(self) -> bool:
        """Are all episodes learned, evaluated and saved?"""
        last = self.candidates()[:1]
        if not last or last[0][1].episode < self.settings.episodes:
            return False
        evaluations = self.metrics
        if len(evaluations) != last[0][1].evaluations:
            return False
        if self.settings.evaluation.every == 0:
            return True
        return bool(evaluations) and evaluations[-1]["episode"] == self.settings.episodes

    def summary(self) -> Tree:
        """What the last checkpoint and the last evaluation say."""
        last = self.candidates()[:1]
        return {
            "run": str(self.path),
            "game": self.game.name,
            "seed": self.settings.seed,
            "episodes": self.settings.episodes,
            **{name: getattr(h, name) for _, h in last for name in ("episode", "moves", "seconds")},
            "evaluation": self.metrics[-1] if self.metrics else None,
        }

    def listing(self) -> Tree:
        """What a list of runs says about this one; scores are in the game's own points."""
        settings, unit = self.settings, self.game.facts.score_unit
        last = self.candidates()[:1]
        results = self.metrics[-1]["results"] if self.metrics else []
        scaled = [r | {k: r[k] / unit for k in ("mean", "standard_error")} for r in results]
        environment = json.loads((self.path / "environment.json").read_text(encoding="utf-8"))
        return {
            "run": str(self.path),
            "game": self.game.name,
            "algo": settings.algo,
            "farl": settings.farl,
            "seed": settings.seed,
            "episode": last[0][1].episode if last else 0,
            "episodes": settings.episodes,
            "results": [r | {"roles": [x / unit for x in r["roles"]]} for r in scaled],
            "bytes": sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file()),
            "started": environment["started"],
        }

    @cached_property
    def agent(self) -> LearnedAgent:
        """The agent as of the last checkpoint; it plays greedily."""
        candidates = self.candidates()
        if not candidates:
            raise InputError(f"{self.path} has no checkpoint yet")
        if candidates[0][1].source != self.source:
            log.warning("tafl: the rules of %s have changed since this run", self.game.name)
        net, td, _ = build(self.game, self.settings, candidates[0][1].tuples)
        load(candidates, {"weights": net.weights})
        return LearnedAgent(self.game, net, td, self.settings.seed)


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Holds the lock of a folder; one that another process writes to is refused."""
    with (path / "lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise InputError(
                f"process {file.read().strip()} is writing to {path}; wait, or use another folder"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def new_folder(path: Path) -> Path:
    """Makes the folder of a new run; it may exist if it is empty."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise _occupied(path)
    except OSError as error:
        raise InputError(f"cannot make the folder {path}: {error.strerror}") from None
    return path


def unique_folder(stem: Path) -> Path:
    """Makes a folder that nobody has yet: STEM, STEM-2, STEM-3, ..."""
    path, number = stem, 1
    while True:
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            number += 1
            path = stem.with_name(f"{stem.name}-{number}")
        except OSError as error:
            raise InputError(f"cannot make the folder {path}: {error.strerror}") from None


def environment() -> dict[str, Any]:
    """What a run's speed and bits depend on besides its settings."""
    libraries = ("tafl", "numpy", "numba", "llvmlite")
    return {
        **{name: version(name) for name in libraries},
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "command": sys.argv,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _occupied(path: Path) -> InputError:
    if any(path.glob("settings.toml")) or any(path.glob("*/settings.toml")):
        hint = f"holds a run; continue it with --resume {path}, or use another --out"
    else:
        hint = "is not empty; use another --out"
    return InputError(f"{path} {hint}")


def _movable(settings: Tree) -> Tree:
    """The settings without the folder of the game's file: it may move."""
    return {**settings, "game": Path(settings["game"]).name}


def difference(old: Tree, new: Tree, prefix: str = "") -> tuple[str, Any, Any] | None:
    """The first setting that differs and matters to the weights, with both values."""
    for key in sorted(old.keys() | new.keys()):
        a, b = old.get(key), new.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            if key != "checkpoint" and (inner := difference(a, b, f"{prefix}{key}.")):
                return inner
        elif a != b:
            return f"{prefix}{key}", a, b
    return None
