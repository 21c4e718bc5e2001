"""Worker processes, for all computations in several processes.

A worker calls functions, one after the other. Requests and answers are lines of JSON:

    to a worker   {"function": "tafl.training.executors:finish", "arguments": {...}}
    from it       {"part": ...}                a value that a generator has yielded
                  {"result": ...}              the returned value; the next task may come
                  {"error": ..., "kind": ...}  or the message of an error and its class

A worker ends with its stdin, or with the process that started it (`processes.py`).
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
from typing import Any

from tafl.errors import WorkerError, message, of_kind
from tafl.processes import Guarded, end_all
from tafl.signals import insist

SERVE = "from tafl.workers import serve; serve()"

Fields = dict[str, Any]
Part = Callable[[Any], None]


class WorkerEnded(WorkerError):  # noqa: N818 - the name says what happened
    """A worker ended without an answer; `said` is the last line of its stderr."""

    def __init__(self, code: int, said: str):
        super().__init__(f"a worker process ended with {code}")
        self.code, self.said = code, said


class Worker:
    """A process that calls functions; `quiet` hides its stderr."""

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
        """Return the process that gets signals."""
        return self.program.process

    def call(self, function: str, arguments: Fields, part: Part = lambda value: None) -> Any:
        """Call a function, MODULE:NAME, in the worker; pass parts to `part`; return the result."""
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
        """Yield the answers to a task until the process ends; ignore an incomplete last one."""
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
    """Workers that are reused; threads may share a pool.

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
        """Return an idle worker, or a new one if all are busy."""
        try:
            return self.idle.get_nowait()
        except Empty:
            worker = Worker(self.quiet)
            self.workers.append(worker)
            return worker

    def give_back(self, worker: Worker) -> None:
        """Keep a worker for the next task, unless it has ended or is still busy."""
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
        """Kill all workers."""
        end_all([worker.program for worker in self.workers])


def serve() -> None:
    """Be a worker: call the functions that lines of stdin name, and answer on stdout.

    A signal stops a run, which saves a checkpoint, and ends the worker.
    """
    insist()
    answers, sys.stdout = sys.stdout, sys.stderr  # stdout is for answers only
    try:
        for line in sys.stdin:
            if not line.endswith("\n"):
                os._exit(1)  # incomplete: the parent has ended
            for answer in _answers(json.loads(line)):
                try:
                    print(_line(answer), file=answers, flush=True)
                except OSError:  # the parent has ended
                    os._exit(1)
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


def _line(document: Fields) -> str:
    """Return a document as one line of ASCII, which any encoding of pipes has; NaN stays NaN."""
    return json.dumps(document, default=lambda value: value.tolist())
