"""The agent that training makes: greedy on an n-tuple network."""

import numpy as np

from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Net
from tafl.core.play.greedy import action_values
from tafl.games.game import Game
from tafl.games.state import State


class LearnedAgent:
    """Plays the action with the highest r + gamma V(s'), ties at random from the seed."""

    def __init__(self, game: Game, net: Net, td: TD, seed: int = 0):
        self.game, self.net, self.td = game, net, td
        self.work = make_work(game.facts, net)
        self.rng = np.array([seed], np.uint64)
        self._actions = np.zeros(game.facts.actions, np.int64)
        self._values = np.zeros(game.facts.actions, np.float64)

    def values(self, state: State) -> dict[int, float]:
        """What each legal action is worth to the player to move."""
        self.work.state[:] = state.words
        n = action_values(
            self.game.rules, self.net, self.td, self.work, self.rng, self._actions, self._values
        )
        return dict(zip(self._actions[:n].tolist(), self._values[:n].tolist(), strict=True))

    def act(self, state: State) -> int:
        """The best action."""
        return best_action(self.values(state), self.rng)


def best_action(values: dict[int, float], rng: np.ndarray) -> int:
    """One of the actions with the highest value, all with the same probability."""
    from tafl.core.random import below

    top = max(values.values())
    best = [action for action, value in values.items() if value == top]
    with np.errstate(over="ignore"):
        return best[int(below(rng, len(best)))] if len(best) > 1 else best[0]
