"""The agent that plays anything legal."""

import numpy as np

from tafl.core.random import below
from tafl.games.game import Game
from tafl.games.state import State


class RandomAgent:
    """Every legal action with the same probability."""

    def __init__(self, game: Game, seed: int = 0):
        self.rng = np.array([seed], np.uint64)

    def values(self, state: State) -> dict[int, float]:
        """Nothing is known: 0 for every legal action."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def act(self, state: State) -> int:
        """Any legal action."""
        actions = state.legal_actions
        with np.errstate(over="ignore"):
            return actions[int(below(self.rng, len(actions)))]
