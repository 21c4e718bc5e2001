"""Check of interchangeable seats: rotate() puts each player in the position of the one before.

One network serves all players only if nothing in the rules depends on who sits where.
"""

from collections.abc import Sequence

import numpy as np

from tafl.boards.game import Game
from tafl.boards.outcomes import Report
from tafl.boards.probe import read_only, some


class SeatProbe:
    """Compares positions with what rotate() makes of them."""

    def __init__(self, game: Game, fault: Report):
        self.game, self.facts, self.fault = game, game.facts, fault

    def look(self, words: np.ndarray, legal: Sequence[int]) -> None:
        """Check one position and some of its moves."""
        if self.facts.seats is None:
            return
        if not hasattr(self.game.rules, "rotate"):
            self.fault("seats", "facts() has seats, so that the rules need a method rotate()")
            return
        again = words
        for _ in range(self.facts.players):
            again = self._rotated(again)
        problem = self._difference(words, self._rotated(words))
        if not np.array_equal(again, words):
            problem = f"rotated {self.facts.players} times, a state is not what it was"
        actions = self.facts.seats.actions or list(range(self.facts.actions))
        if not problem and not self.game.call("over", words):
            problem = self._wrong_legal(words, actions)
        for action in some(list(legal)):
            problem = problem or self._wrong_move(words, action, actions[action])
        if problem:
            self.fault("seats", f"the seats are not interchangeable: {problem}")

    def _rotated(self, words: np.ndarray) -> np.ndarray:
        other = words.copy()
        self.game.rules.rotate(other)
        return other

    def _wrong_legal(self, words: np.ndarray, actions: Sequence[int]) -> str:
        rotated = self._rotated(words)
        for action, other in enumerate(actions):
            here = bool(self.game.call("legal", words, action))
            if bool(self.game.call("legal", rotated, other)) != here:
                said = "legal" if here else "not legal"
                return f"action {action} is {said}, but action {other} for the next player is"
        return ""

    def _wrong_move(self, words: np.ndarray, action: int, other: int) -> str:
        after, rotated = words.copy(), self._rotated(words)
        self.game.call("play", after, action)
        self.game.call("play", rotated, other)
        problem = self._difference(after, rotated)
        return f"after action {action}, and action {other}: {problem}" if problem else ""

    def _difference(self, words: np.ndarray, rotated: np.ndarray) -> str:
        """Return what of a rotated state is not as it should be; nothing if all is."""
        facts, call = self.facts, self.game.call
        assert facts.seats is not None
        with read_only(words, rotated):
            over = bool(call("over", words))
            if bool(call("over", rotated)) != over:
                return f"over is {not over} for the next player instead of {over}"
            wanted = (int(call("player", words)) + 1) % facts.players
            if not over and (player := int(call("player", rotated))) != wanted:
                return f"player is {player} instead of {wanted}"
            for p in range(facts.players):
                score, q = call("score", words, p), (p + 1) % facts.players
                if (other := call("score", rotated, q)) != score:
                    return f"the score of player {q} is {other:g}, not {score:g} as of player {p}"
            return self._other_cell(words, rotated)

    def _other_cell(self, words: np.ndarray, rotated: np.ndarray) -> str:
        facts, call = self.facts, self.game.call
        assert facts.seats is not None
        cells = facts.seats.cells or list(range(facts.cells))
        for c, place in enumerate(cells):
            value = int(call("input", words, c))
            if c not in facts.seats.fixed:
                value = facts.seats.values[value]
            if (found := int(call("input", rotated, place))) != value:
                return f"cell {place} should be {value}, but is {found}"
        return ""
