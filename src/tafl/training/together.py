"""Runs that learn side by side on a GPU; evaluations go on beside them, on the cores of the CPU."""

import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tafl.core.ntuple.net import Net
from tafl.errors import InputError
from tafl.processes import cores
from tafl.runs.folder import claimed
from tafl.runs.run import Run
from tafl.settings.build import build_net, horizon, make_tuples
from tafl.settings.tables import Fields
from tafl.training.evaluation import play_in_worker
from tafl.training.executors import Ending, Outcome, outcome_of
from tafl.training.gpu import Member, Population, agents_that_fit, device_code
from tafl.training.progress import Progress, ProgressFile
from tafl.training.stop import Stopped, StopSignal
from tafl.training.training import Checkpoint, Training, refuse_other_rules
from tafl.workers import Pool

SAVING = 0.1  # share of the time that checkpoints may take, unless the settings ask for more
MOST_RUNS = 500  # of a group: each has a lock of its own
Tuples = list[list[int]]


class Opened(NamedTuple):
    """A run that is to be continued, or to begin."""

    run: Run
    found: Checkpoint
    tuples: Tuples


class Together(Training):
    """Runs that are equally far and have networks of one shape: one loop for all of them."""

    block_seconds = 1.0

    def __init__(self, runs: list[Run], tuples: list[Tuples], progress: list[Progress]):
        self.population = Population(runs[0].game, [run.settings for run in runs], tuples)
        self.room = self.population.room
        self.workers = Pool()
        self.members = [
            self._member(run, Member(self.population, k, k % self.room), shown)
            for k, (run, shown) in enumerate(zip(runs, progress, strict=True))
        ]
        super().__init__(runs[0], self.members[0].learner, Everyone(self.members))
        self.failed: dict[Path, Outcome] = {}
        self.pool = ThreadPoolExecutor(cores())
        self.pending: dict[int, Future[Fields]] = {}  # evaluations under way, by member
        self.saving = 0.0  # seconds that the last checkpoints took

    def _member(self, run: Run, learner: Member, progress: Progress) -> Training:
        if self.population.agents == 1:  # a thread is enough, and there at once
            return Training(run, learner, progress)
        return OneOfMany(run, learner, progress, self.workers)

    def take_up(self, *found: Checkpoint) -> None:
        """Continues from checkpoints of one episode, one for each run, or from none."""
        for member, checkpoint in zip(self.members, found, strict=True):
            member.take_up(checkpoint)
        first = self.members[0]
        self.seconds, self.evaluated = first.seconds, first.evaluated

    def go(self, stop: StopSignal | None = None) -> None:
        """Learns, evaluates and saves up to the last episode, or up to a signal."""
        try:
            super().go(stop)
        finally:
            self.pool.shutdown(cancel_futures=True)
            self.workers.end()

    def _evaluate(self, stop: StopSignal) -> None:
        """Evaluations of copies of the networks begin; learning goes on."""
        for members in self._in_groups():
            self._join()
            for k in members:
                self._try(k, partial(self._begin_evaluation, k))
        self.evaluated = self.learner.episode

    def _begin_evaluation(self, k: int) -> None:
        member = self.members[k]
        member.seconds = self.seconds
        standing = member._standing()
        self.pending[k] = self.pool.submit(member._judge, standing)

    def _end_evaluation(self, k: int, line: Future[Fields]) -> None:
        self.members[k]._note(line.result())

    def _join(self) -> None:
        """Waits for evaluations and stores them."""
        while self.pending:
            k, line = self.pending.popitem()
            self._try(k, partial(self._end_evaluation, k, line))

    def _save(self, last: bool) -> None:
        """Checkpoints of all runs, with all evaluations before them."""
        began = time.monotonic()
        self._join()
        for members in self._in_groups():
            under_way = {k: self.pool.submit(self._save_member, k, last) for k in members}
            for k, saved in under_way.items():
                self._try(k, saved.result)
        self.saving = time.monotonic() - began

    def _save_member(self, k: int, last: bool) -> None:
        member = self.members[k]
        member.seconds = self.seconds
        if member.run.path not in self.failed:
            member._save(last)

    def _in_groups(self) -> Iterator[range]:
        """As many members at a time as the memory here has room for."""
        for first in range(0, len(self.members), self.room):
            yield range(first, min(first + self.room, len(self.members)))

    def _patience(self) -> float:
        return max(super()._patience(), self.saving / SAVING)

    def _try(self, k: int, action: Callable[[], None]) -> None:
        """A run that fails leaves the others alone."""
        run = self.members[k].run
        if run.path in self.failed:
            return
        try:
            action()
        except InputError as error:
            self.failed[run.path] = outcome_of(error)
            if len(self.failed) == len(self.members):
                raise


class OneOfMany(Training):
    """A run whose evaluations are played by other processes."""

    def __init__(self, run: Run, learner: Member, progress: Progress, workers: Pool):
        super().__init__(run, learner, progress)
        self.workers, self.member = workers, learner

    def _play_evaluation(self, net: Net, seed: int) -> list[Fields]:
        weights = self.member.population.copies[self.member.place]
        return play_in_worker(self.workers, self.run, self.member.tuples, weights, seed)


class Everyone(Progress):
    """Tells all members how far they are."""

    def __init__(self, members: list[Training]):
        self.members = members

    def begin(self, episode: int, total: int) -> None:
        for member in self.members:
            member.progress.begin(episode, total)

    def block(self, episode: int, moves: int) -> None:
        for member in self.members:
            member.progress.block(episode, member.learner.moves)

    def end(self) -> None:
        for member in self.members:
            member.progress.end()


class GpuExecutor:
    """Brings runs to their end on one GPU: as many at a time as are alike and have room."""

    def __init__(self) -> None:
        self.name = device_code().device_name()
        self.stopping = StopSignal()
        self.endings: queue.Queue[Ending] = queue.Queue()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.folders: list[Path] = []

    @property
    def busy(self) -> bool:
        """Is any run under way or waiting?"""
        return self.thread.is_alive() or not self.endings.empty()

    def start(self, folders: list[Path]) -> str:
        """Begins with the first group of runs."""
        self.folders = folders
        self.thread.start()
        return f"on {self.name}"

    def ended(self) -> list[Ending]:
        """The runs that ended since the last call."""
        return [self.endings.get() for _ in range(self.endings.qsize())]

    def stop(self) -> None:
        """Lets the runs under way save what they have and forgets the others."""
        self.stopping.number = signal.SIGTERM

    def _work(self) -> None:
        ready: list[Opened] = []
        for folder in self.folders:
            try:
                ready.append(opened(folder))
            except Exception as error:  # a damaged run leaves the others alone
                self._tell({folder: outcome_of(error)})
        left = {one.run.path for one in ready}
        try:
            for group in groups(ready):
                if self.stopping.number:
                    return
                ended = self._bring_to_end(group)
                left -= ended.keys()
                self._tell(ended)
        except Exception as error:
            self._tell(dict.fromkeys(left, outcome_of(error)))

    def _tell(self, ended: dict[Path, Outcome]) -> None:
        for path, outcome in ended.items():
            self.endings.put(Ending(path, self.name, *outcome))

    def _bring_to_end(self, group: list[Opened]) -> dict[Path, Outcome]:
        """How runs ended, by their folders."""
        runs, found, tuples = zip(*group, strict=True)
        paths = [run.path for run in runs]
        ended: dict[Path, Outcome] = {}
        try:
            with ExitStack() as claims:
                for run, checkpoint in zip(runs, found, strict=True):
                    claims.enter_context(claimed(run.path))
                    refuse_other_rules(run, checkpoint)
                together = Together(list(runs), list(tuples), [*map(ProgressFile, paths)])
                together.take_up(*found)
                ended = together.failed  # those that fail, also where all do
                together.go(self.stopping)
        except Stopped:
            return dict.fromkeys(paths, Outcome("stopped"))
        except Exception as error:
            return {path: ended.get(path, outcome_of(error)) for path in paths}
        return {path: ended.get(path, Outcome()) for path in paths}


def opened(folder: Path) -> Opened:
    """A run, its last checkpoint, and its n-tuples."""
    run = Run.open(folder)
    found = run.checkpoint()
    return Opened(run, found, found[1].tuples if found else make_tuples(run.game, run.settings))


def groups(runs: list[Opened]) -> Iterator[list[Opened]]:
    """Runs that can learn side by side, in their order, as many as the device has room for."""
    alike: dict[str, list[Opened]] = {}
    for each in runs:
        alike.setdefault(kind(each), []).append(each)
    for group in alike.values():
        (run, _, tuples), *_ = group
        net = build_net(run.game, run.settings, tuples, tables=False)
        most = max(1, min(MOST_RUNS, agents_that_fit(run.game, run.settings, net)))
        for k in range(0, len(group), most):
            yield group[k : k + most]


def kind(opened: Opened) -> str:
    """What runs that learn side by side have in common: all but numbers that a kernel is told."""
    run, found, tuples = opened
    settings = run.settings
    network = settings.network.sigma, settings.network.symmetries, sorted(map(len, tuples))
    coherence = settings.coherence.transfer, settings.coherence.accumulate
    schedule = settings.ends, settings.evaluation.every, settings.checkpoint, settings.threads
    learning = settings.algo, horizon(settings.td), settings.td.backward
    begun = found[1].episode if found else 0
    return repr((run.game.name, network, coherence, schedule, learning, begun))
