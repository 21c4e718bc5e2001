"""The training of one run: what it has learned, evaluated and saved so far."""

import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tafl.arguments import argument, resuming
from tafl.core.learn.store import Store, rows_used
from tafl.errors import Diverged, TrainingError
from tafl.runs.checkpoint import Header, all_finite, save
from tafl.runs.run import Run
from tafl.settings.seeds import EVALUATION, derived
from tafl.settings.tables import Fields
from tafl.training.evaluation import judge
from tafl.training.learner import AnyLearner
from tafl.training.loop import run_loop
from tafl.training.progress import Progress, shown
from tafl.training.stop import StopSignal

Tensors = dict[str, np.ndarray]
Checkpoint = tuple[Path, Header] | None  # the last one of a run, if there is any
Player = Callable[[Any, int], list[Fields]]  # plays the games of an evaluation, from a seed


class Standing(NamedTuple):
    """A network to be evaluated, and how far it was."""

    net: Any  # an approximator, or a store
    episode: int
    moves: int
    seconds: float
    scores: list[float]


class RunTraining:
    """One run on its way from its first or some later episode to its last."""

    block_seconds = 0.3

    def __init__(
        self, run: Run, learner: AnyLearner, progress: Progress, play: Player | None = None
    ):
        self.run, self.learner, self.progress = run, learner, progress
        self.play = play or (lambda net, seed: judge(run, learner.player(net, seed), seed))
        self.seconds = 0.0  # of learning alone
        self.evaluations = 0
        self.evaluated = 0  # the episode of the last evaluation
        self.saved = (0, 0)  # episode and evaluations of the last checkpoint

    @property
    def saved_episode(self) -> int:
        """The episode of the last checkpoint."""
        return self.saved[0]

    def take_up(self, found: Checkpoint) -> None:
        """Continue from a checkpoint, if there is one."""
        if found is None:
            self.run.keep_metrics(0)
            return
        file, header = found
        self.learner.read(file)
        self.learner.episode, self.seconds = header.episode, header.seconds
        self.evaluations = header.evaluations
        self.saved = (header.episode, header.evaluations)
        self.run.keep_metrics(self.evaluations)
        self.evaluated = header.evaluated
        if self.evaluated < 0:  # written before this was noted: at a multiple, or at the end
            settings = self.run.settings
            self.evaluated = min(self.evaluations * settings.evaluation.every, settings.episodes)

    def go(self, stop: StopSignal | None = None) -> None:
        """Learn, evaluate and save up to the last episode, or up to a signal."""
        run_loop(self, stop)

    def patience(self) -> float:
        """Return the seconds between two checkpoints."""
        return self.run.settings.checkpoint.every_seconds

    def evaluate(self, stop: StopSignal) -> None:
        """Play the games of an evaluation and store what came of them, unless a signal comes."""
        line = None
        with stop.at_once:
            line = self.judge(self.standing())
        if line is not None:
            self.note(line)

    def standing(self) -> Standing:
        """Return the network as it is now, which an evaluation may judge later."""
        one = self.learner
        return Standing(one.net, one.episode, one.moves, round(self.seconds, 3), one.scores)

    def judge(self, standing: Standing) -> Fields:
        """Play the games of an evaluation; return what is stored of it."""
        net = standing.net
        self._check_weights(net.tables[: rows_used(net)] if isinstance(net, Store) else net.weights)
        line: Fields = {name: getattr(standing, name) for name in ("episode", "moves", "seconds")}
        line |= {"active": self.learner.used(net), "scores": standing.scores}
        seed = derived(self.run.settings.seed, EVALUATION, standing.episode)
        return line | {"results": self.play(net, seed)}

    def note(self, line: Fields) -> None:
        """Store an evaluation."""
        stored = self.run.add_metrics(line)
        self.evaluations += 1
        self.evaluated = line["episode"]
        self.progress.say(shown(stored))
        self.progress.evaluated(self.run, stored)

    def save(self, last: bool) -> None:
        """Write a checkpoint; where there is no room, training goes on, and the end is rescued."""
        reached = (self.learner.episode, self.evaluations)
        if self.saved == reached:
            return
        tensors = self.learner.tensors()
        for name in ("weights", "critic", "average"):
            if name in tensors:
                self._check_weights(tensors[name])
        header = self._header()
        try:
            save(self.run.checkpoints, header, tensors)
            self.saved = reached
            self.progress.saved(self.run, header.episode)
        except OSError as error:
            if last:
                raise self._rescued(header, tensors, error) from None
            self.progress.say(f"no checkpoint was written: {error.strerror} ({error.filename})")

    def _header(self) -> Header:
        return Header(
            tafl=version("tafl"),
            game=self.run.game.name,
            source=self.run.source,
            settings=self.run.settings.tree(),
            tuples=self.learner.tuples,
            episode=self.learner.episode,
            moves=self.learner.moves,
            seconds=self.seconds,
            evaluations=self.evaluations,
            evaluated=self.evaluated,
        )

    def _rescued(self, header: Header, tensors: Tensors, error: OSError) -> TrainingError:
        """Save what was learned where there is room; return the error that says where."""
        said = f"{error.strerror} ({error.filename})"
        try:
            place = Path(tempfile.mkdtemp(prefix="tafl-rescued-"))
            file = save(place, header, tensors)
        except OSError:
            return TrainingError(f"what was learned could not be saved: {said}")
        return TrainingError(
            f"{said}: what was learned is in {file}; make room, move it to {self.run.checkpoints} "
            f"and continue with: {resuming(self.run.path)}"
        )

    def _check_weights(self, weights: np.ndarray) -> None:
        """End a training that has gone astray, before anything of it is stored."""
        if all_finite(weights):
            return
        settings, episode = self.run.settings, self.saved_episode
        ways = [f"lower td.alpha, which is {settings.td.alpha:g}"]
        if settings.algo == "regret":
            ways = [f"lower regret.alpha, which is {settings.regret.alpha:g}"]
        if settings.threads > 1:
            ways.append(f"play fewer games at a time than {argument('threads', settings.threads)}")
        if settings.network.sigma != "tanh":
            ways.append("use network.sigma = tanh")
        kept = f"; the checkpoint of episode {episode:,} is sound" if episode else ""
        raise Diverged(
            f"weights are not finite after {self.learner.episode:,} episodes: "
            f"{', or '.join(ways)}{kept}"
        )
