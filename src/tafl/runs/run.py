"""The folder of a run.

settings.toml       all settings; they alone reproduce the run
environment.json    versions and machine
metrics.jsonl       one line for each evaluation
checkpoints/        the last two checkpoints
progress            episodes and moves so far, while one of several runs is under way
lock                held by the process that writes here, with its number
"""

import json
import os
from functools import cached_property
from pathlib import Path
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.boards import Game, load_game
from tafl.core.compile.cache import source_digest
from tafl.errors import InputError
from tafl.files import make_durable, replacing, to_json
from tafl.runs.checkpoint import Header, load, log, read_headers
from tafl.runs.folder import environment, occupied
from tafl.settings.build import build
from tafl.settings.model import Fields, Settings

Candidates = list[tuple[Path, Header]]


class Run:
    """What training left behind: the settings, the metrics, and the agent.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder)
    ...     run.finished, tafl.Run.open(folder).settings.episodes
    (True, 100)
    """

    def __init__(self, path: Path, game: Game, settings: Settings):
        self.path, self.game, self.settings = path, game, settings
        # a hash of the sources of the rules that are running, whatever becomes of their file
        self.source: str = source_digest(type(game.rules))  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.game.name}, {self.settings.episodes:,} episodes)"

    @classmethod
    def open(cls, path: str | Path) -> "Run":
        """A run by its folder."""
        path = Path(path)
        if not (path / "settings.toml").is_file():
            inner = sorted(p.parent.name for p in path.glob("*/settings.toml"))
            hint = f"; it contains the runs {', '.join(inner)}" if inner else ""
            raise InputError(f"{path} is not a run: it has no settings.toml{hint}")
        settings = Settings.read(path / "settings.toml")
        return cls(path, load_game(settings.game), settings)

    @classmethod
    def create(cls, path: Path, game: Game, settings: Settings) -> "Run":
        """A new run in a folder that this process has claimed."""
        if (path / "settings.toml").exists():
            raise occupied(path)
        (path / "checkpoints").mkdir()
        with replacing(path / "environment.json") as file:
            file.write(to_json(environment(), indent=2) + "\n")
        (path / "metrics.jsonl").touch()
        make_durable(path)
        # last, since whatever has settings counts as a run
        with replacing(path / "settings.toml") as file:
            file.write(settings.toml())
        return cls(path, game, settings)

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def metrics(self) -> list[Fields]:
        """One entry for each evaluation; scores are in points."""
        text = (self.path / "metrics.jsonl").read_text(encoding="utf-8")
        *whole, _half = text.split("\n")  # a crash may leave half a line behind
        return [json.loads(line) for line in whole]

    @property
    def environment(self) -> Fields:
        """Versions and machine at the start of the run."""
        found: Fields = json.loads((self.path / "environment.json").read_text(encoding="utf-8"))
        return found

    def add_metrics(self, line: Fields) -> None:
        """Appends an evaluation and makes it durable."""
        with (self.path / "metrics.jsonl").open("a", encoding="utf-8") as file:
            file.write(to_json(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def keep_metrics(self, number: int) -> None:
        """Forgets all evaluations but the first ones: those that a checkpoint knows."""
        file = self.path / "metrics.jsonl"
        lines = file.read_bytes().splitlines(keepends=True)
        if len(lines) < number:
            raise InputError(f"{file} has {len(lines)} lines, but the checkpoint has {number}")
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
                    f"{path} was written with {key} = {old}, but settings.toml has {new}"
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

    def summary(self) -> Fields:
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

    def listing(self) -> Fields:
        """What a list of runs says about this one."""
        settings = self.settings
        last = self.candidates()[:1]
        return {
            "run": str(self.path),
            "game": self.game.name,
            "algo": settings.algo,
            "farl": settings.farl,
            "seed": settings.seed,
            "episode": last[0][1].episode if last else 0,
            "episodes": settings.episodes,
            "results": self.metrics[-1]["results"] if self.metrics else [],
            "bytes": sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file()),
            "started": self.environment["started"],
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
        return LearnedAgent(self.game, net, td, self.settings.seed, f"run:{self.path}")


def _movable(settings: Fields) -> Fields:
    """The settings without the folder of the game's file: it may move."""
    return {**settings, "game": Path(settings["game"]).name}


def difference(old: Fields, new: Fields, prefix: str = "") -> tuple[str, Any, Any] | None:
    """The first setting that differs and matters to the weights, with both values."""
    for key in sorted(old.keys() | new.keys()):
        a, b = old.get(key), new.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            if key != "checkpoint" and (inner := difference(a, b, f"{prefix}{key}.")):
                return inner
        elif a != b:
            return f"{prefix}{key}", a, b
    return None
