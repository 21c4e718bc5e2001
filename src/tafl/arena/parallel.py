"""Games of a match in several worker processes, which make the agents from texts."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import fields
from typing import Any

from tafl.agents import make_agent
from tafl.agents.spec import AGENTS
from tafl.arena.contest import Contest
from tafl.arena.records import Played, Record, Task
from tafl.boards.load import load_game
from tafl.errors import AgentError
from tafl.workers import Fields, Pool, Worker, WorkerEnded

FIELDS = [field.name for field in fields(Record)]


def play_in_processes(
    contest: Contest, tasks: Sequence[Task], workers: int, played: Played
) -> None:
    """Play games in this many processes; `played` is called for each, in any order."""
    players = len(contest.names)
    rounds = [tasks[k : k + players] for k in range(0, len(tasks), players)]
    shares = [rounds[k::workers] for k in range(min(workers, len(rounds)))]
    parts = [[task for games in share for task in games] for share in shares]
    # the pool ends first, also after an error or Ctrl-C, so that the threads end
    with ThreadPoolExecutor(max(1, len(parts))) as threads, Pool() as pool:
        started = [(pool.take(), part) for part in parts]
        waiting = [threads.submit(_follow, one, contest, part, played) for one, part in started]
        for future in as_completed(waiting):
            future.result()


def _follow(worker: Worker, contest: Contest, tasks: list[Task], played: Played) -> None:
    """Let a worker play games, and pass on their records."""
    left = dict.fromkeys(task.number for task in tasks)

    def take(values: Fields) -> None:
        played(Record(**values))
        del left[values["number"]]

    job: Fields = {"game": contest.game.name, "agents": list(contest.names), "seed": contest.seed}
    job |= {"tasks": tasks, "known": AGENTS}
    try:
        worker.call(f"{__name__}:play_part", job, take)
    except WorkerEnded as end:
        how = f"exit code {end.code}" if end.code >= 0 else f"signal {-end.code}"
        raise AgentError(f"game {next(iter(left))}: its worker process ended with {how}") from None


def play_part(
    game: str, agents: list[str], seed: int, tasks: list[list[Any]], known: dict[str, str]
) -> Iterator[Fields]:
    """Play games in a worker, and yield their records."""
    AGENTS.update(known)
    loaded = load_game(game)
    contest = Contest(loaded, [make_agent(text, loaded) for text in agents], agents, seed)
    for record in contest.play(Task(*task) for task in tasks):
        yield {name: getattr(record, name) for name in FIELDS}
