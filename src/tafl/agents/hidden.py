"""Searches for games with hidden information: they begin by dealing again what is hidden.

So the agent's choice cannot depend on anything that its player does not know.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tafl.agents.agent import SearchAgent, limited
from tafl.agents.regret import RegretAgent, TrainedAgent
from tafl.agents.search import MOST_PLIES
from tafl.agents.trees import MOST_EDGES, MOST_NODES, room_for
from tafl.boards.game import Game
from tafl.core.learn.regret import make_moves
from tafl.core.learn.work import make_work
from tafl.core.memory import allocate
from tafl.core.search.foresee import make_trained
from tafl.core.search.ismcts import InfoTree, ismcts_search, make_info_tree
from tafl.core.search.mcts import UCT
from tafl.core.search.pimc import Worlds, make_worlds, pimc_search
from tafl.core.search.rollout import Guide, Mixed
from tafl.core.search.tree import Tree


class DealingAgent(SearchAgent):
    """A search that deals again; with a trained agent, that agent plays the games to their end."""

    agent: TrainedAgent | None
    k: float
    rollout_depth: int

    @cached_property
    def guide(self) -> Guide:
        """Return the agent that plays on, with its memory."""
        agent, facts = self.agent, self.game.facts
        if agent is None:
            return Guide()
        if isinstance(agent, RegretAgent):
            asked = make_moves(facts, agent.store.net, moves=1)
            return Guide(mixed=allocate(Mixed, vars(facts), store=agent.store, work=asked))
        work = make_work(facts, agent.net)
        return Guide(trained=make_trained(facts, agent.net, agent.td, work))

    def _settings(self, tree_depth: int) -> UCT:
        low, high = map(float, self.game.facts.score_range)
        return UCT(self.k, tree_depth, self.rollout_depth, self.game.has_chance, low, high)

    def _to_scores(self, n: int) -> int:
        """Turn the rewards of the first n actions into scores."""
        low, high = self.game.facts.score_range
        self._values[:n] = low + (high - low) * self._values[:n]
        return n


@dataclass(eq=False, repr=False)
class PIMCAgent(DealingAgent):
    """Perfect-information Monte Carlo: MCTS in `worlds` deals that the player cannot tell apart.

    It plays the action with the highest mean over all worlds.

    >>> import tafl
    >>> game = tafl.game("tictactoe")
    >>> agent = tafl.agent("pimc(worlds=5,iterations=200)", game)
    >>> agent.act(tafl.position("tictactoe: a1 b2 a2 c3"))
    0
    """

    game: Game
    agent: TrainedAgent | None = None
    seed: int = 0
    _: KW_ONLY
    worlds: int = limited(50, 1, 10**6)
    iterations: int = limited(100, 1, MOST_NODES)
    k: float = limited(1.414, 0, 1000)
    tree_depth: int = limited(10, 1, MOST_PLIES)
    rollout_depth: int = limited(200, 1, 10**6)

    @cached_property
    def uct(self) -> UCT:
        """Return the settings of the search in each world."""
        return self._settings(self.tree_depth)

    @cached_property
    def _memory(self) -> tuple[Tree, UCT, Worlds]:
        tree = room_for(self.game, self.iterations + 1, self.tree_depth)
        return tree, self.uct, make_worlds(self.game.facts)

    def _search(self, words: np.ndarray) -> int:
        limits, found = (self.worlds, self.iterations), (self._actions, self._values)
        memory = self.guide, *self._memory
        n = pimc_search(self.game.rules, *memory, words, *limits, self.rng, *found)
        return self._to_scores(int(n))


@dataclass(eq=False, repr=False)
class ISMCTSAgent(DealingAgent):
    """Information-set Monte Carlo tree search, with one node for what the mover there sees.

    It plays the most visited action, or with `final=mean` the one with the highest mean.

    >>> import tafl
    >>> game = tafl.game("tictactoe")
    >>> agent = tafl.agent("ismcts(iterations=500)", game)
    >>> agent.act(tafl.position("tictactoe: a1 b2 a2 c3"))
    0
    """

    game: Game
    agent: TrainedAgent | None = None
    seed: int = 0
    _: KW_ONLY
    iterations: int = limited(1000, 1, MOST_NODES)
    k: float = limited(0.7, 0, 1000)
    rollout_depth: int = limited(200, 1, 10**6)
    final: Literal["visits", "mean"] = "visits"

    @cached_property
    def uct(self) -> UCT:
        """Return the settings of the search."""
        return self._settings(MOST_PLIES)

    @cached_property
    def tree(self) -> InfoTree:
        """Return the tree of the last move."""
        facts = self.game.facts
        nodes = max(1, min(self.iterations + 1, MOST_EDGES // facts.actions))
        return make_info_tree(facts, nodes, min(self.iterations + 1, MOST_PLIES))

    @cached_property
    def _visits(self) -> np.ndarray:
        return np.zeros(self.game.facts.actions, np.int64)

    def _search(self, words: np.ndarray) -> int:
        memory = self.guide, self.tree, self.uct
        found = self._actions, self._values, self._visits
        rules, n = self.game.rules, self.iterations
        return self._to_scores(int(ismcts_search(rules, *memory, words, n, self.rng, *found)))

    def _preferences(self, values: dict[int, float]) -> dict[int, float]:
        if self.final == "mean":
            return values
        return dict(zip(values, self._visits[: len(values)].tolist(), strict=True))
