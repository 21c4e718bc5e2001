"""Runs that learn side by side on a GPU; evaluations go on beside them, on the cores of the CPU."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tafl.boards import Game
from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.processes import cores
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.settings.tables import Fields
from tafl.training.evaluation import play_in_worker
from tafl.training.executors import Outcome, outcome_of
from tafl.training.gpu import Member, Population
from tafl.training.gpu_regret import RegretMember, RegretPopulation
from tafl.training.loop import run_loop
from tafl.training.progress import Progress
from tafl.training.run_training import Checkpoint, RunTraining
from tafl.training.stop import StopSignal
from tafl.workers import Pool

SAVING = 0.1  # share of the time that checkpoints may take, unless the settings ask for more


def populate(
    game: Game, settings: Sequence[Settings], tuples: Sequence[list[list[int]]]
) -> Population | RegretPopulation:
    """Return agents that learn side by side, each with its settings."""
    kind = RegretPopulation if settings[0].algo == "regret" else Population
    return kind(game, settings, tuples)


class GpuTraining:
    """Runs that are equally far and have networks of one shape: one loop for all of them."""

    block_seconds = 1.0

    def __init__(self, runs: list[Run], tuples: list[list[list[int]]], progress: list[Progress]):
        self.population = populate(runs[0].game, [run.settings for run in runs], tuples)
        self.room = self.population.room
        self.workers = Pool()
        self.trainings = [
            self._training(run, self.population.member(k, k % self.room), shown)
            for k, (run, shown) in enumerate(zip(runs, progress, strict=True))
        ]
        self.run, self.learner = runs[0], self.trainings[0].learner
        self.progress: Progress = BroadcastProgress(self.trainings)
        self.seconds = 0.0  # of learning alone
        self.evaluated = 0  # the episode at which the last evaluations began
        self.failed: dict[Path, Outcome] = {}
        self.threads = ThreadPoolExecutor(cores())
        self.pending: list[tuple[RunTraining, Future[Fields]]] = []  # evaluations under way
        self.saving = 0.0  # seconds that the last checkpoints took

    def _training(self, run: Run, member: Member | RegretMember, progress: Progress) -> RunTraining:
        """Return the record of one run; of several with networks, workers play the evaluations."""

        def play(net: Net, seed: int) -> list[Fields]:
            assert isinstance(member, Member)
            weights = self.population.copies[member.place]
            return play_in_worker(self.workers, run, member.tuples, weights, seed)

        # for one a thread is enough, and there at once
        several = self.population.agents > 1 and isinstance(member, Member)
        return RunTraining(run, member, progress, play if several else None)

    @property
    def saved_episode(self) -> int:
        """The episode of the last checkpoint."""
        return self.trainings[0].saved_episode

    def take_up(self, *found: Checkpoint) -> None:
        """Continue from checkpoints of one episode, one for each run, or from none."""
        for training, checkpoint in zip(self.trainings, found, strict=True):
            training.take_up(checkpoint)
        first = self.trainings[0]
        self.seconds, self.evaluated = first.seconds, first.evaluated

    def go(self, stop: StopSignal | None = None) -> None:
        """Learn, evaluate and save up to the last episode, or up to a signal."""
        try:
            run_loop(self, stop)
        finally:
            self.threads.shutdown(cancel_futures=True)
            self.workers.end()

    def patience(self) -> float:
        """Return the seconds between two checkpoints."""
        return max(self.trainings[0].patience(), self.saving / SAVING)

    def evaluate(self, stop: StopSignal) -> None:
        """Begin to evaluate copies of the networks; learning goes on."""
        for group in self._in_groups():
            for training in group:
                with self._alone(training):
                    standing = training.standing()
                    self.pending.append((training, self.threads.submit(training.judge, standing)))
        self.evaluated = self.learner.episode

    def save(self, last: bool) -> None:
        """Write checkpoints of all runs, with all evaluations before them."""
        began = time.monotonic()
        for group in self._in_groups():
            under_way = [(training, self.threads.submit(training.save, last)) for training in group]
            for training, saved in under_way:
                with self._alone(training):
                    saved.result()
        self.saving = time.monotonic() - began

    def _join(self) -> None:
        """Wait for evaluations and store them."""
        while self.pending:
            training, line = self.pending.pop()
            with self._alone(training):
                training.note(line.result())

    def _in_groups(self) -> Iterator[list[RunTraining]]:
        """Yield the runs that have not failed, as many as the memory here has room for.

        Evaluations under way end before: their weights are in this memory.
        """
        for first in range(0, len(self.trainings), self.room):
            self._join()
            group = self.trainings[first : first + self.room]
            for training in group:
                training.seconds = self.seconds
            yield [training for training in group if training.run.path not in self.failed]

    @contextmanager
    def _alone(self, training: RunTraining) -> Iterator[None]:
        """Let a run that fails leave the others alone, unless all have failed."""
        try:
            yield
        except InputError as error:
            self.failed[training.run.path] = outcome_of(error)
            if len(self.failed) == len(self.trainings):
                raise


class BroadcastProgress(Progress):
    """Tells all trainings how far they are."""

    def __init__(self, trainings: list[RunTraining]):
        self.trainings = trainings

    def begin(self, episode: int, total: int) -> None:
        for training in self.trainings:
            training.progress.begin(episode, total)

    def block(self, episode: int, moves: int) -> None:
        for training in self.trainings:
            training.progress.block(episode, training.learner.moves)

    def end(self) -> None:
        for training in self.trainings:
            training.progress.end()
