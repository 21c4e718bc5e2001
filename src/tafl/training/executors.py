"""Executors of several runs: processes on this machine, or a Ray cluster.

Both compute the same bits: a run depends on its folder and on nothing else. With Ray the folder has
to be one that all machines share.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple, Protocol

import psutil

from tafl.arguments import argument
from tafl.boards import Game
from tafl.boards.trust import for_now, known_here
from tafl.errors import Diverged, InputError, message
from tafl.processes import cores
from tafl.runs.folder import other_machine
from tafl.runs.run import Run
from tafl.settings.build import gigabytes, make_tuples, memory_needed
from tafl.settings.model import Settings
from tafl.settings.tables import Fields
from tafl.training.progress import ProgressFile
from tafl.training.stop import StopSignal
from tafl.training.training import resume
from tafl.workers import Pool, Worker, WorkerEnded

FINISH = f"{__name__}:finish"
SECONDS_BETWEEN_LOOKS = 0.1


@dataclass(frozen=True)
class Ending:
    """The end of a run: where it was computed, and why it failed, if it did.

    It `diverged` if that is its settings' fault: they would fail again.
    """

    folder: Path
    place: str
    failure: str
    diverged: bool = False


class Outcome(NamedTuple):
    """Why a run failed, or nothing; and whether that was its settings' fault."""

    failure: str = ""
    diverged: bool = False


def outcome_of(error: Exception) -> Outcome:
    """Return what an error says about a run."""
    return Outcome(message(error), isinstance(error, Diverged))


def finish(path: str | Path) -> Outcome:
    """Bring a run to its end, in a worker."""
    try:
        resume(path, ProgressFile(Path(path)))
    except Exception as error:
        return outcome_of(error)
    return Outcome()


class Executor(Protocol):
    """Brings runs to their end, as many at a time as there is room for.

    A run is a folder that says everything: the settings may differ from run to run, and a folder
    with a checkpoint goes on from there. An executor is started once.
    """

    @property
    def busy(self) -> bool:
        """Return whether any run is under way or waiting."""

    def start(self, folders: list[Path]) -> str:
        """Begin; return, for a person, where and how many at a time."""

    def ended(self) -> list[Ending]:
        """Return the runs that ended since the last call."""

    def stop(self) -> None:
        """Let the runs under way save what they have, and forget the others."""


def carry_out(
    executor: Executor,
    stop: StopSignal,
    look: Callable[[], None],
    tell: Callable[[Ending], None],
) -> dict[Path, str]:
    """Wait until an executor that was started has nothing left to do; return why runs failed."""
    failed: dict[Path, str] = {}
    while executor.busy:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        if stop.number:
            executor.stop()
        for ending in executor.ended():
            if ending.failure and not stop.number:
                failed[ending.folder] = ending.failure
            tell(ending)
        look()
    return failed


EXECUTORS = ("local", "ray")


def make_executor(name: str, game: Game, runs: Sequence[Settings]) -> Executor:
    """Return an executor by its name, with room for runs of these settings."""
    if name not in EXECUTORS:
        raise InputError(f"executor must be {' or '.join(EXECUTORS)}, not {name!r}")
    if any(one.device == "cuda" for one in runs):
        if name == "ray":
            device, ray = argument("device", "cuda"), argument("executor", "ray")
            raise InputError(f"{device} trains on the GPU of this machine: no {ray}")
        from tafl.training.gpu_executor import GpuExecutor

        return GpuExecutor()
    kind = RayExecutor if name == "ray" else LocalExecutor
    memory = max(memory_needed(game, one, make_tuples(game, one)) for one in runs)
    return kind(max(one.threads for one in runs), memory)


class LocalExecutor:
    """Worker processes that finish runs, one after the other; at most one process per core.

    `call` says what a worker does for a folder: a function, and its arguments.
    """

    def __init__(
        self,
        threads: int,
        memory: int,
        call: Callable[[Path], tuple[str, Fields]] = lambda folder: (FINISH, {"path": str(folder)}),
    ) -> None:
        most = cores() // threads
        self.at_once = max(1, min(most, int(psutil.virtual_memory().available // memory)))
        self.call, self.pool = call, Pool(quiet=True)
        self.waiting: list[Path] = []
        self.running: list[Worker] = []
        self.done: SimpleQueue[tuple[Worker, Ending]] = SimpleQueue()
        self.stopped = False

    @property
    def busy(self) -> bool:
        """Return whether any run is under way or waiting."""
        return bool(self.waiting or self.running)

    def start(self, folders: list[Path]) -> str:
        """Start as many processes as cores and memory allow."""
        self.waiting = list(folders)
        self._launch()
        return f"{len(self.running)} at a time"

    def ended(self) -> list[Ending]:
        """Return the runs that ended; others take their places."""
        endings = []
        for _ in range(self.done.qsize()):
            worker, ending = self.done.get()
            endings.append(ending)
            self.running.remove(worker)
            self.pool.give_back(worker)
        self._launch()
        if not self.busy:
            self.pool.end()
        return endings

    def stop(self) -> None:
        """Signal the processes to stop, once: a second signal would end them at once."""
        self.waiting.clear()
        if not self.stopped:
            self.stopped = True
            for worker in self.running:
                worker.program.ask_to_stop()

    def _launch(self) -> None:
        while self.waiting and len(self.running) < self.at_once:
            worker = self.pool.take()
            self.running.append(worker)
            arguments = worker, self.waiting.pop(0)
            Thread(target=self._follow, args=arguments, daemon=True).start()

    def _follow(self, worker: Worker, folder: Path) -> None:
        """Wait for the end of a run."""
        try:
            outcome = Outcome(*worker.call(*self.call(folder)))
        except WorkerEnded as end:
            outcome = Outcome(end.said or f"exit code {end.code}")
        except Exception as error:
            outcome = outcome_of(error)
        self.done.put((worker, Ending(folder, "", *outcome)))


class RayExecutor:
    """A Ray task for each run, on the cluster at RAY_ADDRESS, or one on this machine."""

    def __init__(self, threads: int, memory: int) -> None:
        try:
            import ray
        except ImportError:
            raise InputError(
                f"{argument('executor', 'ray')} needs Ray, which is not installed: "
                "pip install 'tafl[ray]'"
            ) from None
        self.ray: Any = ray
        self.tasks: dict[Any, Path] = {}
        self.stopped = False
        self.options = {"num_cpus": threads, "memory": memory, "scheduling_strategy": "SPREAD"}
        self._connect()
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        if not any(n.get("CPU", 0) >= threads and n.get("memory", 0) >= memory for n in nodes):
            raise InputError(
                f"no machine of the Ray cluster has the {threads} cores and {gigabytes(memory)} "
                "of memory that a run needs"
            )
        self.place = f"on a Ray cluster of {len(nodes)} machines"

    @property
    def busy(self) -> bool:
        """Return whether any run is under way or waiting."""
        return bool(self.tasks)

    def start(self, folders: list[Path]) -> str:
        """Hand all runs to Ray, which starts them where there is room."""
        task = self.ray.remote(_finish_there).options(**self.options)
        trusted = known_here()
        self.tasks = {task.remote(str(one.resolve()), trusted): one for one in folders}
        return self.place

    def ended(self) -> list[Ending]:
        """Return the runs whose tasks ended."""
        done, _ = self.ray.wait(list(self.tasks), num_returns=len(self.tasks), timeout=0)
        return [self._ending(task) for task in done]

    def stop(self) -> None:
        """Cancel the tasks, once: that is a Ctrl-C to those under way."""
        if not self.stopped:
            self.stopped = True
            for task in self.tasks:
                self.ray.cancel(task)

    def _connect(self) -> None:
        if self.ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            self.ray.init(log_to_driver=False, logging_level="error")
        except (ConnectionError, ValueError) as error:
            raise InputError(f"cannot connect to the Ray cluster: {error}") from None

    def _ending(self, task: Any) -> Ending:
        folder = self.tasks.pop(task)
        try:
            outcome, place = self.ray.get(task)
        except Exception as error:  # a machine was lost, or the task cancelled
            return Ending(folder, "", f"{type(error).__name__}: {error}".split("\n")[0])
        return Ending(folder, place, *outcome)


def _finish_there(folder: str, trusted: list[str]) -> tuple[Outcome, str]:
    """Finish a run on a machine of the cluster; return which machine that was."""
    import ray

    for content in trusted:
        for_now(content)
    node = str(ray.get_runtime_context().get_node_id())
    run = Run.open(folder)
    other = other_machine(run.environment) if run.settings.device == "cpu" else ""
    note = f" (it began with {other}: last bits may differ)" if other else ""
    return finish(folder), f"node {node[:8]}{note}"
