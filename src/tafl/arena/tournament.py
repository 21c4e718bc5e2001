"""A tournament: everyone against everyone, in all rotations of the seats.

For games of n players every n of the agents play a match. The folder of a tournament holds

    tournament.json    game, agents, games a match, starts and seed
    matches/0-1.jsonl  the records of the match of agents 0 and 1
    matches/0-1.jsonl.writing  the same while it is played

A tournament in the same folder goes on with the games that are missing, and agents may be added
at the end of the list.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tafl.arena.contest import derived_seeds
from tafl.arena.match import Match, make_contest, make_tasks, match
from tafl.arena.ratings import Ratings, rate
from tafl.arena.records import Notes, read_records
from tafl.errors import AgentError, InputError
from tafl.games.game import Game
from tafl.games.load import load_game

Who = tuple[int, ...]  # the agents of a match, by their numbers


@dataclass(frozen=True)
class Tournament:
    """The matches of a tournament, and what they say about the agents."""

    game: Game
    agents: list[str]
    matches: dict[Who, Match]

    @property
    def payoffs(self) -> list[float]:
        """The mean score of each agent over all its games."""
        return [_mean([scores[i] for scores in self.results() if i in scores]) for i in self._all]

    @property
    def table(self) -> list[list[float]]:
        """The mean score of each agent in games with each other one; nan with itself."""
        results = list(self.results())
        return [
            [_mean([s[i] for s in results if i in s and j in s and i != j]) for j in self._all]
            for i in self._all
        ]

    @property
    def ratings(self) -> Ratings | None:
        """Bradley-Terry or Plackett-Luce ratings; none for a game that everyone plays alone."""
        if self.game.facts.players == 1:
            return None
        return rate(len(self.agents), self.results())

    def results(self) -> Iterator[dict[int, float]]:
        """The score of every agent that played, game by game."""
        for who, one in self.matches.items():
            for scores in one.scores:
                yield dict(zip(who, scores.tolist(), strict=True))

    @property
    def _all(self) -> range:
        return range(len(self.agents))


def tournament(
    game: str | Path | type | Game,
    agents: Sequence[str],
    games: int = 100,
    starts: str | int = "start",
    seed: int = 0,
    workers: int = 1,
    out: str | Path | None = None,
    ended: Callable[[Match], None] = lambda match: None,
) -> Tournament:
    """Plays a match of at least `games` games between all agents that can meet.

    With a folder `out` every game is stored when it ends, and those stored before are not played
    again. `ended` is called after each match.

    >>> import tafl
    >>> found = tafl.tournament("nim", ["random", "exact", "maxn"], games=4)
    >>> len(found.matches), found.ratings.elo[0] < min(found.ratings.elo[1:])
    (3, True)
    """
    loaded = load_game(game)
    players = loaded.facts.players
    if len(agents) < max(2, players):
        least = max(2, players)
        raise InputError(f"a tournament of {loaded.name} needs at least {least} agents")
    if len(set(agents)) < len(agents):
        raise InputError("every agent of a tournament must be another one")
    # all that could be wrong, before the first move
    make_tasks(loaded, games, starts, seed)
    for agent in agents:
        make_contest(loaded, [agent] * players, seed)
    settings = {"game": loaded.name, "games": games, "starts": starts, "seed": seed}
    folder = _open(Path(out), settings, list(agents)) if out is not None else None
    matches: dict[Who, Match] = {}
    everyone = list(combinations(range(len(agents)), players))
    for who in everyone:
        names, own = [agents[i] for i in who], _match_seed(seed, who)
        file = folder / "matches" / f"{'-'.join(map(str, who))}.jsonl" if folder else None
        try:
            matches[who] = _match(loaded, names, games, starts, own, workers, file)
        except AgentError as error:
            before = f"{len(matches)} of {len(everyone)} matches before it"
            raise AgentError(f"{' against '.join(names)}: {error}, and {before}") from error
        ended(matches[who])
    return Tournament(loaded, list(agents), matches)


def _match(
    game: Game,
    agents: list[str],
    games: int,
    starts: str | int,
    seed: int,
    workers: int,
    file: Path | None,
) -> Match:
    """A match, read from its file or played, or begun there and played to its end."""
    if file is None:
        return match(game, agents, games, starts, seed, workers)
    if file.exists():
        return Match(game, agents, starts, seed, read_records(file))
    notes = Notes(file)
    notes.take_up()
    known = list(notes.records)
    found = match(game, agents, games, starts, seed, workers, played=notes.add, known=known)
    notes.finish()
    return found


def _match_seed(seed: int, who: Who) -> int:
    """A seed of its own for every match, whoever else takes part in the tournament."""
    for agent in who:
        seed = derived_seeds(seed, agent, 1)[0]
    return seed


def _open(path: Path, settings: dict[str, Any], agents: list[str]) -> Path:
    """The folder of a tournament, new or one to go on with."""
    file = path / "tournament.json"
    if file.exists():
        stored = json.loads(file.read_text(encoding="utf-8"))
        before = stored.pop("agents")
        for key, value in settings.items():
            if stored.get(key) != value:
                raise InputError(f"{path} holds a tournament with {key} {stored.get(key)}")
        if before != agents[: len(before)]:
            raise InputError(
                f"{path} holds a tournament of {', '.join(before)}; "
                "name them first and in this order, and then those to add"
            )
    elif path.exists() and any(path.iterdir()):
        raise InputError(f"{path} is not empty, and it holds no tournament")
    (path / "matches").mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(file.name + ".writing")
    temporary.write_text(json.dumps({**settings, "agents": agents}, indent=2) + "\n")
    temporary.rename(file)
    return path


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
