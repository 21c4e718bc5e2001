"""Training: from a plan to a run.

    blocks    episodes run in compiled code, about a third of a second at a time
    between   evaluations at exact episodes, checkpoints now and then, signals

Results do not depend on the size of blocks nor on when checkpoints are written.
"""

import re
import shutil
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from tafl.core.compile import KernelInterrupt
from tafl.core.ntuple.net import Net
from tafl.errors import Diverged, InputError, TrainingError
from tafl.runs.checkpoint import Header, all_finite, check_room, save
from tafl.runs.folder import claimed, new_folder, unique_folder
from tafl.runs.run import Run
from tafl.settings.seeds import EVALUATION, derived
from tafl.settings.tables import Fields, merged, nested
from tafl.training.evaluation import play_evaluation
from tafl.training.learner import Learner
from tafl.training.plan import Plan, make_plan, option_tree, prepare
from tafl.training.progress import Progress, shown
from tafl.training.stop import Stopped, StopSignal

Tensors = dict[str, np.ndarray]
Checkpoint = tuple[Path, Header] | None  # the last one of a run, if there is any


def train(
    game: Any = None,
    *,
    preset: str | None = None,
    settings: str | Path | None = None,
    episodes: int | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    farl: bool | None = None,
    out: str | Path | None = None,
    **changes: Any,
) -> Run:
    """Trains an agent by self-play and returns its run.

    All other settings are known by their names, too: `algo="sarsa"`, `threads=2`,
    `td={"alpha": 0.5}`. Settings are those of a preset, or of a TOML file, with these changes.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("tictactoe", episodes=500, seed=1, out=folder)
    ...     len(run.agent.values(run.game.start()))
    9
    """
    given = option_tree(farl=farl, episodes=episodes, seed=seed)
    plan = prepare(game, preset, settings, merged(given, nested(changes)), minutes)
    return start(plan, out, Progress())


def start(plan: Plan, out: str | Path | None, progress: Progress) -> Run:
    """Begins a run in a new folder and brings it to its end."""
    path = unique_folder(default_folder(plan)) if out is None else new_folder(Path(out))
    with claimed(path):
        try:
            run = Run.create(path, plan.game, plan.settings)
            check_room(run.checkpoints, plan.checkpoint)
        except OSError:  # nothing is left of a run that could not begin
            shutil.rmtree(path, ignore_errors=True)
            raise
        progress.say(str(plan))
        make_training(run, plan.tuples, progress).go()
    return run


def resume(
    path: str | Path,
    progress: Progress | None = None,
    *,
    episodes: int | None = None,
    device: str | None = None,
) -> Run:
    """Continues a run from its last checkpoint; the result is as if it had never stopped.

    With more `episodes` than it had, it is made longer: alpha and epsilon begin a second stage.
    It goes on where it was trained before, unless another `device` is named.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder)
    ...     tafl.resume(folder).finished  # there is nothing left to do
    True
    """
    progress = progress or Progress()
    run = Run.open(path)
    with claimed(run.path):
        if device is not None:
            run.move(device)
        if episodes is not None:
            run.extend(episodes)
        found = run.checkpoint()
        refuse_other_rules(run, found)
        plan = make_plan(run.game, run.settings)
        progress.say(str(plan))
        training = make_training(run, found[1].tuples if found else plan.tuples, progress)
        training.take_up(found)
        training.go()
    return run


def refuse_other_rules(run: Run, found: Checkpoint) -> None:
    """A run goes on with the rules that it began with."""
    if run.edited or (found and run.has_other_rules(found[1])):
        raise InputError(
            f"{run.path} was trained with other rules of {run.settings.game}; start a new run"
        )


def make_training(run: Run, tuples: list[list[int]], progress: Progress) -> "Training":
    """The training of a run, on the device of its settings."""
    if run.settings.device == "cpu":
        return Training(run, Learner(run.game, run.settings, tuples), progress)
    from tafl.training.together import Together

    return Together([run], [tuples], [progress])


def default_folder(plan: Plan) -> Path:
    """runs/GAME-ALGO-SEED."""
    name = re.match(r"\w+", Path(plan.game.name).name)
    assert name is not None
    return Path("runs") / f"{name[0]}-{plan.settings.algo}-{plan.settings.seed}"


class Training:
    """One run on its way from its first or some later episode to its last."""

    block_seconds = 0.3  # a signal waits for the end of a block

    def __init__(self, run: Run, learner: Learner, progress: Progress):
        self.run, self.learner, self.progress = run, learner, progress
        self.seconds = 0.0  # of training alone
        self.evaluations = 0
        self.evaluated = 0  # the episode of the last evaluation
        self.saved = (0, 0)  # episode and evaluations of the last checkpoint

    def take_up(self, found: Checkpoint) -> None:
        """Continues from a checkpoint, if there is one."""
        if found is None:
            self.run.keep_metrics(0)
            return
        file, header = found
        self.learner.read(file)
        self.learner.episode, self.evaluations = header.episode, header.evaluations
        self.saved = (header.episode, header.evaluations)
        self.seconds = header.seconds
        self.run.keep_metrics(self.evaluations)
        self.evaluated = header.evaluated
        if self.evaluated < 0:  # written before this was noted: at a multiple, or at the end
            settings = self.run.settings
            self.evaluated = min(self.evaluations * settings.evaluation.every, settings.episodes)

    def go(self, stop: StopSignal | None = None) -> None:
        """Learns, evaluates and saves up to the last episode, or up to a signal."""
        learner, total = self.learner, self.run.settings.episodes
        episodes = 1  # in a block, to begin with
        saved_at = time.monotonic()
        self.progress.begin(learner.episode, total)
        try:
            with stop or StopSignal() as stop:
                with stop.at_once:
                    learner.compile()
                while True:
                    if self._due() and not stop.number:
                        self._evaluate(stop)
                    done = learner.episode == total and not self._due()
                    late = time.monotonic() - saved_at >= self._patience()
                    if done or stop.number or late:
                        self._save(last=done or bool(stop.number))
                        saved_at = time.monotonic()
                    if done:
                        return
                    if stop.number:
                        raise Stopped(stop.number, self.run.path)
                    episodes = self._learn(episodes, stop)
        finally:
            self.progress.end()

    def _learn(self, episodes: int, stop: StopSignal) -> int:
        """Plays a block of at most this many episodes; returns the size of the next."""
        before = time.perf_counter()
        count = min(episodes, self._next_stop() - self.learner.episode)
        try:
            self.learner.learn(count)
        except KernelInterrupt:  # half an episode is in the network: nothing of it is stored
            kept = f"what was learned after episode {self.saved[0]:,} is lost"
            why = f" in an episode that did not end, so {kept}"
            raise Stopped(stop.number, self.run.path, why) from None
        seconds = time.perf_counter() - before
        self.seconds += seconds
        self.progress.block(self.learner.episode, self.learner.moves)
        return min(2 * episodes, max(1, round(count * self.block_seconds / seconds)))

    def _patience(self) -> float:
        """Seconds between two checkpoints."""
        return self.run.settings.checkpoint.every_seconds

    def _next_stop(self) -> int:
        every, episode = self.run.settings.evaluation.every, self.learner.episode
        end = next(end for end in self.run.settings.ends if episode < end)
        return min(end, (episode // every + 1) * every) if every else end

    def _due(self) -> bool:
        every, episode = self.run.settings.evaluation.every, self.learner.episode
        if every == 0 or episode in (0, self.evaluated):
            return False
        return episode % every == 0 or episode in self.run.settings.ends

    def _check_weights(self, weights: np.ndarray) -> None:
        """Ends a training that has gone astray, before anything of it is stored."""
        if not all_finite(weights):
            settings, episode = self.run.settings, self.saved[0]
            ways = [f"lower td.alpha, which is {settings.td.alpha:g}"]
            if settings.threads > 1:
                ways.append(f"play fewer games at a time than --threads {settings.threads}")
            if settings.network.sigma != "tanh":
                ways.append("use network.sigma = tanh")
            kept = f"; the checkpoint of episode {episode:,} is sound" if episode else ""
            raise Diverged(
                f"weights are not finite after {self.learner.episode:,} episodes: "
                f"{', or '.join(ways)}{kept}"
            )

    def _evaluate(self, stop: StopSignal) -> None:
        line = None
        with stop.at_once:
            line = self._judge(self._standing())
        if line is not None:
            self._note(line)

    def _standing(self) -> tuple[Net, Fields]:
        """The network, and what its evaluation will say besides what takes time to find out."""
        learner = self.learner
        return learner.net, {
            "episode": learner.episode,
            "moves": learner.moves,
            "seconds": round(self.seconds, 3),
            "scores": learner.scores,
        }

    def _judge(self, standing: tuple[Net, Fields]) -> Fields:
        """Plays the games of an evaluation."""
        (net, line), settings = standing, self.run.settings
        self._check_weights(net.weights)
        found = {"active": self.learner.used(net), "scores": line.pop("scores")}
        seed = derived(settings.seed, EVALUATION, line["episode"])
        return line | found | {"results": self._play_evaluation(net, seed)}

    def _play_evaluation(self, net: Net, seed: int) -> list[Fields]:
        return play_evaluation(self.run, net, self.learner.td, seed)

    def _note(self, line: Fields) -> None:
        """Stores an evaluation."""
        stored = self.run.add_metrics(line)
        self.evaluations += 1
        self.evaluated = line["episode"]
        self.progress.say(shown(stored))

    def _save(self, last: bool) -> None:
        """Writes a checkpoint; where there is no room, training goes on, and the end is rescued."""
        reached = (self.learner.episode, self.evaluations)
        if self.saved == reached:
            return
        tensors = self.learner.tensors()
        self._check_weights(tensors["weights"])
        header = Header(
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
        try:
            save(self.run.checkpoints, header, tensors)
            self.saved = reached
        except OSError as error:
            if last:
                raise self._rescued(header, tensors, error) from None
            self.progress.say(f"no checkpoint was written: {error.strerror} ({error.filename})")

    def _rescued(self, header: Header, tensors: Tensors, error: OSError) -> TrainingError:
        """Saves what was learned where there is room; the error that says where."""
        said = f"{error.strerror} ({error.filename})"
        try:
            place = Path(tempfile.mkdtemp(prefix="tafl-rescued-"))
            file = save(place, header, tensors)
        except OSError:
            return TrainingError(f"what was learned could not be saved: {said}")
        return TrainingError(
            f"{said}: what was learned is in {file}; make room, move it to {self.run.checkpoints} "
            f"and continue with: tafl train --resume {self.run.path}"
        )
