"""The folder of a run.

settings.toml       all settings; they alone reproduce the run
environment.json    versions and machine
metrics.jsonl       one line for each evaluation
checkpoints/        the last two checkpoints
game/               copies of your game file and of the modules beside it that it imports
network/            copies of the file of your own approximator, and of modules beside it
progress            episodes and moves so far, while one of several runs is under way
lock                locked by the process that writes here; contains its process id
"""

import json
import os
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import RegretAgent, TrainedAgent
from tafl.boards import Game
from tafl.boards.load import load_stored, same_rules
from tafl.boards.spec import parse
from tafl.core.compile.cache import source_digest
from tafl.core.games import GAMES
from tafl.errors import InputError
from tafl.files import make_durable, named, no_link, read_json, replacing, sealed, to_json
from tafl.runs.checkpoint import (
    Header,
    checkpoint_files,
    last_header,
    load_column,
    log,
    sound_headers,
)
from tafl.runs.folder import environment, occupied
from tafl.runs.metrics import read_metrics
from tafl.runs.sources import keep_network, keep_sources
from tafl.runs.stores import read_store
from tafl.settings.build import build_net, make_td, stored_tuples, with_weights
from tafl.settings.model import Settings
from tafl.settings.own_networks import load_network
from tafl.settings.tables import Fields, differences, movable


class Run:
    """A training run: its settings, metrics and agent.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder)
    ...     run.finished, tafl.Run.open(folder).settings.episodes
    (True, 100)
    """

    def __init__(self, path: Path, settings: Settings, game: Game | None = None):
        self.path, self.settings = path, settings
        if game is not None:
            self.game = game

    @cached_property
    def game(self) -> Game:
        """The game; loading it runs the code of its rules, so that happens when it is needed."""
        return load_stored(self.settings.game, str(self.path), self._files()[1])

    @property
    def has_copy(self) -> bool:
        """Tell whether the run has a copy of its game file."""
        return self._files()[1].is_file()

    @property
    def edited(self) -> bool:
        """Tell whether the game file has changed since the run began."""
        original, copy = self._files()
        return original.is_file() and copy.is_file() and not same_rules(original, copy)

    def _files(self) -> tuple[Path, Path]:
        """Return the user's game file and the run's copy of it."""
        original = Path(parse(self.settings.game)[0]).expanduser()
        return original, self.path / "game" / original.name

    def load_network(self) -> None:
        """Make your own approximator known, if the run has one, as it was when the run began."""
        load_network(self.settings.network.kind, str(self.path), self._network_files()[1])

    @property
    def has_other_network(self) -> bool:
        """Tell whether the file of your own approximator has changed since the run began."""
        original, copy = self._network_files()
        return original.is_file() and copy.is_file() and not same_rules(original, copy)

    def _network_files(self) -> tuple[Path, Path]:
        """Return the file of your own approximator and the run's copy of it, if there are any."""
        original = Path(parse(self.settings.network.kind)[0]).expanduser()
        return original, self.path / "network" / original.name

    @property
    def source(self) -> str:
        """A hash of the sources of the rules that are running, whatever becomes of their file."""
        return source_digest(type(self.game.rules))  # type: ignore[arg-type]

    def has_other_rules(self, header: Header) -> bool:
        """Tell whether a checkpoint has other rules; releases never change those of a game."""
        if self.has_copy:
            return self.edited
        released = parse(self.settings.game)[0] in GAMES and header.tafl != version("tafl")
        return header.source != self.source and not released

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.settings.game}, {self.settings.episodes:,} episodes)"

    @classmethod
    def open(cls, path: str | Path) -> "Run":
        """Return a run by its folder."""
        path = Path(path)
        if not os.path.isfile(path / "settings.toml"):
            found = path.glob("*/settings.toml") if os.path.isdir(path) else ()
            inner = sorted(p.parent.name for p in found)
            hint = f"; it contains the runs {', '.join(inner)}" if inner else ""
            raise InputError(f"{path} is not a run: it has no settings.toml{hint}")
        if (path / "checkpoints").is_symlink():
            raise InputError(f"{path / 'checkpoints'} is a link: a run keeps its own checkpoints")
        return cls(path, Settings.read(path / "settings.toml"))

    @classmethod
    def create(cls, path: Path, game: Game, settings: Settings) -> "Run":
        """Return a new run in a folder that this process has claimed."""
        if (path / "settings.toml").exists():
            raise occupied(path)
        (path / "checkpoints").mkdir()
        with replacing(path / "environment.json") as file:
            found = environment(settings.device) | {"repeatable": settings.threads == 1}
            if game.foreign:
                package = game.rules.source().library.package
                found[package] = version(package)
            file.write(to_json(found, indent=2) + "\n")
        (path / "metrics.jsonl").touch()
        keep_sources(game, path / "game")
        keep_network(settings.network.kind, path / "network")
        make_durable(path)
        # last, since whatever has settings counts as a run
        with replacing(path / "settings.toml") as file:
            file.write(settings.toml())
        return cls(path, settings, game)

    @property
    def checkpoints(self) -> Path:
        """The folder of checkpoints."""
        return self.path / "checkpoints"

    @property
    def metrics(self) -> list[Fields]:
        """One entry for each evaluation; scores are in points. What is damaged is left out."""
        last = last_header(self.checkpoints)
        return read_metrics(self.path / "metrics.jsonl", last.evaluations if last else 0)

    @property
    def environment(self) -> Fields:
        """Versions and machine at the start of the run; nothing, where that is damaged."""
        file = self.path / "environment.json"
        try:
            found: Fields = read_json(file, "this is no environment")
            datetime.fromisoformat(found["started"])
        except (OSError, ValueError, TypeError, KeyError):  # InputError is a ValueError
            log.warning("tafl: %s cannot be read", file)
            return {}
        return found

    def add_metrics(self, line: Fields) -> Fields:
        """Append an evaluation and make it durable; return it as it will be read."""
        plain: Fields = json.loads(to_json(line))
        path = self.path / "metrics.jsonl"
        with named(path), no_link(path, "a") as file:
            file.write(to_json(sealed(plain)) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return plain

    def keep_metrics(self, number: int) -> None:
        """Forget all evaluations but the first ones: those that a checkpoint knows."""
        path = self.path / "metrics.jsonl"
        with no_link(path, "r+b") as file:
            lines = file.read().splitlines(keepends=True)
            if len(lines) < number:
                raise InputError(f"{path} has {len(lines)} lines, but the checkpoint has {number}")
            if len(lines) > number:
                file.truncate(sum(len(line) for line in lines[:number]))

    def checkpoint(self) -> tuple[Path, Header] | None:
        """Return the newest intact checkpoint, or None before the first one.

        Refuse one with other settings, and a folder in which no checkpoint can be read.
        """
        for path, header in sound_headers(self.checkpoints):
            # an older version knew fewer settings: the others were as they are by default
            written = Settings.of(header.settings)
            if self.settings.ends[: len(written.ends)] == written.ends:  # it was made longer since
                length = {"stages": self.settings.stages, "episodes": self.settings.episodes}
                written = written.model_copy(update=length)
            other = next(differences(movable(written.tree()), movable(self.settings.tree())), None)
            if other:
                key, old, new = other
                raise InputError(
                    f"{path} was written with {key} = {old}, but settings.toml has {new}"
                )
            return path, header
        files = checkpoint_files(self.checkpoints)
        if files:
            raise InputError(f"none of the {len(files)} checkpoints in {self.path} can be read")
        return None

    def extend(self, episodes: int) -> None:
        """Make a run longer; what it has learned stays, and its settings say how it came about."""
        before = self.settings.episodes
        if episodes <= before:
            raise InputError(f"{self.path} has {before:,} episodes: to go on, it needs more")
        self._change({"stages": [*self.settings.stages, before], "episodes": episodes})

    def move(self, device: str) -> None:
        """Move the run to another device, where sums may round differently."""
        self._change({"device": device})

    def _change(self, settings: Fields) -> None:
        self.settings = Settings.of({**self.settings.tree(), **settings})
        with replacing(self.path / "settings.toml") as file:
            file.write(self.settings.toml())

    @property
    def finished(self) -> bool:
        """Tell whether all episodes are learned, evaluated and saved."""
        found = self.checkpoint()
        if found is None or found[1].episode < self.settings.episodes:
            return False
        evaluations = self.metrics
        if len(evaluations) != found[1].evaluations:
            return False
        if self.settings.evaluation.every == 0:
            return True
        return bool(evaluations) and evaluations[-1]["episode"] == self.settings.episodes

    def summary(self) -> Fields:
        """Return the state of the last checkpoint and the last evaluation."""
        last, evaluations = last_header(self.checkpoints), self.metrics
        reached = ("episode", "moves", "seconds") if last else ()
        return {
            "run": str(self.path),
            "game": self.settings.game,
            "seed": self.settings.seed,
            "episodes": self.settings.episodes,
            **{name: getattr(last, name) for name in reached},
            "evaluation": evaluations[-1] if evaluations else None,
        }

    def listing(self) -> Fields:
        """Return the entry of this run in a list of runs."""
        settings, last = self.settings, last_header(self.checkpoints)
        evaluations = self.metrics
        return {
            "run": str(self.path),
            "game": self.settings.game,
            "algo": settings.algo,
            "farl": settings.farl,
            "seed": settings.seed,
            "episode": last.episode if last else 0,
            "episodes": settings.episodes,
            "results": evaluations[-1]["results"] if evaluations else [],
            "bytes": sum(
                file.lstat().st_size for file in self.path.rglob("*") if not file.is_dir()
            ),
            "started": self.environment.get("started"),
        }

    def learned(self) -> tuple[Path, Header]:
        """Return the newest intact checkpoint; refuse a run that has none yet."""
        if (found := self.checkpoint()) is None:
            raise InputError(f"{self.path} has no checkpoint yet")
        return found

    @cached_property
    def agent(self) -> TrainedAgent:
        """The agent as of the last checkpoint: greedy, or that of an average policy."""
        path, header = self.learned()
        if not self.has_copy and self.has_other_rules(header):
            log.warning("tafl: the rules of %s have changed since this run", self.game.name)
        name, seed = f"run:{self.path}", self.settings.seed
        self.load_network()
        tuples = stored_tuples(self.game, self.settings, header.tuples)
        if self.settings.algo == "regret":
            store = read_store(path, self.game, tuples)
            return RegretAgent(self.game, store, seed, name)
        learner = build_net(self.game, self.settings, tuples, tables=False)
        weights = load_column(path, learner.width)
        try:
            net = with_weights(self.game, learner.plain(), weights)
        except InputError as error:
            raise InputError(f"{path} cannot be read: {error}") from None
        td = make_td(self.settings)
        return LearnedAgent(self.game, net, td, seed, name)
