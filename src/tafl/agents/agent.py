"""What an agent is, and the door that all agents of tafl share."""

from typing import Protocol

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
    points. `_act` picks one of the best actions unless an agent knows better.
    """

    def __init__(self, game: Game, seed: int = 0):
        self.game = game
        self.rng = np.array([seed], np.uint64)

    def act(self, state: State) -> int:
        """The action that it plays."""
        self._enter(state)
        if state.over:
            raise InputError("the game is over; there is no action to choose")
        return self._act(state)

    def values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move, in points."""
        self._enter(state)
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
