"""Matches between agents, and evaluations of one agent against an opponent.

Every start position is played in every rotation equally often. The number of processes does not
change the games.
"""

from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, Literal

from tafl.agents import Agent, make_agent
from tafl.agents.agent import GameAgent
from tafl.agents.spec import parse
from tafl.arena.contest import Contest
from tafl.arena.parallel import play_in_processes
from tafl.arena.records import Played, Record, Task
from tafl.arena.result import ALONE, Result
from tafl.arena.starts import Starts, make_tasks
from tafl.boards.game import Game, checked_seed
from tafl.boards.load import load_game
from tafl.errors import AgentError, InputError, check_type

MOST_WORKERS = 1_000

Roles = Literal["all", "first", "second"] | int  # a number: that player, 0 moves first
NAMED_ROLES = {"all": None, "first": 0, "second": 1}


def match(
    game: str | Path | type | Game,
    agents: Sequence[str | Agent],
    games: int = 100,
    starts: Starts = "start",
    seed: int = 0,
    workers: int = 1,
    played: Played = lambda record: None,
    known: Sequence[Record] = (),
) -> Result:
    """Play at least `games` games, rounded up so that all roles and starts come equally often.

    Agents are strings or objects; several `workers` (processes) need strings. `played` is called
    after each game, from any thread. `known` games of the same match are not played again.

    >>> import tafl
    >>> result = tafl.match("nim3p", ["exact", "random", "random"], games=30)
    >>> [standing.agent for standing in result.standings], result.win_rate > 0.5
    (['exact', 'random', 'random'], True)
    """
    loaded = load_game(game)
    contest = make_contest(loaded, agents, seed)
    tasks = make_tasks(loaded, games, starts, seed)
    records = hold(contest, tasks, workers, played, known)
    return Result(loaded, list(contest.names), starts, seed, records)


def evaluate(
    agent: str | Agent,
    vs: str | None = None,
    games: int = 100,
    *,
    starts: Starts | None = None,
    roles: Roles = "all",
    seed: int = 0,
    workers: int = 1,
    game: str | Path | type | Game | None = None,
) -> Result:
    """Measure an agent in at least `games` games in which `vs` plays all other roles.

    It plays all roles equally often, or with roles="first" or roles="second" that one, or that
    of a player: roles=2 is the third. By default games against `random` begin at the start, others
    also after every first move, so that deterministic agents do not repeat one game.

    >>> import tafl
    >>> result = tafl.evaluate("maxn", vs="random", games=20, game="tictactoe")
    >>> result.opponent, len(result.records), result.mean > 0
    ('random', 20, True)
    """
    if game is None and isinstance(agent, str):
        agent = make_agent(agent)
    own = game if game is not None else getattr(agent, "game", None)
    if own is None:
        raise InputError(f"{agent_name(agent)} does not say which game it plays; pass game=")
    loaded = load_game(own)
    opponent = check_opponent(loaded, vs)
    others = [] if opponent == ALONE else [opponent] * (loaded.facts.players - 1)
    usual = "start" if opponent in ("random", ALONE) else "first-moves"
    contest = make_contest(loaded, [agent, *others], seed)
    role = role_of(loaded, roles)
    tasks = make_tasks(loaded, games, usual if starts is None else starts, seed, role)
    records = hold(contest, tasks, workers)
    return Result(loaded, list(contest.names), starts, seed, records, opponent)


def role_of(game: Game, roles: Roles, name: str = "roles") -> int | None:
    """Return the player that an agent is in all games; None if it plays all roles.

    >>> import tafl
    >>> role_of(tafl.game("hex"), "second"), role_of(tafl.game("hex"), "all")
    (1, None)
    """
    role: Any = NAMED_ROLES.get(roles, -1) if isinstance(roles, str) else roles
    players = game.facts.players
    if role is not None and (not isinstance(role, Integral) or int(role) not in range(players)):
        number = f"the number of a player from 0 to {players - 1}" if players > 1 else "0"
        raise InputError(f"{name} must be all, first, second or {number}, not {roles!r}")
    return None if role is None else int(role)


def check_opponent(game: Game, vs: str | None) -> str:
    """Return the opponent, by default `random`; in a game for one player, `ALONE`."""
    check_type("vs", "" if vs is None else vs, str)
    if game.facts.players > 1:
        return vs or "random"
    if vs not in (None, "random", ALONE):
        raise InputError(f"{game.name} is a game for one player; it cannot be played against {vs}")
    return ALONE


def hold(
    contest: Contest,
    tasks: Sequence[Task],
    workers: int = 1,
    played: Played = lambda record: None,
    known: Sequence[Record] = (),
) -> list[Record]:
    """Play all games that are not known, in `workers` processes; return all records in order."""
    check_type("workers", workers, Integral)
    if not 1 <= workers <= MOST_WORKERS:
        raise InputError(f"workers must be from 1 to {MOST_WORKERS:,}, not {workers}")
    before = {record.number for record in known}
    left = [task for task in tasks if task.number not in before] if known else tasks
    records = list(known)

    def take(record: Record) -> None:
        records.append(record)
        played(record)

    try:
        if workers > 1 and _can_move(contest):
            play_in_processes(contest, left, workers, take)
        else:
            for record in contest.play(left):
                take(record)
    except AgentError as error:
        finished = f"{len(records)} of {len(tasks)} games were finished"
        raise AgentError(f"{error}; {finished}") from error.__cause__
    return sorted(records, key=lambda record: record.number)


def make_contest(game: Game, agents: Sequence[str | Agent], seed: int) -> Contest:
    """Return a contest between agents."""
    players = game.facts.players
    check_agents(agents)
    if len(agents) != players:
        raise InputError(f"{game.name} needs {players} agents, not {len(agents)}")
    checked_seed(seed)
    made = [make_agent(a, game) if isinstance(a, str) else separate(a) for a in agents]
    texts = [agent if isinstance(agent, str) else None for agent in agents]
    return Contest(game, made, [agent_name(a) for a in agents], seed, texts)


def check_agents(agents: Sequence[str | Agent]) -> None:
    """Refuse what is no list of agents."""
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise InputError(f"agents must be a list of agents, not {agents!r:.60}")
    for agent in agents:
        if not isinstance(agent, str) and not hasattr(agent, "act"):
            raise InputError(f"an agent must be text, or have act(state); {agent!r:.60} has not")


def separate(agent: Agent) -> Agent:
    """Return a twin of an agent of tafl, and any other agent as it is."""
    ours = type(agent).__module__.startswith("tafl.")
    return agent.twin() if ours and isinstance(agent, GameAgent) else agent


def agent_name(agent: Any) -> str:
    """Return the name of an agent for tables: its text, its name, or its class."""
    return agent if isinstance(agent, str) else str(getattr(agent, "name", type(agent).__name__))


def _can_move(contest: Contest) -> bool:
    """Return whether another process can make the same game and agents."""
    texts = [text for text in contest.texts if text is not None]
    human = any(parse(text)[0] == "human" for text in texts)
    script = contest.game.name.startswith("__main__:")
    return len(texts) == len(contest.agents) and not human and not script
