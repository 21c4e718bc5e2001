"""Games of a match in several processes.

Each process gets its part of the games as a line of JSON and answers with one line per game. It
makes its agents itself, from their texts.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any, TextIO

from tafl.agents import make_agent
from tafl.agents.spec import AGENTS
from tafl.arena.contest import Contest, said
from tafl.arena.records import Record, Task
from tafl.boards.load import load_game
from tafl.errors import AgentError, InputError
from tafl.processes import Guarded

ERRORS = {"AgentError": AgentError, "InputError": InputError}  # that a process may report


def play_in_processes(
    contest: Contest, tasks: Sequence[Task], workers: int, played: Callable[[Record], None]
) -> None:
    """Plays games in this many processes; `played` is called for each, in any order."""
    players = len(contest.names)
    rounds = [tasks[k : k + players] for k in range(0, len(tasks), players)]
    shares = [rounds[k::workers] for k in range(min(workers, len(rounds)))]
    parts = [[task for games in share for task in games] for share in shares]
    common: dict[str, Any] = {
        "game": contest.game.name,
        "agents": list(contest.names),
        "seed": contest.seed,
    }
    common["known"] = AGENTS
    programs = [_launch() for _ in parts]
    try:
        with ThreadPoolExecutor(max(1, len(parts))) as threads:
            jobs = [{**common, "tasks": part} for part in parts]
            waiting = [
                threads.submit(_follow, program.process, job, played)
                for program, job in zip(programs, jobs, strict=True)
            ]
            try:
                for future in as_completed(waiting):
                    future.result()
            finally:  # one has failed, or Ctrl-C: the threads end when their processes do
                for program in programs:
                    program.hang_up()
    finally:
        for program in programs:
            program.end()


def _launch() -> Guarded:
    return Guarded(
        [sys.executable, "-c", "from tafl.arena.workers import work; work()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def _follow(
    process: subprocess.Popen[bytes], job: dict[str, Any], played: Callable[[Record], None]
) -> None:
    """Hands a job to a process and takes its answers."""
    assert process.stdin is not None
    assert process.stdout is not None
    with process.stdin:
        process.stdin.write(json.dumps(job).encode())
    left = dict.fromkeys(task.number for task in job["tasks"])
    for line in process.stdout:
        answer = json.loads(line)
        if "error" in answer:
            raise ERRORS.get(answer["kind"], RuntimeError)(answer["error"])
        played(Record.read(line))
        del left[answer["number"]]
    if left:
        code = process.wait()
        how = f"exit code {code}" if code >= 0 else f"signal {-code}"
        raise AgentError(f"game {next(iter(left))}: its worker process ended with {how}")


def work() -> None:
    """Such a process: plays its games."""
    try:
        job = json.load(sys.stdin)
    except ValueError:  # cut short: whoever has the rest is gone
        os._exit(1)
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers belongs there
    AGENTS.update(job["known"])
    try:
        game = load_game(job["game"])
        agents = [make_agent(text, game) for text in job["agents"]]
        contest = Contest(game, agents, job["agents"], job["seed"])
        for record in contest.play(Task(*task) for task in job["tasks"]):
            _answer(answers, record.line())
    except Exception as error:
        _answer(answers, json.dumps({"error": said(error), "kind": type(error).__name__}))


def _answer(answers: TextIO, line: str) -> None:
    try:
        print(line, file=answers, flush=True)
    except BrokenPipeError:  # whoever wanted to know is gone
        os._exit(1)
