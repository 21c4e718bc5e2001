"""Trained agents: greedy on a network of values."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tafl.agents.agent import SearchAgent
from tafl.boards.game import Game
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.play.greedy import action_values


@dataclass(eq=False, repr=False)
class LearnedAgent(SearchAgent):
    """Plays the action with the highest r + gamma V(s'); ties are broken at random."""

    game: Game
    net: Any  # an approximator
    td: TD
    seed: int = 0
    name: str = "LearnedAgent"

    def _make_memory(self) -> None:
        super()._make_memory()
        self.work = make_work(self.game.facts, self.net)

    def _search(self, words: np.ndarray) -> int:
        self.work.state[:] = words
        asked, found = (self.net, self.td, self.work), (self._actions, self._values)
        return int(action_values(self.game.rules, *asked, self.rng, *found))

    def __repr__(self) -> str:
        return f"LearnedAgent({self.name!r}, {self.game.name})"
