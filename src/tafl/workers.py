"""Worker processes, the one way to compute in several processes at once.

A worker calls the functions that it is told to, one after the other. Each line is JSON:

    to a worker   {"function": "tafl.training.executors:finish", "arguments": {...}}
    from it       {"part": ...}                a value that the function, a generator, has yielded
                  {"result": ...}              what it has returned: the next task may come
                  {"error": ..., "kind": ...}  or how it has failed, with the name of the class

A worker ends when its stdin does, and with the process that started it (`processes.py`).
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import isgenerator
from queue import Empty, SimpleQueue
from typing import Any, TextIO

from tafl.errors import WorkerError, message, of_kind
from tafl.processes import Guarded
from tafl.signals import insist

SERVE = "from tafl.workers import serve; serve()"

Fields = dict[str, Any]
Part = Callable[[Any], None]


class WorkerEnded(WorkerError):  # noqa: N818 - the name says what happened
    """A worker ended before it had answered; `said` is the last line that it wrote to stderr."""

    def __init__(self, code: int, said: str):
        super().__init__(f"a worker process ended with {code}")
        self.code, self.said = code, said


class Worker:
    """A process that calls functions; where it is `quiet`, nobody sees what it writes to stderr."""

    def __init__(self, quiet: bool = False):
        # open as long as the process runs
        self.errors = tempfile.TemporaryFile() if quiet else None  # noqa: SIM115
        self.program = Guarded(
            [sys.executable, "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.busy = False

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The process that signals are sent to."""
        return self.program.process

    def call(self, function: str, arguments: Fields, part: Part = lambda value: None) -> Any:
        """Call a function, MODULE:NAME, there; return its result, after `part` took all parts."""
        before = os.fstat(self.errors.fileno()).st_size if self.errors else 0
        self.busy = True
        for answer in self._answers({"function": function, "arguments": arguments}):
            if "part" in answer:
                part(answer["part"])
                continue
            self.busy = False
            if "error" in answer:
                raise of_kind(answer["kind"], answer["error"])
            return answer["result"]
        raise WorkerEnded(self.process.wait(), self._said_since(before))

    def _answers(self, task: Fields) -> Iterator[Fields]:
        """Yield the answers to a task until the process ends; the last one may be cut short."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(f"{_line(task)}\n".encode())
            self.process.stdin.flush()
        except OSError:  # BrokenPipeError, and another one on Windows
            return
        for line in self.process.stdout:
            if line.endswith(b"\n"):
                yield json.loads(line)

    def _said_since(self, before: int) -> str:
        if self.errors is None:
            return ""
        self.errors.seek(before)
        lines = self.errors.read().decode(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "")


class Pool:
    """Workers that are used again; threads may share it.

    >>> with Pool() as pool:
    ...     pool.call("tafl.errors:place", {"file": "mygame.py", "line": 23})
    'mygame.py:23'
    """

    def __init__(self, quiet: bool = False):
        self.quiet = quiet
        self.idle: SimpleQueue[Worker] = SimpleQueue()
        self.workers: list[Worker] = []

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *raised: object) -> None:
        self.end()

    def take(self) -> Worker:
        """Return an idle worker, or a new one where all are busy."""
        try:
            return self.idle.get_nowait()
        except Empty:
            worker = Worker(self.quiet)
            self.workers.append(worker)
            return worker

    def give_back(self, worker: Worker) -> None:
        """Keep a worker for the next task, unless it has ended or is not done with the last one."""
        if worker.busy or worker.process.poll() is not None:
            self.workers.remove(worker)
            worker.program.hang_up()
        else:
            self.idle.put(worker)

    def call(self, function: str, arguments: Fields, part: Part = lambda value: None) -> Any:
        """Call a function in one of the workers, and wait for its result."""
        worker = self.take()
        try:
            return worker.call(function, arguments, part)
        finally:
            self.give_back(worker)

    def end(self) -> None:
        """End all workers, whatever they are doing."""
        workers = list(self.workers)
        for worker in workers:
            worker.program.hang_up()
        for worker in workers:
            worker.program.end()


def serve() -> None:
    """Call what the lines of stdin name, and answer on stdout: what a worker does.

    A run that a signal stops has saved what it has, and the worker ends with it.
    """
    insist()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers belongs there
    try:
        for line in sys.stdin:
            if not line.endswith("\n"):
                os._exit(1)  # cut short: nobody is left who has the rest
            for answer in _answers(json.loads(line)):
                _write(answers, answer)
    except KeyboardInterrupt as stopped:
        sys.exit(128 + getattr(stopped, "number", signal.SIGINT))


def _answers(task: Fields) -> Iterator[Fields]:
    try:
        module, name = task["function"].split(":")
        found = getattr(import_module(module), name)(**task["arguments"])
        if isgenerator(found):
            for part in found:
                yield {"part": part}
            found = None
        yield {"result": found}
    except Exception as error:
        yield {"error": message(error), "kind": type(error).__name__}


def _write(answers: TextIO, answer: Fields) -> None:
    try:
        print(_line(answer), file=answers, flush=True)
    except OSError:  # nobody is left who wants to know
        os._exit(1)


def _line(document: Fields) -> str:
    """Return a document as one line of ASCII, whatever the encoding of pipes; NaN stays NaN."""
    return json.dumps(document, default=lambda value: value.tolist())
