"""The agent that training makes: greedy on an n-tuple network."""

import numpy as np

from tafl.agents.agent import GameAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.play.greedy import action_values


class LearnedAgent(GameAgent):
    """Plays the action with the highest r + gamma V(s'), ties at random from the seed."""

    def __init__(self, game: Game, net: Net, td: TD, seed: int = 0, name: str = "LearnedAgent"):
        super().__init__(game, seed)
        self.net, self.td, self.name = net, td, name
        self._make_memory()

    def _make_memory(self) -> None:
        actions = self.game.facts.actions
        self.work = make_work(self.game.facts, self.net)
        self._actions, self._values = np.zeros(actions, np.int64), np.zeros(actions, np.float64)

    def _rate(self, state: State) -> dict[int, float]:
        self.work.state[:] = state.words
        n = action_values(
            self.game.rules, self.net, self.td, self.work, self.rng, self._actions, self._values
        )
        return dict(zip(self._actions[:n].tolist(), self._values[:n].tolist(), strict=True))

    def __repr__(self) -> str:
        return f"LearnedAgent({self.name!r}, {self.game.name})"
