"""Where several runs are computed: in processes on this machine, or on a cluster with Ray.

Both compute the same bits: a run depends on its folder and on nothing else. With Ray the folder has
to be one that all machines share.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import psutil

from tafl.boards import Game
from tafl.errors import InputError
from tafl.processes import Guarded, cores
from tafl.settings.build import gigabytes, make_tuples, memory_needed
from tafl.settings.model import Settings
from tafl.training.stop import StopSignal
from tafl.training.worker import Outcome, finish

WORKER = "tafl.training.worker"
SECONDS_BETWEEN_LOOKS = 0.1


@dataclass(frozen=True)
class Ending:
    """How a run ended: where it was computed, and why it failed, or nothing.

    It `diverged` if that is its settings' fault: they would fail again.
    """

    folder: Path
    place: str
    failure: str
    diverged: bool = False


class Executor(Protocol):
    """Brings runs to their end, as many at a time as there is room for.

    A run is a folder that says everything: the settings may differ from run to run, and a folder
    with a checkpoint goes on from there. An executor is started once.
    """

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


def make_executor(name: str, game: Game, runs: Sequence[Settings]) -> Executor:
    """An executor by its name, with room for runs of these settings."""
    if any(one.device == "cuda" for one in runs):
        if name == "ray":
            raise InputError("--device cuda trains on the GPU of this machine: no --executor ray")
        from tafl.training.together import GpuExecutor

        return GpuExecutor()
    kind = RayExecutor if name == "ray" else LocalExecutor
    memory = max(memory_needed(game, one, make_tuples(game, one)) for one in runs)
    return kind(max(one.threads for one in runs), memory)


class Child:
    """A process that finishes runs, one after the other."""

    def __init__(self, module: str) -> None:
        # open as long as the process runs
        self.answers = tempfile.TemporaryFile()  # noqa: SIM115
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.program = Guarded(
            [sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=self.answers,
            stderr=self.errors,
        )
        self.folder: Path | None = None

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """To ask and to tell."""
        return self.program.process

    def give(self, folder: Path) -> None:
        """Hands it the next run."""
        self.folder = folder
        self.before = _size(self.answers), _size(self.errors)
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):  # it has died, which will be noticed
            self.process.stdin.write(json.dumps(str(folder)).encode() + b"\n")
            self.process.stdin.flush()

    def dismiss(self) -> None:
        """There is nothing left to do for it."""
        assert self.process.stdin is not None
        with suppress(BrokenPipeError):
            self.process.stdin.close()

    def ending(self) -> Ending | None:
        """How its run ended, if it has: what it says, or what its own end tells."""
        dead = self.process.poll() is not None
        answer, said = (
            os.pread(file.fileno(), _size(file) - offset, offset).decode(errors="replace")
            for file, offset in zip((self.answers, self.errors), self.before, strict=True)
        )
        assert self.folder is not None
        if answer.endswith("\n"):
            return Ending(self.folder, "", *json.loads(answer))
        if not dead:
            return None
        lines = [line for line in said.split("\n") if line.strip()]
        return Ending(
            self.folder, "", lines[-1] if lines else f"exit code {self.process.returncode}"
        )


def _size(file: IO[bytes]) -> int:
    return os.fstat(file.fileno()).st_size


class LocalExecutor:
    """Processes that finish runs, at most one per core."""

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
        """The runs that ended; others take their places."""
        endings = []
        for child in list(self.running):
            if ending := child.ending():
                endings.append(ending)
                if self.waiting and child.process.poll() is None:
                    child.give(self.waiting.pop(0))
                else:
                    child.dismiss()
                    self.running.remove(child)
        self._launch()
        return endings

    def stop(self) -> None:
        """Signals the processes to stop, once: a second signal would end them at once."""
        self.waiting.clear()
        if not self.stopped:
            self.stopped = True
            for child in self.running:
                child.process.send_signal(signal.SIGTERM)

    def _launch(self) -> None:
        while self.waiting and len(self.running) < self.at_once:
            child = Child(self.module)
            child.give(self.waiting.pop(0))
            self.running.append(child)


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
            outcome, place = self.ray.get(task)
        except Exception as error:  # a machine was lost, or the task cancelled
            return Ending(folder, "", f"{type(error).__name__}: {error}".split("\n")[0])
        return Ending(folder, place, *outcome)


def _finish_there(folder: str) -> tuple[Outcome, str]:
    """On a machine of the cluster: finishes a run, and says which machine it was."""
    import ray

    node = str(ray.get_runtime_context().get_node_id())
    return finish(Path(folder)), f"node {node[:8]}"
