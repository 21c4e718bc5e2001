"""A match: agents play each other from chosen start positions, in all rotations of the seats.

Every start position is played in every rotation equally often. The games of one start position in
all rotations are a round; rounds are what differs by chance alone, so standard errors and p values
are those of rounds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from tafl.agents import Agent, make_agent
from tafl.agents.spec import parse
from tafl.arena.contest import Contest
from tafl.arena.records import Record, write_records
from tafl.arena.starts import start_moves
from tafl.arena.statistics import standard_error
from tafl.arena.workers import Tasks, play_in_processes
from tafl.errors import AgentError, InputError
from tafl.games.game import Game
from tafl.games.load import load_game


@dataclass(frozen=True)
class Match:
    """The games of a match, and what they say about the agents."""

    game: Game
    agents: list[str]
    starts: str | int
    seed: int
    records: list[Record]

    @cached_property
    def scores(self) -> np.ndarray:
        """float64[games, agents]: what each agent got in each game."""
        return self._by_agent(np.array([record.scores for record in self.records]))

    @cached_property
    def wins(self) -> np.ndarray:
        """float64[games, agents]: 1 for the highest score; who have it together share the 1."""
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        found: np.ndarray = best / best.sum(axis=1, keepdims=True)
        return found

    @property
    def payoffs(self) -> list[float]:
        """The mean score of each agent."""
        return _floats(self.scores.mean(axis=0))

    @property
    def win_rates(self) -> list[float]:
        """The share of games that each agent won; a draw of two counts one half."""
        return _floats(self.wins.mean(axis=0))

    @property
    def standard_errors(self) -> list[float]:
        """The standard error of each payoff; nan after a single round."""
        return [standard_error(values) for values in self._rounds(self.scores).T]

    @property
    def roles(self) -> list[list[float]]:
        """The mean score of each agent on each seat."""
        n = len(self.agents)
        by_number = self.scores.reshape(-1, n, n).mean(axis=0)  # [rotation, agent]
        return [[float(by_number[(seat - i) % n, i]) for seat in range(n)] for i in range(n)]

    def p_value(self, first: int = 0, second: int = 1) -> float:
        """How likely so large a difference of two payoffs were between equals (t test)."""
        rounds = self._rounds(self.scores)
        return _t_test(rounds[:, first] - rounds[:, second])

    @property
    def different_games(self) -> int:
        """How many games are no repetition of another one; agents without chance repeat some."""
        return len({(*r.seats, *r.start, *r.moves) for r in self.records})

    def save(self, path: str | Path) -> None:
        """Writes the records, one line of JSON a game."""
        write_records(Path(path), self.records)

    def _by_agent(self, by_seat: np.ndarray) -> np.ndarray:
        n = len(self.agents)
        seats = (np.arange(n) + np.array([[record.number] for record in self.records])) % n
        return np.take_along_axis(by_seat, seats, axis=1)

    def _rounds(self, values: np.ndarray) -> np.ndarray:
        """float64[rounds, agents]: means over all rotations of a start position."""
        n = len(self.agents)
        means: np.ndarray = values.reshape(-1, n, n).mean(axis=1)
        return means

    def __repr__(self) -> str:
        results = ", ".join(
            f"{agent} {payoff:.3f}" for agent, payoff in zip(self.agents, self.payoffs, strict=True)
        )
        return f"Match({self.game.name}, {len(self.records):,} games: {results})"


def match(
    game: str | Path | type | Game,
    agents: Sequence[str | Agent],
    games: int = 100,
    starts: str | int = "start",
    seed: int = 0,
    workers: int = 1,
    played: Callable[[Record], None] = lambda record: None,
    known: Sequence[Record] = (),
) -> Match:
    """Plays at least `games` games, as many as it takes to treat all seats and starts alike.

    Agents are texts or objects; only texts can be played by several `workers`, processes that
    change nothing but the time it takes. `played` is called after each game, from any thread.
    Games that are `known` from a match like this one are not played again.

    >>> import tafl
    >>> match = tafl.match("tictactoe", ["exact", "random"], games=20, starts="first-moves")
    >>> len(match.records), match.win_rates[0] > 0.8
    (20, True)
    """
    loaded = load_game(game)
    contest = make_contest(loaded, agents, seed)
    tasks = make_tasks(loaded, games, starts, seed)
    before = {record.number for record in known}
    left = [task for task in tasks if task[0] not in before]
    records = list(known)

    def take(record: Record) -> None:
        records.append(record)
        played(record)

    if workers < 1:
        raise InputError(f"workers must be at least 1, not {workers}")
    try:
        if workers > 1 and _can_move(loaded, agents):
            play_in_processes(contest, left, workers, take)
        else:
            for number, start in left:
                take(contest.play(number, start))
    except AgentError as error:
        finished = f"{len(records)} of {len(tasks)} games were finished"
        raise AgentError(f"{error}; {finished}") from error.__cause__
    records.sort(key=lambda record: record.number)
    return Match(loaded, list(contest.names), starts, seed, records)


def make_contest(game: Game, agents: Sequence[str | Agent], seed: int) -> Contest:
    """The agents of a match, ready to play."""
    players = game.facts.players
    if len(agents) != players:
        raise InputError(f"{game.name} is played by {players} agents, not {len(agents)}")
    if not 0 <= seed < 2**64:
        raise InputError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed}")
    made = [make_agent(a, game) if isinstance(a, str) else a for a in agents]
    return Contest(game, made, [agent_name(a) for a in agents], seed)


def make_tasks(game: Game, games: int, starts: str | int, seed: int) -> Tasks:
    """The numbers and starts of at least so many games, each start in each rotation as often."""
    players = game.facts.players
    if games < 1:
        raise InputError(f"a match has at least 1 game, not {games}")
    if game.has_chance and starts != "start":
        raise InputError(f"{game.name} has chance, so its games can begin at the start only")
    positions = start_moves(game, starts, -(-games // players), seed)
    rounds = positions * -(-games // (players * len(positions)))
    return [(k * players + r, start) for k, start in enumerate(rounds) for r in range(players)]


def agent_name(agent: Any) -> str:
    """What an agent is called in tables: its text, or its class."""
    return agent if isinstance(agent, str) else type(agent).__name__


def _can_move(game: Game, agents: Sequence[str | Agent]) -> bool:
    """Can another process make the same game and agents?"""
    texts = [agent for agent in agents if isinstance(agent, str)]
    human = any(parse(text)[0] == "human" for text in texts)
    return len(texts) == len(agents) and not human and not game.name.startswith("__main__:")


def _t_test(differences: np.ndarray) -> float:
    """The two-sided p value of a mean of 0."""
    from scipy.special import stdtr

    n = len(differences)
    if n < 2:
        return nan
    mean, error = abs(float(differences.mean())), standard_error(differences)
    if error == 0:  # all alike, as n throws of a coin may fall: the sign test
        return 1.0 if mean == 0 else 2.0 ** (1 - n)
    return float(2 * stdtr(n - 1, -mean / error))


def _floats(values: np.ndarray) -> list[float]:
    return [float(value) for value in values]
