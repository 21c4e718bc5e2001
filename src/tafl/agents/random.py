"""The agent that plays at random."""

import numpy as np

from tafl.agents.agent import GameAgent
from tafl.boards.state import State
from tafl.core.random import below


class RandomAgent(GameAgent):
    """Plays every legal action with the same probability."""

    def _rate(self, state: State) -> dict[int, float]:
        """Return 0 for every legal action."""
        return dict.fromkeys(state.legal_actions, 0.0)

    def _act(self, state: State) -> int:
        actions = state.legal_actions
        with np.errstate(over="ignore"):
            return actions[int(below(self.rng, len(actions)))]
