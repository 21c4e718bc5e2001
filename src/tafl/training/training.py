"""Training: from a plan to a run.

    blocks    episodes run in compiled code, about a third of a second at a time
    between   evaluations at exact episodes, checkpoints now and then, signals

Results do not depend on the size of blocks nor on when checkpoints are written.
"""

import re
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.errors import InputError
from tafl.runs.checkpoint import Header, load, save
from tafl.runs.folder import claimed, new_folder, unique_folder
from tafl.runs.run import Run
from tafl.settings.model import merged, nested
from tafl.settings.seeds import EVALUATION, derived
from tafl.training.learner import Learner
from tafl.training.plan import Plan, make_plan, option_tree, prepare
from tafl.training.progress import Progress, shown
from tafl.training.stop import Stopped, StopSignal

BLOCK_SECONDS = 0.3


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
        run = Run.create(path, plan.game, plan.settings)
        progress.say(str(plan))
        Training(run, Learner(plan.game, plan.settings, plan.tuples), progress).go()
    return run


def resume(path: str | Path, progress: Progress | None = None) -> Run:
    """Continues a run from its last checkpoint; the result is as if it had never stopped.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder)
    ...     tafl.resume(folder).finished  # there is nothing left to do
    True
    """
    progress = progress or Progress()
    run = Run.open(path)
    with claimed(run.path):
        candidates = run.candidates()
        for file, header in candidates:
            if header.source != run.source:
                raise InputError(
                    f"{file} was written with other rules of {run.game.name}; start a new run"
                )
        plan = make_plan(run.game, run.settings)
        progress.say(str(plan))
        tuples = candidates[0][1].tuples if candidates else plan.tuples
        training = Training(run, Learner(run.game, run.settings, tuples), progress)
        if candidates:
            training.restore(load(candidates, training.learner.tensors()))
        else:
            run.keep_metrics(0)
        training.go()
    return run


def default_folder(plan: Plan) -> Path:
    """runs/GAME-ALGO-SEED."""
    name = re.match(r"\w+", Path(plan.game.name).name)
    assert name is not None
    return Path("runs") / f"{name[0]}-{plan.settings.algo}-{plan.settings.seed}"


class Training:
    """One run on its way from its first or some later episode to its last."""

    def __init__(self, run: Run, learner: Learner, progress: Progress):
        self.run, self.learner, self.progress = run, learner, progress
        self.seconds = 0.0  # of training alone
        self.evaluations = 0
        self.evaluated = 0  # the episode of the last evaluation
        self.saved = (0, 0)  # episode and evaluations of the last checkpoint

    def restore(self, header: Header) -> None:
        """Continues from a checkpoint whose arrays the learner has."""
        self.learner.episode, self.evaluations = header.episode, header.evaluations
        self.saved = (header.episode, header.evaluations)
        self.seconds = header.seconds
        self.run.keep_metrics(self.evaluations)
        if self.evaluations:
            self.evaluated = self.run.metrics[-1]["episode"]

    def go(self) -> None:
        """Learns, evaluates and saves up to the last episode, or up to a signal."""
        learner, total = self.learner, self.run.settings.episodes
        episodes = 1  # in a block, to begin with
        saved_at = time.monotonic()
        self.progress.begin(learner.episode, total)
        try:
            with StopSignal() as stop:
                learner.compile()
                while True:
                    if self._due() and not stop.number:
                        self._evaluate()
                    done = learner.episode == total and not self._due()
                    late = time.monotonic() - saved_at >= self.run.settings.checkpoint.every_seconds
                    if done or stop.number or late:
                        self._save()
                        saved_at = time.monotonic()
                    if done:
                        return
                    if stop.number:
                        raise Stopped(stop.number, self.run.path)
                    episodes = self._learn(episodes)
        finally:
            self.progress.end()

    def _learn(self, episodes: int) -> int:
        """Plays a block of at most this many episodes; returns the size of the next."""
        before = time.perf_counter()
        count = min(episodes, self._next_stop() - self.learner.episode)
        self.learner.learn(count)
        seconds = time.perf_counter() - before
        self.seconds += seconds
        self.progress.block(self.learner.episode, self.learner.moves)
        return min(2 * episodes, max(1, round(count * BLOCK_SECONDS / seconds)))

    def _next_stop(self) -> int:
        every, total = self.run.settings.evaluation.every, self.run.settings.episodes
        return min(total, (self.learner.episode // every + 1) * every) if every else total

    def _due(self) -> bool:
        every, episode = self.run.settings.evaluation.every, self.learner.episode
        if every == 0 or episode in (0, self.evaluated):
            return False
        return episode % every == 0 or episode == self.run.settings.episodes

    def _evaluate(self) -> None:
        learner, settings = self.learner, self.run.settings
        how = settings.evaluation
        seed = derived(settings.seed, EVALUATION, learner.episode)
        agent = LearnedAgent(self.run.game, learner.net, learner.td, seed)
        line = {
            "episode": learner.episode,
            "moves": learner.moves,
            "seconds": round(self.seconds, 3),
            "active": learner.active,
            "scores": learner.scores,
            "results": [
                evaluate(
                    agent, vs, how.games, starts=how.starts, roles=how.roles, seed=seed
                ).document()
                for vs in how.opponents
            ],
        }
        self.run.add_metrics(line)
        self.evaluations += 1
        self.evaluated = learner.episode
        self.progress.say(shown(self.run.metrics[-1]))

    def _save(self) -> None:
        reached = (self.learner.episode, self.evaluations)
        if self.saved == reached:
            return
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
        )
        save(self.run.checkpoints, header, self.learner.tensors())
        self.saved = reached
