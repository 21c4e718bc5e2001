"""A game with its rules and facts, and the positions that it starts from."""

import sys
from collections.abc import Sequence
from functools import cached_property
from math import isfinite, nan
from operator import index
from typing import Any

import numpy as np

from tafl.boards.facts import faults
from tafl.boards.state import State
from tafl.core.compile.cache import source_digest, sources_of
from tafl.core.compile.methods import written
from tafl.core.compile.stop import FAILURES, CallFailed
from tafl.core.games.rules import (
    Facts,
    always,
    no_chance,
    no_scramble,
    parameters,
    unlisted,
)
from tafl.errors import GameError, InputError, place, raised_at

# A ValueError of these methods is meant for the user.
REFUSING = ("validate", "position")
PRECISION = 1e-12


class Game:
    """A game with its parameters; made by `tafl.game`.

    >>> import tafl
    >>> game = tafl.game("hex(size=4)")
    >>> game.facts.cells, game.parameters
    (16, {'size': 4})
    """

    def __init__(self, rules: Any, name: str):
        self.rules = rules  # the NamedTuple that kernels take
        self.name = name  # `tafl.game(name)` makes the same game
        if hasattr(rules, "validate"):
            self.call("validate")
        self.facts: Facts = self.call("facts")
        for fault in faults(self.facts):
            raise GameError(f"{name}: {fault}")
        if self.hides and self.facts.packed:
            raise GameError(f"{name}: leave out packed; a player does not see all packed cells")
        if self.hides and self.facts.input_values != self.facts.values:
            raise GameError(f"{name}: leave out input_values; networks read what sees() returns")

    @property
    def parameters(self) -> dict[str, Any]:
        """Return the parameters and their values."""
        return parameters(self.rules)

    @property
    def has_chance(self) -> bool:
        """Return whether anything happens at random."""
        return type(self.rules).chance is not no_chance

    @property
    def lists_moves(self) -> bool:
        """Return whether the rules list the legal actions themselves."""
        return type(self.rules).list_moves is not unlisted

    @property
    def scrambles(self) -> bool:
        """Return whether games can begin some moves from the goal of a puzzle."""
        return type(self.rules).scramble is not no_scramble

    @property
    def hides(self) -> bool:
        """Return whether players see only a part of the state, as in card games."""
        return type(self.rules).hides is always

    @property
    def foreign(self) -> bool:
        """Return whether another library makes the moves."""
        return hasattr(self.rules, "source")

    def start(self, seed: int = 0) -> State:
        """Return the start position; the seed matters only in games of chance.

        >>> import tafl
        >>> print(tafl.game("tictactoe").start())
        . . .
        . . .
        . . .
        """
        state = self._empty(seed, from_start=True)
        self.call("start", state.words)
        self.call("chance", state.words, state.rng)
        return state

    def scrambled(self, moves: int, seed: int = 0) -> State:
        """Return a position that random moves lead to from the goal of a puzzle.

        >>> import tafl
        >>> tafl.game("cube").scrambled(1, seed=1).over
        False
        """
        if not self.scrambles:
            raise InputError(f"{self.name} cannot be scrambled: its rules have no scramble()")
        if moves < 1:
            raise InputError(f"moves must be at least 1, not {moves}")
        state = self._empty(seed)
        self.call("scramble", state.words, moves, state.rng)
        while state.over:
            self.call("scramble", state.words, moves, state.rng)
        return state

    def position(self, cells: Sequence[int], player: int = 0, seed: int = 0) -> State:
        """Return a position with the given cells and player to move.

        >>> import tafl
        >>> tafl.game("nim").position([0, 2, 1], player=1).legal_actions
        [1, 2, 4]
        """
        if not hasattr(self.rules, "position"):
            text = f"positions of {self.name} cannot be set up"
            raise InputError(f"{text}: its rules have no position()")
        facts = self.facts
        if len(cells) != facts.cells:
            raise InputError(f"{self.name} has {facts.cells} cells, not {len(cells)}")
        for c, value in enumerate(cells):
            if value not in range(facts.values):
                last = facts.values - 1
                raise InputError(f"cell {c} is {value!r}; cell values are 0 to {last}")
        if player not in range(facts.players):
            last = facts.players - 1
            raise InputError(f"there is no player {player!r}; the players are 0 to {last}")
        state = self._empty(seed)
        self.call("position", state.words, [int(value) for value in cells], player)
        if state.player != player:
            raise InputError(f"in this position player {state.player} is to move, not {player}")
        return state

    def from_words(self, words: Sequence[int], seed: int = 0) -> State:
        """Return the position with these words, if the rules accept them."""
        if len(words) != self.facts.words:
            raise InputError(f"a position of {self.name} has {self.facts.words} words")
        state = self._empty(seed)
        state.words[:] = np.array(words, np.uint64).astype(np.int64)
        sane = 0 <= state.player < self.facts.players
        if not sane or any(not 0 <= value < self.facts.values for value in state.cells):
            raise InputError(f"this is not a position of {self.name}")
        return state

    def points(self, score: float) -> float:
        """Convert a score of the rules to points.

        >>> import tafl
        >>> game = tafl.game("2048")
        >>> game.points(132 * game.facts.score_unit)
        132.0
        """
        points = float(score) / self.facts.score_unit
        # removes the rounding error of whole numbers of points
        whole = round(points) if isfinite(points) else nan
        return float(whole) if abs(points - whole) < PRECISION * abs(points) else points

    def action_name(self, action: int) -> str:
        """Return the name of an action.

        >>> import tafl
        >>> tafl.game("tictactoe").action_name(4)
        'b2'
        """
        return str(self.call("action_name", action))

    def listed(self, words: np.ndarray) -> list[int]:
        """Return the legal actions as moves() lists them."""
        out = np.zeros(self.facts.actions, np.int64)
        count = self.call("list_moves", words, out)
        if not isinstance(count, int | np.integer) or not 0 <= count <= out.size:
            text = f"moves() returned {count!r} instead of how many actions it wrote"
            raise GameError(f"{self.name}: {text}")
        return [int(action) for action in out[:count]]

    def call(self, method: str, *arguments: Any) -> Any:
        """Run a method of the rules in plain Python; errors in it are reported with their line."""
        try:
            with np.errstate(over="ignore"):
                return getattr(self.rules, method)(*arguments)
        except CallFailed:
            raise FAILURES.pop() from None
        except Exception as error:
            if method in REFUSING and isinstance(error, ValueError):
                raise InputError(f"{self.name}: {error}") from None
            file, line = raised_at(error, sources_of(type(self.rules)))
            method = written(method)
            where = f"{place(file, line)}, in {method}()" if file else f"{self.name}, {method}()"
            raise GameError(f"{where}: {type(error).__name__}: {error}") from error

    def sign(self, player: int) -> str:
        """Return the sign of a player's stones in drawings; empty if players have none.

        >>> import tafl
        >>> tafl.game("hex").sign(1)
        'o'
        """
        return str(self.call("sign", player))

    def _empty(self, seed: int, *, from_start: bool = False) -> State:
        rng = np.array([checked_seed(seed)], np.uint64)
        return State(self, np.zeros(self.facts.words, np.int64), rng, from_start=from_start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @cached_property
    def _identity(self) -> tuple[Any, ...]:
        """Return what makes games equal: the source of their rules, and their parameters."""
        if self.foreign:
            return (self.name,)
        rules: Any = type(self.rules)
        own_file = hasattr(sys.modules.get(rules.__module__), "__source_digest__")
        source = source_digest(rules) if own_file else rules
        return rules.__qualname__, source, *self.parameters.items()

    def __repr__(self) -> str:
        return f"tafl.game({self.name!r})"


def checked_seed(seed: Any) -> int:
    """Return a seed as an int; refuse other values."""
    try:
        number = index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**64:
        raise InputError(f"a seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
    return number
