"""Trained agents of regret matching: they draw their moves from the average policy."""

from dataclasses import dataclass

import numpy as np

from tafl.agents.agent import SearchAgent, draw_action
from tafl.agents.learned import LearnedAgent
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.learn.regret import look_up, make_moves
from tafl.core.learn.store import Store
from tafl.errors import InputError


@dataclass(eq=False, repr=False)
class RegretAgent(SearchAgent):
    """Plays the average policy; `values` are Q of the critic. It reads what the mover sees."""

    game: Game
    store: Store
    seed: int = 0
    name: str = "RegretAgent"

    def _make_memory(self) -> None:
        super()._make_memory()
        self.work = make_moves(self.game.facts, self.store.net, moves=1)
        self._policies = np.zeros_like(self._values)

    def _search(self, words: np.ndarray) -> int:
        self.work.state[:] = words
        found = self._actions, self._values, self._policies
        return int(look_up(self.game.rules, self.store, self.work, *found))

    def _policy(self, state: State) -> dict[int, float]:
        n = self._search(state.words)
        return dict(zip(self._actions[:n].tolist(), self._policies[:n].tolist(), strict=True))

    def _act(self, state: State) -> int:
        return draw_action(self._policy(state), self.rng)

    def __repr__(self) -> str:
        return f"RegretAgent({self.name!r}, {self.game.name})"


TrainedAgent = LearnedAgent | RegretAgent


def with_network(agent: TrainedAgent) -> LearnedAgent:
    """Return a trained agent that has a network of values; refuse others."""
    if isinstance(agent, RegretAgent):
        raise InputError(f"{agent.name} was trained with regret; it has no network of values")
    return agent
