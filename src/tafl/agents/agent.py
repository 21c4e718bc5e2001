"""What an agent is, and the door that all agents of tafl share.

Kernels run beside each other and write to the memory that they are given. So an agent answers one
thread at a time, and who wants several at once, or chance that nobody else draws from, asks for its
`twin`. Weights are only read and shared by all.
"""

from copy import copy
from functools import cached_property
from threading import RLock
from typing import Any, Protocol, Self

import numpy as np

from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.random import below
from tafl.errors import InputError


class Agent(Protocol):
    """What a player of any kind can do; your own object that can do it is also an agent."""

    def act(self, state: State) -> int: ...

    def values(self, state: State) -> dict[int, float]: ...


class GameAgent:
    """An agent for one game: it refuses positions of another, and does not move after the end.

    What an agent thinks is in `_rate`, by action and as the rules count; `values` tells it in
    points. `_act` picks one of the best actions unless an agent knows better. What it writes to is
    made by `_make_memory`, or when it is first used, as a `cached_property`.
    """

    def __init__(self, game: Game, seed: int = 0):
        self.game = game
        self.rng = np.array([seed], np.uint64)
        self._lock = RLock()

    def twin(self) -> Self:
        """An agent that thinks like this one, with chance and memory of its own."""
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
        """Makes the arrays that it writes to."""

    def act(self, state: State) -> int:
        """The action that it plays."""
        self._enter(state)
        if state.over:
            raise InputError("the game is over; there is no action to choose")
        with self._lock:
            return self._act(state)

    def values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move, in points."""
        self._enter(state)
        with self._lock:
            rated = {} if state.over else self._rate(state)
        return {action: self.game.points(value) for action, value in rated.items()}

    def _enter(self, state: State) -> None:
        if state.game != self.game:
            raise InputError(f"this agent plays {self.game.name}, not {state.game.name}")

    def _act(self, state: State) -> int:
        return best_action(self._rate(state), self.rng)

    def _rate(self, state: State) -> dict[int, float]:
        raise NotImplementedError


def best_action(values: dict[int, float], rng: np.ndarray) -> int:
    """One of the actions with the highest value, all with the same probability."""
    top = max(values.values())
    best = [action for action, value in values.items() if value == top]
    with np.errstate(over="ignore"):
        return best[int(below(rng, len(best)))] if len(best) > 1 else best[0]
