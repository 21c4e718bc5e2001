"""Evaluations, also in processes of their own: `python -m tafl.training.judges`.

In most games Python plays, and only one thread of a process at a time. So where many agents learn
side by side, others evaluate them. The weights lie in memory that all of these processes see.
"""

import json
import mmap
import os
import queue
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.agents.spec import AGENTS
from tafl.arena import evaluate
from tafl.core.compile import insist
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import Net, without_sums
from tafl.errors import InputError
from tafl.files import to_json
from tafl.processes import Guarded
from tafl.runs.run import Run
from tafl.settings.build import build_net, make_td
from tafl.settings.tables import Fields

RUNS = 1_000  # that a process remembers


def play_evaluation(run: Run, net: Net, td: TD, seed: int) -> list[Fields]:
    """Plays the games of an evaluation: what came of them against each opponent."""
    how, agent = run.settings.evaluation, LearnedAgent(run.game, net, td, seed)
    results = [
        evaluate(agent, vs, how.games, starts=how.starts, roles=how.roles, seed=seed)
        for vs in how.opponents
    ]
    return [result.document() for result in results]


class Memory:
    """Numbers that other processes can see as long as this one runs."""

    def __init__(self, size: int):
        self.file = os.memfd_create("tafl")
        os.ftruncate(self.file, 4 * size)
        self.array = mapped(self.file)

    def __del__(self) -> None:
        os.close(self.file)

    @property
    def path(self) -> str:
        """Where others find them."""
        return f"/proc/{os.getpid()}/fd/{self.file}"


def mapped(file: int) -> np.ndarray:
    """The numbers in a file, as memory."""
    return np.frombuffer(mmap.mmap(file, 0), np.float32)


class Judges:
    """Processes that play evaluations; each is started when all others are at work."""

    def __init__(self) -> None:
        self.idle: queue.SimpleQueue[Guarded] = queue.SimpleQueue()

    def ask(self, run: Run, tuples: list[list[int]], weights: Memory, seed: int) -> list[Fields]:
        """What an agent's games come to; waits for it."""
        try:
            program = self.idle.get_nowait()
        except queue.Empty:
            command = [sys.executable, "-m", __name__]
            program = Guarded(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        task = {"run": str(run.path.resolve()), "tuples": tuples, "weights": weights.path}
        answer = _asked(program.process, {**task, "seed": seed, "known": AGENTS})
        self.idle.put(program)
        if "error" in answer:
            raise InputError(answer["error"])
        found: list[Fields] = answer["results"]
        return found

    def end(self) -> None:
        """Nothing is left to do for those that are idle."""
        while not self.idle.empty():
            self.idle.get().end()


def _asked(process: subprocess.Popen[bytes], task: Fields) -> Fields:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(to_json(task).encode() + b"\n")
        process.stdin.flush()
        answer: Fields = json.loads(process.stdout.readline())
    except (BrokenPipeError, ValueError):
        code = process.wait()
        raise InputError(f"a process that played an evaluation ended with {code}") from None
    return answer


def answered(task: Fields) -> Fields:
    """What such a process says."""
    try:
        AGENTS.update(task["known"])
        run = _opened(task["run"])
        net = without_sums(build_net(run.game, run.settings, task["tuples"], tables=False))
        with open(task["weights"], "r+b") as file:
            net = net._replace(weights=mapped(file.fileno()))
        return {"results": play_evaluation(run, net, make_td(run.settings), task["seed"])}
    except Exception as error:
        known = isinstance(error, InputError)
        return {"error": str(error) if known else f"{type(error).__name__}: {error}"}


@lru_cache(RUNS)
def _opened(path: str) -> Run:
    return Run.open(Path(path))


def serve() -> None:
    """Such a process: a task is a line of stdin, and its answer one of stdout."""
    insist()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers belongs there
    for line in sys.stdin:
        task: dict[str, Any] = json.loads(line)
        print(to_json(answered(task)), file=answers, flush=True)


if __name__ == "__main__":
    serve()
