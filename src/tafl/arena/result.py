"""Results of matches and evaluations: scores, standard errors, win rates, p-values.

The games of one start position in all rotations are a round. Standard errors and p-values are those
of rounds, which are independent; after a single round they are nan.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np

from tafl.arena.records import Record, read_records, write_records
from tafl.arena.starts import Starts
from tafl.arena.statistics import standard_error, t_test
from tafl.arena.table import Table
from tafl.boards.game import Game
from tafl.boards.load import load_stored
from tafl.core.play.replay import play_again
from tafl.errors import InputError
from tafl.numbers import number, player, score, share

ALONE = "alone"  # the opponent in games for one player


@dataclass(frozen=True)
class Standing:
    """The result of one agent."""

    agent: str
    mean: float  # score, in points
    error: float  # standard error of the mean
    win_rate: float  # ties share the win
    win_rate_error: float  # standard error of the win rate
    roles: list[float]  # the mean score as player 0, 1, ...; nan for roles without games


@dataclass(frozen=True)
class Result:
    """Games and their statistics.

    `mean`, `error` and `win_rate` are those of the first agent, the only one that matters in an
    evaluation against an `opponent`; `standings` has those of all.

    >>> import tafl
    >>> result = tafl.match("tictactoe", ["exact", "random"], games=40, starts="first-moves")
    >>> len(result.records), result.mean > 0.5, result.win_rates[1] < 0.3
    (40, True, True)
    >>> [len(of_agent) for of_agent in result.roles]
    [2, 2]
    """

    game: Game
    agents: list[str]
    starts: Starts | None
    seed: int | None  # None: unknown
    records: list[Record]
    opponent: str | None = None

    @classmethod
    def open(cls, path: str | Path) -> "Result":
        """Read the match in a file written by `save` or `tafl match --record`."""
        records = read_records(Path(path))
        if not records:
            raise InputError(f"{path} has no games")
        of_match = records[0].game, records[0].entrants
        game = load_stored(of_match[0], "the record")
        for line, record in enumerate(records, start=1):
            if (record.game, record.entrants) != of_match:
                who = f"{' and '.join(record.entrants)} played {record.game}"
                before = f"{' and '.join(of_match[1])} played {of_match[0]}"
                raise InputError(f"{path}, line {line}: here {who}, before it {before}")
            if not len(record.agents) == len(record.scores) == game.facts.players:
                right = f"{game.name} has {game.facts.players} players, each with a score"
                raise InputError(f"{path}, line {line}: {right}")
        return cls(game, of_match[1], None, None, records)

    @cached_property
    def scores(self) -> np.ndarray:
        """Return float64[games, agents]: the score of each agent in each game."""
        by_player = np.array([record.scores for record in self.records])
        return np.take_along_axis(by_player, self._role_of, axis=1)

    @cached_property
    def wins(self) -> np.ndarray:
        """Return float64[games, agents]: 1 for the highest score; ties share it.

        A team wins together: each of its players has won, and teams share ties.
        """
        n = len(self.agents)
        teams = np.array(self.game.facts.teams or range(n))
        best = self.scores == self.scores.max(axis=1, keepdims=True)
        mine = teams[self._role_of]
        together = mine[:, :, None] == mine[:, None, :]
        mates = (together & best[:, None, :]).sum(axis=2)
        once = best / np.maximum(mates, 1)  # a team counts once
        found: np.ndarray = best / once.sum(axis=1, keepdims=True)
        return found

    @cached_property
    def standings(self) -> list[Standing]:
        """Return the result of each agent."""
        means, wins = self.scores.mean(axis=0), self.wins.mean(axis=0)
        errors = [standard_error(column) for column in self._rounds.T]
        win_errors = [standard_error(column) for column in self._by_round(self.wins).T]
        return [
            Standing(
                name, float(means[i]), errors[i], float(wins[i]), win_errors[i], self._by_role(i)
            )
            for i, name in enumerate(self.agents)
        ]

    @property
    def mean(self) -> float:
        """Return the mean score of the first agent, in points."""
        return self.standings[0].mean

    @property
    def error(self) -> float:
        """Return the standard error of the mean."""
        return self.standings[0].error

    @property
    def win_rate(self) -> float:
        """Return the share of games that the first agent won; a draw is half a win."""
        return self.standings[0].win_rate

    @property
    def roles(self) -> list[Any]:
        """Return the mean score in each role: of the evaluated agent, or a list for every agent."""
        if self.opponent is None:
            return [standing.roles for standing in self.standings]
        return [mean for mean in self.standings[0].roles if not isnan(mean)]

    @property
    def only_role(self) -> int | None:
        """Return the player that the evaluated agent was in all games, if it was always one."""
        played = [role for role, mean in enumerate(self.standings[0].roles) if not isnan(mean)]
        return played[0] if len(played) == 1 < len(self.agents) else None

    @property
    def means(self) -> list[float]:
        """Return the mean score of each agent."""
        return [standing.mean for standing in self.standings]

    @property
    def standard_errors(self) -> list[float]:
        """Return the standard error of each mean."""
        return [standing.error for standing in self.standings]

    @property
    def win_rates(self) -> list[float]:
        """Return the share of games that each agent won."""
        return [standing.win_rate for standing in self.standings]

    @cached_property
    def reached(self) -> list[int]:
        """Return the mark that each game reached, such as the largest tile of 2048.

        >>> import tafl
        >>> tafl.match("2048", ["random"], games=2).reached
        [64, 64]
        """
        count = getattr(self.game.rules, "reached", None)
        return [] if count is None else [count(self._end(record)) for record in self.records]

    @property
    def reached_shares(self) -> dict[str, float]:
        """Return the share of games that reached each mark."""
        marks = np.array(self.reached, np.int64)
        return {str(mark): float(np.mean(marks >= mark)) for mark in np.unique(marks)}

    def p_value(self, first: int = 0, second: int = 1) -> float:
        """Return the p-value of equal strength (t test)."""
        return t_test(self._rounds[:, first] - self._rounds[:, second])

    @property
    def different_games(self) -> int:
        """Return the number of distinct games; deterministic agents repeat some."""
        return len({hash((*r.agents, *r.start, *r.moves)) for r in self.records})

    def document(self) -> dict[str, Any]:
        """Return the result for JSON."""
        if self.opponent is None:
            return self._comparison()
        found: dict[str, Any] = {"opponent": self.opponent, "games": len(self.records)}
        found |= {"mean": self.mean, "standard_error": self.error, "roles": self.roles}
        if len(self.agents) > 1:
            one = self.standings[0]
            found |= {"win_rate": one.win_rate, "win_rate_error": one.win_rate_error}
        if self.reached:
            found |= {"best": float(self.scores.max()), "reached": self.reached_shares}
        if self.only_role is not None:
            found["role"] = self.only_role
        return found if self.starts is None else {**found, "starts": self.starts}

    def frame(self) -> Any:
        """Return a pandas DataFrame with one row for each game and agent.

        >>> import tafl
        >>> tafl.match("nim", ["exact", "random"], games=2).frame()["role"].tolist()
        [0, 1, 1, 0]
        """
        try:
            import pandas as pd
        except ImportError:
            text = "a frame needs pandas, which is not installed: pip install pandas"
            raise InputError(text) from None
        games = zip(self.records, self._role_of.tolist(), self.scores, self.wins, strict=True)
        rows = [
            [record.number, *row, len(record.moves)]
            for record, *by_agent in games
            for row in zip(self.agents, *by_agent, strict=True)
        ]
        return pd.DataFrame(rows, columns=["game", "agent", "role", "score", "won", "moves"])

    def save(self, path: str | Path) -> None:
        """Write the records, one line of JSON per game."""
        write_records(Path(path), self.records)

    @cached_property
    def _role_of(self) -> np.ndarray:
        """Return int64[games, agents]: the role of each agent."""
        n = len(self.agents)
        numbers = np.array([record.number for record in self.records])
        found: np.ndarray = (np.arange(n) + numbers[:, None]) % n
        return found

    @cached_property
    def _rounds(self) -> np.ndarray:
        """Return float64[rounds, agents]: mean scores in each round."""
        return self._by_round(self.scores)

    def _by_round(self, values: np.ndarray) -> np.ndarray:
        n = len(self.agents)
        number = np.array([record.number // n for record in self.records])
        _, place, counts = np.unique(number, return_inverse=True, return_counts=True)
        means = np.zeros((len(counts), n))
        np.add.at(means, place, values)
        means /= counts[:, None]
        return means

    def _end(self, record: Record) -> np.ndarray:
        """Return the last state of a game."""
        words, rng = np.zeros(self.game.facts.words, np.int64), np.array([record.seed], np.uint64)
        play_again(self.game.rules, words, np.array([*record.start, *record.moves], np.int64), rng)
        return words

    def _by_role(self, agent: int) -> list[float]:
        mine = self._role_of[:, agent]
        found = [self.scores[mine == role, agent] for role in range(len(self.agents))]
        return [float(scores.mean()) if len(scores) else nan for scores in found]

    def _comparison(self) -> dict[str, Any]:
        pairs = combinations(range(len(self.agents)), 2)
        agents: list[dict[str, Any]] = []
        for one in self.standings:
            agents.append({"agent": one.agent, "mean": one.mean, "standard_error": one.error})
            if len(self.agents) > 1:
                agents[-1] |= {"win_rate": one.win_rate, "win_rate_error": one.win_rate_error}
            agents[-1]["roles"] = one.roles
        return {
            "game": self.game.name,
            "games": len(self.records),
            "different_games": self.different_games,
            "starts": self.starts,
            "seed": self.seed,
            "agents": agents,
            "p_values": [{"agents": pair, "p": self.p_value(*pair)} for pair in pairs],
        }

    def table(self) -> tuple[list[str], list[list[Any]]]:
        """Return columns and rows: one row per agent, or, in an evaluation, per role."""
        if self.opponent is not None:
            columns = ["role", "mean score"]
            means = enumerate(self.standings[0].roles)
            roles = [[player(role), number(mean)] for role, mean in means if not isnan(mean)]
            return columns, [["all", score(self.mean, self.error)], *roles]
        alone = len(self.agents) == 1
        columns = ["agent", "mean score", *([] if alone else ["win rate"])]
        columns += [] if alone else [f"as {player(p)}" for p in range(len(self.agents))]
        rows: list[list[Any]] = []
        for one in self.standings:
            wins = [] if alone else [share(one.win_rate, one.win_rate_error), *one.roles]
            rows.append([one.agent, score(one.mean, one.error), *wins])
        return columns, rows

    def __repr__(self) -> str:
        results = ", ".join(f"{one.agent} {score(one.mean, one.error)}" for one in self.standings)
        return f"Result({self.game.name}, {len(self.records):,} games: {results})"

    def _repr_html_(self) -> str:
        """Return the result as a table, for notebooks."""
        against = f" against {self.opponent}" if self.opponent not in (None, ALONE) else ""
        title = f"{self.game.name}{against}, {len(self.records):,} games"
        return Table(title, *self.table())._repr_html_()
