"""A position of a game, in plain Python: nothing is compiled."""

from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from tafl.errors import GameError, IllegalAction

if TYPE_CHECKING:
    from tafl.games.game import Game

MOST_LISTED = 20


class State:
    """A position; `play` changes it.

    >>> import tafl
    >>> state = tafl.game("connectfour").start()
    >>> state.play(3)
    >>> state.player, state.legal_actions
    (1, [0, 1, 2, 3, 4, 5, 6])
    """

    __slots__ = ("game", "rng", "words")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, game: "Game", words: np.ndarray, rng: np.ndarray):
        self.game = game
        self.words = words  # int64[words]: what the rules keep
        self.rng = rng  # uint64[1]: where chance comes from

    @property
    def player(self) -> int:
        """Who is to move: 0, 1, ..."""
        return int(self._number("player"))

    @property
    def over(self) -> bool:
        """Is the game finished?"""
        return bool(self._ask("over"))

    @property
    def legal_actions(self) -> list[int]:
        """The actions that may be played, none when the game is over."""
        if self.over:
            return []
        return [a for a in range(self.game.facts.actions) if self._ask("legal", a)]

    @property
    def scores(self) -> list[float]:
        """The cumulative reward of each player."""
        return [float(self._number("score", p)) for p in range(self.game.facts.players)]

    @property
    def cells(self) -> list[int]:
        """What stands on each cell."""
        return [int(self._number("cell", c)) for c in range(self.game.facts.cells)]

    def play(self, action: int) -> None:
        """Plays an action and what chance adds to it; a wrong action leaves the state as it was.

        >>> import tafl
        >>> tafl.game("tictactoe").start().play(9)
        Traceback (most recent call last):
        tafl.errors.IllegalAction: there is no action 9: the actions of tictactoe are 0 to 8
        """
        after = self.afterstate(action)
        self.game.call("chance", after.words, after.rng)
        self.words, self.rng = after.words, after.rng

    def afterstate(self, action: int) -> "State":
        """The state after an action, before what chance adds to it."""
        checked = self._check(action)
        after = self.copy()
        self.game.call("play", after.words, checked)
        return after

    def copy(self) -> "State":
        """An independent state with the same future."""
        return State(self.game, self.words.copy(), self.rng.copy())

    def _ask(self, method: str, *arguments: int) -> Any:
        return self.game.call(method, self.words, *arguments)

    def _number(self, method: str, *arguments: int) -> Any:
        value = self._ask(method, *arguments)
        if not isinstance(value, int | float | np.number):
            raise GameError(f"{self.game.name}: {method}() returned {value!r} instead of a number")
        return value

    def _check(self, action: int) -> int:
        last = self.game.facts.actions - 1
        try:
            number = index(action)
        except TypeError:
            raise IllegalAction(f"an action is a whole number, not {action!r}") from None
        if isinstance(action, bool):
            raise IllegalAction(f"an action is a whole number, not {action!r}")
        if not 0 <= number <= last:
            raise IllegalAction(
                f"there is no action {number}: the actions of {self.game.name} are 0 to {last}"
            )
        if self.over:
            raise IllegalAction(f"the game is over, action {number} comes too late")
        if not self._ask("legal", number):
            legal = self.legal_actions
            more = " ..." if len(legal) > MOST_LISTED else ""
            listed = " ".join(map(str, legal[:MOST_LISTED])) + more
            raise IllegalAction(f"action {number} is not legal here; legal are: {listed}")
        return number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game == other.game and np.array_equal(self.words, other.words)

    def __repr__(self) -> str:
        return f"State({self.game.name!r}, words={self.words.tolist()})"

    def __str__(self) -> str:
        if hasattr(self.game.rules, "draw"):
            return str(self._ask("draw"))
        return " ".join(map(str, self.cells))
