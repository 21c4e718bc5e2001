"""Where several runs are computed: in processes on this machine, or on a cluster with Ray.

Both compute the same bits: a run depends on its folder and on nothing else. With Ray the folder has
to be one that all machines share.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import psutil

from tafl.arena.workers import cores
from tafl.boards import Game
from tafl.errors import InputError
from tafl.processes import Guarded
from tafl.settings.build import gigabytes, make_tuples, memory_needed
from tafl.settings.model import Settings
from tafl.training.stop import StopSignal
from tafl.training.worker import finish

WORKER = "tafl.training.worker"
SECONDS_BETWEEN_LOOKS = 0.1


@dataclass(frozen=True)
class Ending:
    """How a run ended: where it was computed, and why it failed, or nothing."""

    folder: Path
    place: str
    failure: str


class Executor(Protocol):
    """Brings runs to their end, as many at a time as there is room for."""

    @property
    def busy(self) -> bool:
        """Is any run under way or waiting?"""

    def start(self, folders: list[Path]) -> str:
        """Begins; returns, for a person, where and how many at a time."""

    def ended(self) -> list[Ending]:
        """The runs that ended since the last call."""

    def stop(self) -> None:
        """Lets the runs under way save what they have and forgets the others."""


def carry_out(
    executor: Executor,
    stop: StopSignal,
    look: Callable[[], None],
    tell: Callable[[Ending], None],
) -> dict[Path, str]:
    """Waits until an executor that was started has nothing left to do; returns why runs failed."""
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


def make_executor(name: str, game: Game, settings: Settings) -> Executor:
    """An executor by its name, with room for runs of these settings."""
    if settings.device == "cuda":
        if name == "ray":
            raise InputError("--device cuda trains on the GPU of this machine: no --executor ray")
        from tafl.training.together import GpuExecutor

        return GpuExecutor()
    memory = memory_needed(game, settings, make_tuples(game, settings))
    kind = RayExecutor if name == "ray" else LocalExecutor
    return kind(settings.threads, memory)


@dataclass
class Child:
    """The process of one run."""

    folder: Path
    program: Guarded
    errors: IO[bytes]

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """To ask and to tell; it ends as the run does."""
        return self.program.process

    def failure(self) -> str:
        """The last line that it wrote to stderr, or else its exit code."""
        if self.process.returncode == 0:
            return ""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").split("\n")
        said = [line for line in lines if line.strip()]
        return said[-1] if said else f"exit code {self.process.returncode}"


class LocalExecutor:
    """A process for each run, at most one per core."""

    def __init__(self, threads: int, memory: int, module: str = WORKER) -> None:
        self.module = module
        most = cores() // threads
        self.at_once = max(1, min(most, int(psutil.virtual_memory().available // memory)))
        self.waiting: list[Path] = []
        self.running: list[Child] = []
        self.stopped = False

    @property
    def busy(self) -> bool:
        """Is any run under way or waiting?"""
        return bool(self.waiting or self.running)

    def start(self, folders: list[Path]) -> str:
        """Starts as many processes as cores and memory allow."""
        self.waiting = list(folders)
        self._launch()
        return f"{len(self.running)} at a time"

    def ended(self) -> list[Ending]:
        """The runs whose processes ended; others take their places."""
        done = [child for child in self.running if child.process.poll() is not None]
        self.running = [child for child in self.running if child not in done]
        self._launch()
        return [Ending(child.folder, "", child.failure()) for child in done]

    def stop(self) -> None:
        """Signals the processes to stop, once: a second signal would end them at once."""
        self.waiting.clear()
        if not self.stopped:
            self.stopped = True
            for child in self.running:
                child.process.send_signal(signal.SIGTERM)

    def _launch(self) -> None:
        while self.waiting and len(self.running) < self.at_once:
            folder = self.waiting.pop(0)
            errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
            program = Guarded(
                [sys.executable, "-m", self.module, str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
            self.running.append(Child(folder, program, errors))


class RayExecutor:
    """A Ray task for each run, on the cluster at RAY_ADDRESS, or one on this machine."""

    def __init__(self, threads: int, memory: int) -> None:
        try:
            import ray
        except ImportError:
            raise InputError(
                "--executor ray needs Ray, which is not installed: pip install 'tafl[ray]'"
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
        """Is any run under way or waiting?"""
        return bool(self.tasks)

    def start(self, folders: list[Path]) -> str:
        """Hands all runs to Ray, which starts them where there is room."""
        task = self.ray.remote(_finish_there).options(**self.options)
        self.tasks = {task.remote(str(folder.resolve())): folder for folder in folders}
        return self.place

    def ended(self) -> list[Ending]:
        """The runs whose tasks ended."""
        done, _ = self.ray.wait(list(self.tasks), num_returns=len(self.tasks), timeout=0)
        return [self._ending(task) for task in done]

    def stop(self) -> None:
        """Cancels the tasks, once: that is a Ctrl-C to those under way."""
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
            failure, place = self.ray.get(task)
        except Exception as error:  # a machine was lost, or the task cancelled
            return Ending(folder, "", f"{type(error).__name__}: {error}".split("\n")[0])
        return Ending(folder, place, failure)


def _finish_there(folder: str) -> tuple[str, str]:
    """On a machine of the cluster: finishes a run, and says which machine it was."""
    import ray

    node = str(ray.get_runtime_context().get_node_id())
    return finish(Path(folder)), f"node {node[:8]}"
