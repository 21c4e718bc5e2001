"""The interface of agents, and the base classes of tafl's own.

An agent serves one thread at a time, since kernels write to its memory. Its `twin` has its own
memory and random generator, and shares the weights.
"""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import field
from functools import cached_property
from threading import RLock
from typing import Any, Protocol, Self

import numpy as np

from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.random import below, uniform
from tafl.errors import InputError


class Agent(Protocol):
    """The interface of agents; any object with these methods is one."""

    def act(self, state: State) -> int: ...

    def values(self, state: State) -> dict[int, float]: ...


class GameAgent:
    """An agent for one game; it refuses positions of other games, and finished ones.

    A subclass implements `_rate`, the value of each action in the rules' unit, or `_act`; one that
    plays actions with other probabilities than equal ones for the best implements `_policy`. Its
    memory is made by `_make_memory`, or by a `cached_property` when it is first used. An agent with
    parameters is a dataclass: a game, a seed, and parameters, `limited` if they have a range.
    """

    plays: type | None = None  # the rules that it plays; None: all games
    sees_all = False  # does it look at the whole state, also at what its player cannot see?

    def __init__(self, game: Game, seed: int = 0):
        self.game, self.seed = game, seed
        self.__post_init__()

    def __post_init__(self) -> None:
        self.rng = np.array([self.seed], np.uint64)
        self._lock = RLock()
        if self.sees_all and self.game.hides:
            text = f"this agent would look at what {self.game.name} hides from its player"
            raise InputError(f"{text}; use pimc or ismcts")
        self._check_game()
        declared: Any = getattr(self, "__dataclass_fields__", {})
        for name, parameter in declared.items():
            if "limits" in parameter.metadata:
                value, (low, high) = getattr(self, name), parameter.metadata["limits"]
                if not low <= value <= high:
                    raise InputError(f"{name} must be {low:,} to {high:,}, not {value:,}")
                setattr(self, name, parameter.type(value))
        self._make_memory()

    def _check_game(self) -> None:
        """Refuse a game that it cannot play."""
        if self.plays is not None and not isinstance(self.game.rules, self.plays):
            name = self.plays.__name__.lower()
            raise InputError(f"this agent plays {name}, not {self.game.name}")

    def twin(self) -> Self:
        """Return a copy of this agent with separate random generator and memory."""
        twin = copy(self)
        twin.rng = self.rng.copy()
        members = [item for kind in type(self).__mro__ for item in vars(kind).items()]
        for name in [name for name, member in members if isinstance(member, cached_property)]:
            vars(twin).pop(name, None)
        twin._make_memory()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = RLock()  # a lock is never copied

    def _make_memory(self) -> None:
        """Make the arrays that it writes to."""

    def act(self, state: State) -> int:
        """Return the action that it plays."""
        self._enter(state)
        if state.over:
            raise InputError("the game is over; there is no action to choose")
        with self._lock:
            return self._act(state)

    def values(self, state: State) -> dict[int, float]:
        """Return the value of each legal action for the player to move, in points."""
        self._enter(state)
        with self._lock:
            rated = {} if state.over else self._rate(state)
        return {action: self.game.points(value) for action, value in rated.items()}

    def policy(self, state: State) -> dict[int, float]:
        """Return the probability with which it plays each legal action.

        >>> import tafl
        >>> tafl.agent("random", "tictactoe").policy(tafl.position("tictactoe: b2 a1 c3 a3 c1"))
        {1: 0.25, 3: 0.25, 5: 0.25, 7: 0.25}
        """
        self._enter(state)
        with self._lock:
            return {} if state.over else self._policy(state)

    def _enter(self, state: State) -> None:
        if state.game != self.game:
            raise InputError(f"this agent plays {self.game.name}, not {state.game.name}")

    def _act(self, state: State) -> int:
        return best_action(self._rate(state), self.rng)

    def _rate(self, state: State) -> dict[int, float]:
        raise NotImplementedError

    def _policy(self, state: State) -> dict[int, float]:
        return shared_by_best(self._rate(state))


class SearchAgent(GameAgent):
    """An agent whose kernel writes the actions of a position and their values to two arrays."""

    def _make_memory(self) -> None:
        actions = self.game.facts.actions
        self._actions, self._values = np.zeros(actions, np.int64), np.zeros(actions, np.float64)

    def _rate(self, state: State) -> dict[int, float]:
        return self._found(self._undisturbed(self._search, state.words))

    def _act(self, state: State) -> int:
        found = self._found(self._undisturbed(self._search_best, state.words))
        return best_action(self._preferences(found), self.rng)

    def _policy(self, state: State) -> dict[int, float]:
        return shared_by_best(self._preferences(self._rate(state)))

    def _undisturbed(self, search: Callable[[np.ndarray], int], words: np.ndarray) -> int:
        """Search; after Ctrl-C, restore the random generator."""
        before = self.rng.copy()
        try:
            return search(words)
        except KeyboardInterrupt:
            self.rng[:] = before
            raise

    def _preferences(self, values: dict[int, float]) -> dict[int, float]:
        """Return the values of actions after a search; it plays one of the highest."""
        return values

    def _found(self, n: int) -> dict[int, float]:
        return dict(zip(self._actions[:n].tolist(), self._values[:n].tolist(), strict=True))

    def _search(self, words: np.ndarray) -> int:
        """Write actions and values; return their number."""
        raise NotImplementedError

    def _search_best(self, words: np.ndarray) -> int:
        """Search for the best actions only; others may have any lower value."""
        return self._search(words)


def limited(default: float, low: float, high: float) -> Any:
    """Declare a parameter of an agent that must be from `low` to `high`."""
    return field(default=default, metadata={"limits": (low, high)})


def shared_by_best(values: dict[int, float]) -> dict[int, float]:
    """Return the probability of each action if all with the highest value are equally likely.

    >>> shared_by_best({0: 0.5, 3: 1.0, 4: 1.0})
    {0: 0.0, 3: 0.5, 4: 0.5}
    """
    best = best_actions(values)
    return {action: (action in best) / len(best) for action in values}


def best_actions(values: dict[int, float]) -> list[int]:
    """Return the actions with the highest value; the first action if no value is a number.

    >>> best_actions({0: math.nan, 3: 1.0, 4: 1.0}), best_actions({2: math.nan, 5: math.nan})
    ([3, 4], [2])
    """
    top = max((value for value in values.values() if not math.isnan(value)), default=math.nan)
    found = [action for action, value in values.items() if value == top]
    return found or [next(iter(values))]


def best_action(values: dict[int, float], rng: np.ndarray) -> int:
    """Return one of the actions with the highest value, drawn uniformly."""
    best = best_actions(values)
    with np.errstate(over="ignore"):
        return best[int(below(rng, len(best)))] if len(best) > 1 else best[0]


def draw_action(policy: dict[int, float], rng: np.ndarray) -> int:
    """Return an action drawn with its probability, or with its share of all weights."""
    with np.errstate(over="ignore"):
        left = float(uniform(rng)) * sum(policy.values())
    for action, probability in policy.items():
        left -= probability
        if left < 0:
            return action
    return max(policy, key=policy.__getitem__)
