"""Agents that grow a search tree: by random games, or around a trained agent."""

import time
from functools import cached_property
from typing import Literal

import numpy as np

from tafl.agents.agent import best_action
from tafl.agents.learned import LearnedAgent
from tafl.agents.proofs import Prover, check_proof
from tafl.agents.search import MOST_PLIES, SearchAgent, within
from tafl.boards.game import Game
from tafl.core.learn.work import make_work
from tafl.core.play.greedy import action_values
from tafl.core.search.foresee import Trained, make_trained
from tafl.core.search.mcts import UCT, mcts
from tafl.core.search.puct import PUCT, puct_search
from tafl.core.search.tree import Tree, make_tree
from tafl.errors import InputError

MOST_NODES, MOST_EDGES = 2**21, 2**23  # a tree that is full grows no more: a third of a gigabyte
CHUNK = 200  # iterations between two looks at the clock
C, TEMPERATURE = 0.1, 1.0  # of puct, here and in pages: chosen by studies/search


class MCTSAgent(SearchAgent):
    """Monte Carlo tree search with random rollouts, the paper's settings; a new tree every move.

    With `seconds` it searches that long instead of `iterations`, so that its moves depend on the
    machine. It plays the action with the highest mean, as the paper's program does, or with
    `final=visits` the one that was tried most often.

    >>> import tafl
    >>> game = tafl.game("hex(size=2)")
    >>> tafl.agent("mcts(iterations=500)", game, seed=1).act(game.start()) in (1, 2)
    True
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        iterations: int = 1000,
        seconds: float = 0.0,
        k: float = 1.414,
        tree_depth: int = 10,
        rollout_depth: int = 200,
        final: Literal["mean", "visits"] = "mean",
    ):
        super().__init__(game, seed)
        self.iterations = within("iterations", iterations, 1, 10**9)
        self.seconds = within("seconds", seconds, 0, 3600)
        self.final = final
        low, high = map(float, game.facts.score_range)
        self.uct = UCT(
            float(within("k", k, 0, 1000)),
            within("tree_depth", tree_depth, 1, MOST_PLIES),
            within("rollout_depth", rollout_depth, 1, 10**6),
            game.has_chance,
            low,
            high,
        )

    @cached_property
    def tree(self) -> Tree:
        """The tree of the last move."""
        most = MOST_NODES if self.seconds else self.iterations + 1
        return room_for(self.game, most, self.uct.tree_depth)

    def _search(self, words: np.ndarray) -> int:
        tree, rules = self.tree, self.game.rules
        tree.used[:] = 0
        if self.seconds:
            end = time.perf_counter() + self.seconds
            while time.perf_counter() < end:
                mcts(rules, tree, self.uct, words, CHUNK, self.rng)
        else:
            mcts(rules, tree, self.uct, words, self.iterations, self.rng)
        low, high = self.uct.lowest, self.uct.highest
        tried = int(tree.tried[0])
        self._actions[:tried] = tree.actions[:tried]
        self._values[:tried] = low + (high - low) * tree.means[:tried]
        return tried

    def _choose(self, values: dict[int, float]) -> int:
        if self.final == "visits":
            return most_visited(self.tree, self.rng)
        return super()._choose(values)


class PUCTAgent(SearchAgent):
    """A tree search that a trained agent guides; it plays the action that was tried most often.

    Without chance it keeps what is certain: a proven win is played, and a proven loss is not.
    `c` is how much the agent's opinion of an action counts besides what came out of it, and
    `temperature` how sharp this opinion is, both relative to the range of values in the tree. With
    `proof` an exact search of at most so many nodes follows, which the tree and the agent order:
    near the end of a game it finds the outcome. With `trust` it plays the action with the highest
    mean plus so many times what the agent says of it without search, unless the outcome is known.
    """

    def __init__(
        self,
        game: Game,
        agent: LearnedAgent,
        seed: int = 0,
        *,
        iterations: int = 500,
        c: float = C,
        temperature: float = TEMPERATURE,
        proof: int = 0,
        trust: float = 0.0,
    ):
        super().__init__(game, seed)
        self.agent = agent
        self.iterations = within("iterations", iterations, 1, MOST_NODES)
        self.trust = float(within("trust", trust, 0, 1000))
        self.c = float(within("c", c, 0, 1000))
        self.temperature = float(within("temperature", temperature, 0.001, 1000))
        self.nodes = check_proof(game, proof)
        if proof and agent.td.gamma != 1.0:
            gamma = agent.td.gamma
            raise InputError(f"proof needs an agent of gamma 1, not {gamma}; leave it out")

    def _make_memory(self) -> None:
        super()._make_memory()
        self._opinion = np.zeros(self.game.facts.actions, np.float64)
        self._certain = False  # is the outcome of the last position known?

    @cached_property
    def trained(self) -> Trained:
        """The agent that guides, with memory for asking it."""
        facts, agent = self.game.facts, self.agent
        return make_trained(facts, agent.net, agent.td, make_work(facts, agent.net))

    @cached_property
    def puct(self) -> PUCT:
        """How it searches, and the range of values in the tree."""
        ranges = np.zeros((self.game.facts.players, 2))
        low, high = map(float, self.game.facts.score_range)
        return PUCT(self.c, self.temperature, self.game.has_chance, low, high, ranges)

    @cached_property
    def tree(self) -> Tree:
        """The tree of the last move."""
        return room_for(self.game, self.iterations + 2, min(self.iterations + 1, MOST_PLIES))

    @cached_property
    def prover(self) -> Prover:
        """The exact search."""
        return Prover(self.game, self.trained, self.nodes)

    def _search(self, words: np.ndarray) -> int:
        tree, memory = self.tree, (self.trained, self.tree, self.puct)
        puct_search(self.game.rules, *memory, words, self.iterations, self.rng)
        self._certain = bool(tree.solved[0]) or (self.nodes > 0 and self._prove(words))
        if self.trust and not self._certain:
            self._ask(words)
        n = int(tree.degrees[0])
        self._actions[:n] = tree.actions[:n]
        self._values[:n] = tree.means[:n]
        return n

    def _prove(self, words: np.ndarray) -> bool:
        """Makes the root of the tree say what is certain, if the exact search finds it."""
        tree, n = self.tree, int(self.tree.degrees[0])
        proven = self.prover.prove(words, tree, self.nodes, self.rng)
        if proven is None:
            return False
        before = self.game.call("score", words, self.game.call("player", words))
        proven.note(tree.actions[:n], tree.means[:n], before)
        # more than all others, even if it was never tried
        tree.visits[:n][tree.actions[:n] == proven.action] += self.iterations + 1
        return True

    def _ask(self, words: np.ndarray) -> None:
        """Writes down what the agent says without search."""
        trained = self.trained
        trained.work.state[:] = words
        asked = trained.net, trained.td, trained.work, self.rng
        action_values(self.game.rules, *asked, self._actions, self._opinion)

    def _choose(self, values: dict[int, float]) -> int:
        if self._certain or not self.trust:
            return most_visited(self.tree, self.rng)
        n = len(values)
        sums = self.tree.means[:n] + self.trust * self._opinion[:n]
        tried = self.tree.visits[:n] > 0  # a loss that is certain has no visits
        actions = self.tree.actions[:n][tried].tolist()
        rated = dict(zip(actions, sums[tried].tolist(), strict=True))
        return best_action(rated, self.rng)


def room_for(game: Game, nodes: int, plies: int) -> Tree:
    """A tree with room for this many nodes, up to a sensible limit."""
    actions = game.facts.actions
    edges = max(min(nodes * actions, MOST_EDGES), 2 * actions)
    return make_tree(game.facts, min(nodes, MOST_NODES), edges, plies)


def most_visited(tree: Tree, rng: np.ndarray) -> int:
    """The action of the root that was tried most often."""
    n = int(tree.degrees[0])
    visits = zip(tree.actions[:n].tolist(), tree.visits[:n].tolist(), strict=True)
    return best_action(dict(visits), rng)
