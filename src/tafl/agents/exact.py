"""A perfect player of small games: Max-N over all states, each solved once.

Of equally good actions the first counts for the other players; any of them is played.
"""

from functools import cache

import numpy as np

from tafl.agents.agent import GameAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.errors import InputError

MOST_STATES = 100_000


class Solution:
    """The exact scores of all states reachable from the start."""

    def __init__(self, game: Game):
        if game.has_chance:
            raise InputError(f"exact does not play games of chance such as {game.name}; try random")
        self.game = game
        self.scores: dict[bytes, tuple[float, ...]] = {}
        self._values: dict[bytes, dict[int, float]] = {}
        self._solve(game.start().words)

    def _solve(self, words: np.ndarray) -> tuple[float, ...]:
        key = words.tobytes()
        if key in self.scores:
            return self.scores[key]
        if len(self.scores) >= MOST_STATES:
            size = f"more than {MOST_STATES:,} states"
            raise InputError(f"{self.game.name} has {size}, too many for exact")
        call, facts = self.game.call, self.game.facts
        if call("over", words):
            result = tuple(float(call("score", words, p)) for p in range(facts.players))
        else:
            player = int(call("player", words))
            legal = [a for a in range(facts.actions) if call("legal", words, a)]
            results = [self._solve(self._after(words, a)) for a in legal]
            result = max(results, key=lambda scores: scores[player])
        self.scores[key] = result
        return result

    def _after(self, words: np.ndarray, action: int) -> np.ndarray:
        after = words.copy()
        self.game.call("play", after, action)
        return after

    def values(self, state: State) -> dict[int, float]:
        """Return the exact score of every legal action for the player to move."""
        key = state.words.tobytes()
        if key not in self._values:
            player, words = state.player, state.words
            results = {a: self._solve(self._after(words, a)) for a in state.legal_actions}
            self._values[key] = {a: scores[player] for a, scores in results.items()}
        return self._values[key]


@cache
def solution(game: Game) -> Solution:
    """Return the solution of a game, computed once per process."""
    return Solution(game)


class ExactAgent(GameAgent):
    """Plays any of the actions with the best exact score."""

    sees_all = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self.solution = solution(self.game)

    def _rate(self, state: State) -> dict[int, float]:
        return self.solution.values(state)
