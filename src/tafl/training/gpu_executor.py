"""Many runs on one GPU: runs of the same shape learn side by side, group after group."""

import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from tafl.runs.folder import claimed
from tafl.runs.run import Run
from tafl.settings.build import horizon, make_tuples
from tafl.training.device import agents_that_fit, device_code
from tafl.training.executors import Ending, Outcome, outcome_of
from tafl.training.gpu_training import GpuTraining
from tafl.training.plan import check_opponents
from tafl.training.progress import ProgressFile
from tafl.training.run_training import Checkpoint
from tafl.training.stop import Stopped, StopSignal
from tafl.training.training import refuse_other_rules

MOST_RUNS = 500  # of a group: each holds a lock


class Opened(NamedTuple):
    """A run that is to be continued, or to begin."""

    run: Run
    found: Checkpoint
    tuples: list[list[int]]


class GpuExecutor:
    """Brings runs to their end on one GPU: groups of the same shape that fit into its memory."""

    def __init__(self) -> None:
        self.name = device_code().device_name()
        self.stopping = StopSignal()
        self.endings: queue.Queue[Ending] = queue.Queue()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.folders: list[Path] = []

    @property
    def busy(self) -> bool:
        """Return whether any run is under way or waiting."""
        return self.thread.is_alive() or not self.endings.empty()

    def start(self, folders: list[Path]) -> str:
        """Begin with the first group of runs."""
        self.folders = folders
        self.thread.start()
        return f"on {self.name}"

    def ended(self) -> list[Ending]:
        """Return the runs that ended since the last call."""
        return [self.endings.get() for _ in range(self.endings.qsize())]

    def stop(self) -> None:
        """Let the runs under way save what they have, and forget the others."""
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
        """Train a group of runs; return how each ended, by its folder."""
        runs, found, tuples = zip(*group, strict=True)
        paths = [run.path for run in runs]
        ended: dict[Path, Outcome] = {}
        try:
            with ExitStack() as claims:
                for run, checkpoint in zip(runs, found, strict=True):
                    claims.enter_context(claimed(run.path))
                    refuse_other_rules(run, checkpoint)
                training = GpuTraining(list(runs), list(tuples), [*map(ProgressFile, paths)])
                training.take_up(*found)
                ended = training.failed  # those that fail, also where all do
                training.go(self.stopping)
        except Stopped:
            return dict.fromkeys(paths, Outcome("stopped"))
        except Exception as error:
            return {path: ended.get(path, outcome_of(error)) for path in paths}
        return {path: ended.get(path, Outcome()) for path in paths}


def opened(folder: Path) -> Opened:
    """Return a run, its last checkpoint, and its n-tuples."""
    run = Run.open(folder)
    check_opponents(run.game, run.settings, str(folder))
    found = run.checkpoint()
    return Opened(run, found, found[1].tuples if found else make_tuples(run.game, run.settings))


def groups(runs: list[Opened]) -> Iterator[list[Opened]]:
    """Yield runs that learn side by side, in their order, as many as the device has room for."""
    same_kind: dict[str, list[Opened]] = {}
    for each in runs:
        same_kind.setdefault(kind(each), []).append(each)
    for group in same_kind.values():
        (run, _, tuples), *_ = group
        most = max(1, min(MOST_RUNS, agents_that_fit(run.game, run.settings, tuples)))
        for k in range(0, len(group), most):
            yield group[k : k + most]


def kind(opened: Opened) -> str:
    """Return what runs that learn side by side share: all but the numbers passed to a kernel."""
    run, found, tuples = opened
    settings = run.settings
    network = settings.network.sigma, settings.network.symmetries, sorted(map(len, tuples))
    coherence = settings.coherence.transfer, settings.coherence.accumulate
    schedule = settings.ends, settings.evaluation.every, settings.checkpoint, settings.threads
    learning = settings.algo, horizon(settings.td), settings.td.backward
    regret = (settings.regret.store, settings.regret.states) * (settings.algo == "regret")
    begun = found[1].episode if found else 0
    return repr((run.game.name, network, coherence, schedule, learning, regret, begun))
