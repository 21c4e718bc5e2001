"""Training: from a game and settings to a run.

    plan      everything is checked, and the memory estimated, before anything is made or written
    blocks    episodes run in compiled code, about a third of a second at a time
    between   evaluations at exact episodes, checkpoints now and then, signals

Results do not depend on the size of blocks nor on when checkpoints are written.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tafl.agents import make_agent
from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate, start_positions
from tafl.errors import InputError
from tafl.experiments.build import (
    check_memory,
    gigabytes,
    make_tuples,
    memory_needed,
    weights_of,
)
from tafl.experiments.checkpoint import Header, load, save
from tafl.experiments.learner import Learner
from tafl.experiments.presets import compose
from tafl.experiments.progress import Progress, shown
from tafl.experiments.run import Run, claimed, new_folder, unique_folder
from tafl.experiments.seeds import EVALUATION, derived
from tafl.experiments.settings import Settings, Tree, merged, nested, read_toml
from tafl.experiments.stop import Stopped, StopSignal
from tafl.games import Game, load_game

BLOCK_SECONDS = 0.3


@dataclass(frozen=True)
class Plan:
    """A run that can be made: its settings fit the game and the machine."""

    game: Game
    settings: Settings
    tuples: list[list[int]]
    memory: int  # bytes needed
    available: int  # bytes the machine has

    def __str__(self) -> str:
        weights = weights_of(self.game, self.settings, self.tuples)
        return (
            f"{self.game.name}: {weights:,} weights, n-tuples: {len(self.tuples)}; "
            f"needs {gigabytes(self.memory)} of memory, {gigabytes(self.available)} available"
        )


def make_plan(game: Game, settings: Settings) -> Plan:
    """Checks everything that can be checked before a run begins."""
    with _about("network.tuples"):
        tuples = make_tuples(game, settings)
    memory = memory_needed(game, settings, tuples)
    available = check_memory(memory)
    with _about("evaluation.opponents"):
        for opponent in settings.evaluation.opponents:
            make_agent(opponent, game)
    with _about("evaluation.starts"):
        start_positions(game, settings.evaluation.starts or "start", 1)
    return Plan(game, settings, tuples, memory, available)


@contextmanager
def _about(key: str) -> Iterator[None]:
    """Errors tell which setting they are about."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{key}: {error}") from None


def train(
    game: Any = None,
    algo: str = "td",
    preset: str | None = None,
    episodes: int | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    farl: bool = True,
    threads: int | None = None,
    settings: str | Path | None = None,
    progress: Progress | None = None,
    **overrides: Any,
) -> Run:
    """Trains an agent by self-play and returns its run; `td={"alpha": 0.5}` changes a setting.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("tictactoe", episodes=500, seed=1, out=folder)
    ...     len(run.agent.values(run.game.start()))
    9
    """
    given = option_tree(algo=algo, episodes=episodes, seed=seed, threads=threads, farl=farl)
    plan = prepare(game, preset, settings, merged(given, nested(overrides)))
    return start(plan, out, progress or Progress())


def option_tree(farl: bool = True, **options: Any) -> Tree:
    """The options that are not None as settings; FARL off is both of its parts off."""
    tree: Tree = {name: value for name, value in options.items() if value is not None}
    if not farl:
        tree["td"] = {"farl_others": False, "farl_terminal": False}
    return tree


def prepare(game: Any, preset: str | None, settings: str | Path | None, overrides: Tree) -> Plan:
    """The plan of a new run; a settings file may name the game."""
    named = read_toml(settings).get("game") if settings is not None else None
    if not isinstance(named, str | None):
        raise InputError(f"{settings}: game = {named!r}: should name a game")
    wanted = named if game is None else game
    if wanted is None:
        raise InputError("which game? name it, or a settings file that does")
    loaded = load_game(wanted)
    if named is not None and load_game(named).name != loaded.name:
        raise InputError(f"{settings} is for {named}, not for {loaded.name}")
    return make_plan(loaded, compose(loaded, preset, settings, overrides))


def start(plan: Plan, out: str | Path | None, progress: Progress) -> Run:
    """Begins a run in a new folder and goes through to its end."""
    path = unique_folder(default_folder(plan)) if out is None else new_folder(Path(out))
    with claimed(path):
        run = Run.create(path, plan.game, plan.settings)
        progress.say(str(plan))
        Training(run, Learner(plan.game, plan.settings, plan.tuples), progress).go()
    return run


def resume(path: str | Path, progress: Progress | None = None) -> Run:
    """Continues a run from its last checkpoint; the result is as if it had never stopped."""
    progress = progress or Progress()
    run = Run.open(path)
    with claimed(run.path):
        candidates = run.candidates()
        for file, header in candidates:
            if header.source != run.source:
                raise InputError(
                    f"{file} was written with other rules of {run.game.name}: train anew"
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
        """Goes on from a checkpoint whose arrays the learner has."""
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
        """Plays a block of at most so many episodes; returns how many the next should have."""
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
            "results": [
                evaluate(self.run.game, agent, opponent, how.games, seed, how.starts, how.roles)
                for opponent in how.opponents
            ],
        }
        self.run.add_metrics(line)
        self.evaluations += 1
        self.evaluated = learner.episode
        self.progress.say(shown(line, self.run.game.facts.score_unit))

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
