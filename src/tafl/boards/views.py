"""Checks that players see only what they may, in games with hidden information, in plain Python.

A redeal draws again what a player cannot know. So whatever the player notices has to be the same
after it; what is not the same shows the player something of what is hidden.
"""

from typing import NamedTuple

import numpy as np

from tafl.boards.game import Game
from tafl.boards.outcomes import Report
from tafl.boards.probe import read_only

DRAWS = 3  # redeals of a position that is looked at closely

Cells = tuple[int, ...]


class Noticed(NamedTuple):
    """Everything that a player notices of a position before the end."""

    cells: Cells  # as the player sees them
    turn: int  # the player to move
    over: bool
    legal: Cells  # legal actions, if it is the player's turn
    score: float


def noticed(game: Game, words: np.ndarray, player: int) -> Noticed:
    """Return what a player notices of a position."""
    over, turn = bool(game.call("over", words)), int(game.call("player", words))
    legal: Cells = ()
    if turn == player and not over:
        legal = tuple(a for a in range(game.facts.actions) if game.call("legal", words, a))
    score = 0.0 if over else float(game.call("score", words, player))
    return Noticed(seen(game, words, player), turn, over, legal, score)


def seen(game: Game, words: np.ndarray, player: int) -> Cells:
    """Return the cells as a player sees them."""
    return tuple(int(game.call("sees", words, player, c)) for c in range(game.facts.cells))


def truth(game: Game, words: np.ndarray) -> Cells:
    """Return the cells as they are."""
    return tuple(int(game.call("cell", words, c)) for c in range(game.facts.cells))


def redealt(game: Game, words: np.ndarray, player: int, rng: np.ndarray) -> np.ndarray:
    """Return another position that a player should not tell from this one."""
    other = words.copy()
    game.call("redeal", other, player, rng)
    return other


class ViewProbe:
    """Asks the rules of a game what players see, and calls fault(kind, text) for each leak."""

    def __init__(self, game: Game, fault: Report):
        self.game, self.facts, self.fault = game, game.facts, fault

    def look(self, words: np.ndarray, rng: np.ndarray, *, closely: bool) -> None:
        """Check what players see of a position; from afar only one of the players is asked."""
        if not self.game.hides:
            return
        n, rng = self.facts.players, rng.copy()
        turn = int(self.game.call("player", words)) % n
        with read_only(words):
            for player in range(n) if closely else (turn,):
                self._check_range(words, player)
                if not self.game.call("over", words):
                    self._check_blind(words, player, rng, DRAWS if closely else 1)

    def _check_range(self, words: np.ndarray, player: int) -> None:
        """Check that what a player sees are values of cells, and the same when asked twice."""
        cells = seen(self.game, words, player)
        for c, value in enumerate(cells):
            if not 0 <= value < self.facts.values:
                last = self.facts.values - 1
                self.fault("sees", f"sees({player}, {c}) is {value}, not one of 0 to {last}")
        if seen(self.game, words, player) != cells:
            self.fault("unstable", "the rules give different answers for the same state")

    def _check_blind(self, words: np.ndarray, player: int, rng: np.ndarray, draws: int) -> None:
        """Check that a player notices nothing of a redeal."""
        before = noticed(self.game, words, player)
        for _ in range(draws):
            again = rng.copy()
            other = redealt(self.game, words, player, rng)
            if not np.array_equal(other, redealt(self.game, words, player, again)):
                text = "redeal() gives different results for the same state and rng"
                self.fault("redeal", text)
            for c, value in enumerate(truth(self.game, other)):
                if not 0 <= value < self.facts.values:
                    text = f"after redeal() for player {player} cell({c}) is {value}"
                    self.fault("redeal", f"{text}, not one of 0 to {self.facts.values - 1}")
            after = noticed(self.game, other, player)
            if after != before:
                change = _change(before, after)
                self.fault(
                    "leak", f"player {player} notices redeal() for player {player}: {change}"
                )
                return
            if draws > 1 and self._drawn(words, player) != self._drawn(other, player):
                text = f"draw() shows player {player} what is hidden from it"
                self.fault("leak", f"{text}: it changes with redeal()")

    def _drawn(self, words: np.ndarray, player: int) -> object:
        """Return the drawing for a player, if there is one."""
        known = hasattr(self.game.rules, "draw")
        return self.game.call("draw", words, player) if known else None


def _change(before: Noticed, after: Noticed) -> str:
    """Return the first thing that a player notices, as text."""
    hint = "sees() shows what the player cannot know, or redeal() changes what it knows"
    if before.over != after.over:
        return "the end of the game depends on what is hidden"
    if before.turn != after.turn:
        return f"player {after.turn} is to move instead of player {before.turn}"
    for c, (old, new) in enumerate(zip(before.cells, after.cells, strict=True)):
        if old != new:
            return f"it sees {new} instead of {old} on cell {c} ({hint})"
    if before.legal != after.legal:
        action = min(set(before.legal) ^ set(after.legal))
        return f"whether its action {action} is legal depends on what is hidden"
    return f"its score is {after.score:g} instead of {before.score:g}"
