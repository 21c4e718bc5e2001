"""Round robin tournaments: in a game for n players every group of n agents plays a match.

    tournament.json    game, agents, games per match, starts and seed
    matches/0-1.jsonl  records of the match of agents 0 and 1 (.jsonl.writing while it is played)

A tournament in such a folder plays only missing games; agents may be added at the end of the list.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from tafl.arena.contest import Contest, derived_seeds
from tafl.arena.match import check_agents, hold, make_contest
from tafl.arena.ratings import Ratings, rate
from tafl.arena.records import Notes, Record, read_records
from tafl.arena.result import Result
from tafl.arena.starts import MOST_GAMES, Starts, Tasks, make_tasks
from tafl.boards.game import Game
from tafl.boards.load import load_game, load_stored
from tafl.errors import AgentError, InputError, check_type
from tafl.files import draft, read_json, replacing, to_json

ABOUT = ("game", "agents", "start", "seed")  # fields of a record that do not depend on its moves

Who = tuple[int, ...]  # the agents of a match, by their numbers


@dataclass(frozen=True)
class Tournament:
    """The matches of a tournament and their statistics.

    >>> import tafl
    >>> found = tafl.tournament("nim(stones=2)", ["random", "exact"], games=10)
    >>> found.agents, found.means[1] > found.means[0], len(found.table)
    (['random', 'exact'], True, 2)
    """

    game: Game
    agents: list[str]
    matches: dict[Who, Result]

    @classmethod
    def open(cls, path: str | Path) -> "Tournament":
        """Read a finished tournament from its folder."""
        stored = _read(Path(path) / "tournament.json")
        name, agents = stored.get("game"), stored["agents"]
        if not isinstance(name, str):
            raise InputError(f"{path}/tournament.json does not say which game was played")
        game = load_stored(name, f"the tournament in {path}")
        matches: dict[Who, Result] = {}
        for who in combinations(range(len(agents)), game.facts.players):
            matches[who] = _stored(_file(Path(path), who), game, [agents[i] for i in who])
        return cls(game, agents, matches)

    @property
    def means(self) -> list[float]:
        """Return the mean score of each agent over all its games."""
        return [_mean([scores[i] for scores in self.results() if i in scores]) for i in self._all]

    @property
    def errors(self) -> list[float]:
        """Return the standard error of each mean, from those of the matches."""
        found = []
        for i in self._all:
            played = [(one, who.index(i)) for who, one in self.matches.items() if i in who]
            games = sum(len(one.records) for one, _ in played)
            parts = [len(one.records) / games * one.standard_errors[k] for one, k in played]
            found.append(float(np.hypot.reduce(parts)))
        return found

    @property
    def table(self) -> list[list[float]]:
        """Return the mean score of each agent in games with each of the others; nan with itself."""
        results = list(self.results())
        return [
            [_mean([s[i] for s in results if i in s and j in s and i != j]) for j in self._all]
            for i in self._all
        ]

    @property
    def ratings(self) -> Ratings | None:
        """Return Bradley-Terry or Plackett-Luce ratings; None in a game for one player."""
        if self.game.facts.players == 1:
            return None
        return rate(len(self.agents), self.results())

    def results(self) -> Iterator[dict[int, float]]:
        """Yield the scores of the agents of each game."""
        for who, one in self.matches.items():
            for scores in one.scores:
                yield dict(zip(who, scores.tolist(), strict=True))

    def document(self) -> dict[str, Any]:
        """Return the result for JSON."""
        columns: dict[str, list[Any]] = {"agent": self.agents, "mean": self.means}
        columns |= {"standard_error": self.errors}
        if (ratings := self.ratings) is not None:
            columns |= {"elo": ratings.elo, "low": ratings.low, "high": ratings.high}
        rows = zip(*columns.values(), strict=True)
        agents = [dict(zip(columns, row, strict=True)) for row in rows]
        return {
            "game": self.game.name,
            "games": sum(len(match.records) for match in self.matches.values()),
            "different_games": sum(match.different_games for match in self.matches.values()),
            "agents": agents,
            "table": self.table,
        }

    @property
    def _all(self) -> range:
        return range(len(self.agents))


def tournament(
    game: str | Path | type | Game,
    agents: Sequence[str],
    games: int = 100,
    starts: Starts = "start",
    seed: int = 0,
    workers: int = 1,
    out: str | Path | None = None,
    ended: Callable[[Result], None] = lambda match: None,
) -> Tournament:
    """Play a match of at least `games` games for every group of agents.

    With a folder `out` games are stored, and stored games are not played again. `ended` is called
    after each match.

    >>> import tafl
    >>> found = tafl.tournament("nim", ["random", "exact", "maxn"], games=4)
    >>> len(found.matches), found.ratings.elo[0] < min(found.ratings.elo[1:])
    (3, True)
    """
    loaded = load_game(game)
    _check(loaded, agents, games, starts, seed)
    settings = {"game": loaded.name, "games": games, "starts": starts, "seed": seed}
    folder = None if out is None else _open(Path(out), settings, list(agents))
    matches: dict[Who, Result] = {}
    groups = list(combinations(range(len(agents)), loaded.facts.players))
    for who in groups:
        names = [agents[i] for i in who]
        contest = make_contest(loaded, names, _match_seed(seed, who))
        tasks = make_tasks(loaded, games, starts, contest.seed)
        try:
            records = _play(contest, tasks, workers, _file(folder, who) if folder else None)
        except AgentError as error:
            before = f"{len(matches)} of {len(groups)} matches were finished before"
            raise AgentError(f"{' against '.join(names)}: {error}; {before}") from error
        matches[who] = Result(loaded, names, starts, contest.seed, records)
        ended(matches[who])
    return Tournament(loaded, list(agents), matches)


def _check(game: Game, agents: Sequence[str], games: int, starts: Starts, seed: int) -> None:
    """Refuse wrong input before the first move."""
    players = game.facts.players
    check_agents(agents)
    check_type("games", games, Integral)
    least = max(2, players)
    if len(agents) < least:
        raise InputError(f"a tournament of {game.name} needs at least {least} agents")
    if len(set(agents)) < len(agents):
        raise InputError("an agent may take part in a tournament only once")
    in_all = comb(len(agents), players) * len(make_tasks(game, games, starts, seed))
    if in_all > MOST_GAMES:
        raise InputError(f"a tournament has at most {MOST_GAMES:,} games, and not {in_all:,}")
    for agent in agents:
        make_contest(game, [agent] * players, seed)


def _play(contest: Contest, tasks: Tasks, workers: int, file: Path | None) -> list[Record]:
    """Play the games of a match that are not in its file, and store them there."""
    if file is None:
        return hold(contest, tasks, workers)
    notes = Notes(file)
    known = _known(notes, contest, tasks)
    records = hold(contest, tasks, workers, notes.add, known)
    if len(known) < len(records) or notes.draft.exists():  # killed before notes were finished
        notes.finish()
    return records


def _known(notes: Notes, contest: Contest, tasks: Tasks) -> list[Record]:
    """Return the games of a match in its file and in unfinished notes; refuse games of others."""
    finished = read_records(notes.path) if notes.path.exists() else []
    notes.take_up()
    found: dict[int, Record] = {}
    for path, records in ((notes.path, finished), (notes.draft, notes.records)):
        for line, record in enumerate(records, start=1):
            problem = _problem(record, contest, tasks)
            if not problem and found.setdefault(record.number, record) != record:
                problem = f"there is another game {record.number}"
            if problem:
                raise InputError(f"{path}, line {line}: {problem}")
    notes.records = list(found.values())
    return list(found.values())


def _problem(record: Record, contest: Contest, tasks: Tasks) -> str:
    """Return why a game is not one of this match; empty if it is."""
    task = tasks.numbered(record.number)
    if task is None:
        return f"this match has no game {record.number}"
    planned = contest.planned(task)
    if replace(record, moves=[], scores=[]) == planned:
        return ""
    name = next(name for name in ABOUT if getattr(record, name) != getattr(planned, name))
    return f"{name} is {getattr(record, name)}, but this match has {getattr(planned, name)}"


def _stored(file: Path, game: Game, agents: list[str]) -> Result:
    """Read a finished match."""
    if not file.exists():
        again = "run the same tournament again to continue"
        raise InputError(f"{' against '.join(agents)} was not played to its end; {again}")
    found = Result.open(file)
    if (found.game, found.agents) != (game, agents):
        raise InputError(f"{file}: this is not the match {' against '.join(agents)}")
    return found


def _file(folder: Path, who: Who) -> Path:
    return folder / "matches" / f"{'-'.join(map(str, who))}.jsonl"


def _match_seed(seed: int, who: Who) -> int:
    """Return the seed of a match, which does not depend on the other agents."""
    for agent in who:
        seed = derived_seeds(seed, agent, 1)[0]
    return seed


def _open(path: Path, settings: dict[str, Any], agents: list[str]) -> Path:
    """Return the folder of a tournament, new or one to continue."""
    file = path / "tournament.json"
    try:
        if file.exists():
            _check_stored(path, _read(file), settings, agents)
        elif path.exists() and any(other != draft(file) for other in path.iterdir()):
            raise InputError(f"{path} is not empty and is not a tournament folder")
        path.mkdir(parents=True, exist_ok=True)
        with replacing(file) as stream:
            stream.write(to_json({**settings, "agents": agents}, indent=2) + "\n")
        (path / "matches").mkdir(exist_ok=True)
    except OSError as error:
        with suppress(OSError):
            path.rmdir()  # if it is new
        raise InputError(f"{path} cannot hold a tournament: {error.strerror}") from None
    return path


def _check_stored(
    path: Path, stored: dict[str, Any], settings: dict[str, Any], agents: list[str]
) -> None:
    """Refuse to continue a tournament with other settings or agents."""
    for key, value in settings.items():
        if stored.get(key) != value:
            found = f"{path} contains a tournament with {key} = {stored.get(key)}"
            raise InputError(f"{found}; use the same, or another folder")
    before = stored["agents"]
    if before != agents[: len(before)]:
        found = f"{path} contains a tournament of {', '.join(before)}"
        raise InputError(f"{found}; list these first, in this order, then any new ones")


def _read(file: Path) -> dict[str, Any]:
    """Read the file tournament.json."""
    wrong = "this is not what a tournament writes about itself"
    stored = read_json(file, wrong)
    agents = stored.get("agents")
    if type(agents) is not list or any(type(name) is not str for name in agents):
        raise InputError(f"{file}: {wrong}")
    return stored


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
