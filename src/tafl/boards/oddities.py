"""Notes of `tafl check`: what rules may do, but hardly ever mean to.

Agents evaluate cells, and have a table for each player who has moved. So after a move of the same
player, two positions with the same cells should be worth the same: the same player is to move, and
the same actions lead to the same scores.
"""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from tafl.boards.game import Game
from tafl.boards.probe import Seen, some
from tafl.numbers import number

ENOUGH_GAMES = 10  # that show that something is always so
VERY_LONG = 200  # moves of a random game
MOST_PAIRS = 200  # of positions that are played on


class Played(NamedTuple):
    """The moves of a random game, and the scores at its end, if it came to one."""

    moves: list[int]
    scores: list[float]
    rewarded: bool  # did a score change before the end?


class Lookalikes:
    """Positions with the same cells, of all random games."""

    def __init__(self, game: Game):
        self.game = game
        self.turns: dict[tuple[int, ...], int] = {}  # who is to move, by the last mover and cells
        self.first: dict[tuple[int, ...], Seen] = {}  # by moves made, mover, turn and cells
        self.words: dict[tuple[int, ...], np.ndarray] = {}
        self.notes: dict[str, str] = {}  # by kind
        self.pairs = 0

    def look(
        self, words: np.ndarray, rng: np.ndarray, seen: Seen, moves: Sequence[int], mover: int
    ) -> None:
        """Compare a position with the first one of the same cells after a move of that player."""
        if seen.over:
            return
        # input() may leave out on purpose what cell() shows
        cells = seen.inputs if self.game.hides else seen.cells
        # chance may say who begins: there is no afterstate yet whose value depends on it
        turn = self.turns.setdefault((mover, *cells), seen.player) if moves else seen.player
        if turn != seen.player:
            text = f"player {turn} or player {seen.player} is to move in positions with equal cells"
            cure = "the agent cannot see whose turn it is; add a cell that shows it"
            self.notes.setdefault("turn", f"{text}: {cure}")
            return
        # moves may be limited, which no cell needs to show
        key = (len(moves), mover, turn, *cells)
        other = self.words.setdefault(key, words.copy())
        first = self.first.setdefault(key, seen)
        if np.array_equal(other, words) or "hidden" in self.notes or self.pairs == MOST_PAIRS:
            return
        self.pairs += 1
        if found := self._difference(first, other, seen, words, rng):
            cure = (
                "cell() has to show all that matters"
                if self.game.hides
                else "show in a cell what decides it, or, if a player must not know it, hide it "
                "with sees() and redeal()"
            )
            self.notes["hidden"] = f"two positions with equal cells differ: {found}; {cure}"

    def _difference(
        self, first: Seen, one: np.ndarray, seen: Seen, two: np.ndarray, rng: np.ndarray
    ) -> str:
        """Return how two positions with equal cells go on differently, or nothing."""
        if first.legal != seen.legal:
            action = min(set(first.legal) ^ set(seen.legal))
            return f"action {action} is legal in only one of them"
        for action in some(seen.legal):
            rewards = [self._rewards(words, rng, action) for words in (one, two)]
            for player, pair in enumerate(zip(*rewards, strict=True)):
                if pair[0] != pair[1]:
                    scores = " or ".join(number(reward) for reward in sorted(pair))
                    return f"action {action} is worth {scores} to player {player}"
        return ""

    def _rewards(self, words: np.ndarray, rng: np.ndarray, action: int) -> list[float]:
        """Return the change of each player's score by an action."""
        after, players = words.copy(), range(self.game.facts.players)
        before = [float(self.game.call("score", words, p)) for p in players]
        self.game.call("play", after, action)
        self.game.call("chance", after, rng.copy())
        return [round(float(self.game.call("score", after, p)) - before[p], 9) for p in players]


def oddities(game: Game, games: list[Played]) -> Iterator[str]:
    """Yield notes about results that are allowed, but probably mistakes."""
    count = f"all {len(games)} games" if len(games) > 1 else "the one game"
    length = median(len(played.moves) for played in games)
    if max(len(played.moves) for played in games) == 1:
        yield f"{count} ended after one move: is over() right?"
    low, _ = game.facts.score_range
    ends = [played.scores for played in games if played.scores]
    if game.facts.players > 1 and all(min(scores) == max(scores) > low for scores in ends):
        yield f"all players had the same score at the end of {count}: is score() right?"
    elif len(ends) >= ENOUGH_GAMES and game.facts.players > 1:
        if all(scores == ends[0] for scores in ends):
            same = " ".join(map(number, ends[0]))
            yield f"the scores at the end of {count} were {same}: is score() right?"
        else:
            yield from _teams(game, ends)
    if length >= VERY_LONG and not any(played.rewarded for played in games):
        text = f"random games last about {length:,.0f} moves, and scores change only at the end"
        yield f"{text}: agents learn sooner if score() also counts progress"


def _teams(game: Game, ends: list[list[float]]) -> Iterator[str]:
    """Yield a note if players always have the same score, but are no team."""
    teams = [
        next(q for q in range(p + 1) if all(scores[p] == scores[q] for scores in ends))
        for p in range(game.facts.players)
    ]
    numbers = [sorted(set(teams)).index(team) for team in teams]
    if max(numbers) < game.facts.players - 1 and not game.facts.teams:
        text = "some players had the same score at the end of all games"
        yield f"{text}: if they are teams, write teams={numbers} in facts()"
