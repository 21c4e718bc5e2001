"""Runs that learn side by side on a GPU; evaluations go on beside them, on the cores of the CPU."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.processes import cores
from tafl.runs.run import Run
from tafl.settings.tables import Fields
from tafl.training.evaluation import play_in_worker
from tafl.training.executors import Outcome, outcome_of
from tafl.training.gpu import Member, Population
from tafl.training.loop import run_loop
from tafl.training.progress import Progress
from tafl.training.run_training import Checkpoint, RunTraining
from tafl.training.stop import StopSignal
from tafl.workers import Pool

SAVING = 0.1  # share of the time that checkpoints may take, unless the settings ask for more


class GpuTraining:
    """Runs that are equally far and have networks of one shape: one loop for all of them."""

    block_seconds = 1.0

    def __init__(self, runs: list[Run], tuples: list[list[list[int]]], progress: list[Progress]):
        self.population = Population(runs[0].game, [run.settings for run in runs], tuples)
        self.room = self.population.room
        self.workers = Pool()
        self.trainings = [
            self._training(run, Member(self.population, k, k % self.room), shown)
            for k, (run, shown) in enumerate(zip(runs, progress, strict=True))
        ]
        self.run, self.learner = runs[0], self.trainings[0].learner
        self.progress: Progress = BroadcastProgress(self.trainings)
        self.seconds = 0.0  # of learning alone
        self.evaluated = 0  # the episode at which the last evaluations began
        self.failed: dict[Path, Outcome] = {}
        self.threads = ThreadPoolExecutor(cores())
        self.pending: dict[int, Future[Fields]] = {}  # evaluations under way, by training
        self.saving = 0.0  # seconds that the last checkpoints took

    def _training(self, run: Run, member: Member, progress: Progress) -> RunTraining:
        """Return the record of one run; of several, workers play the evaluations."""

        def play(net: Net, seed: int) -> list[Fields]:
            weights = self.population.copies[member.place]
            return play_in_worker(self.workers, run, member.tuples, weights, seed)

        # for one a thread is enough, and there at once
        return RunTraining(run, member, progress, play if self.population.agents > 1 else None)

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
            self._join()
            for k in group:
                self._try(k, partial(self._begin_evaluation, k))
        self.evaluated = self.learner.episode

    def save(self, last: bool) -> None:
        """Write checkpoints of all runs, with all evaluations before them."""
        began = time.monotonic()
        self._join()
        for group in self._in_groups():
            under_way = {k: self.threads.submit(self._save_one, k, last) for k in group}
            for k, saved in under_way.items():
                self._try(k, saved.result)
        self.saving = time.monotonic() - began

    def _save_one(self, k: int, last: bool) -> None:
        training = self.trainings[k]
        training.seconds = self.seconds
        if training.run.path not in self.failed:
            training.save(last)

    def _begin_evaluation(self, k: int) -> None:
        training = self.trainings[k]
        training.seconds = self.seconds
        self.pending[k] = self.threads.submit(training.judge, training.standing())

    def _join(self) -> None:
        """Wait for evaluations and store them."""
        while self.pending:
            k, line = self.pending.popitem()
            self._try(k, partial(self._end_evaluation, k, line))

    def _end_evaluation(self, k: int, line: Future[Fields]) -> None:
        self.trainings[k].note(line.result())

    def _in_groups(self) -> Iterator[range]:
        """Yield as many trainings at a time as the memory here has room for."""
        for first in range(0, len(self.trainings), self.room):
            yield range(first, min(first + self.room, len(self.trainings)))

    def _try(self, k: int, action: Callable[[], None]) -> None:
        """Do something for a run; one that fails leaves the others alone."""
        path = self.trainings[k].run.path
        if path in self.failed:
            return
        try:
            action()
        except InputError as error:
            self.failed[path] = outcome_of(error)
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
