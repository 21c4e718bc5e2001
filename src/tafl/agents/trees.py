"""Agents with a search tree: random rollouts (MCTS), or guided by a trained agent (PUCT)."""

import time
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from tafl.agents.agent import SearchAgent, limited
from tafl.agents.learned import LearnedAgent
from tafl.agents.proofs import MOST_PROOF, check_proof
from tafl.agents.search import MOST_PLIES, GuidedAgent
from tafl.boards.game import Game
from tafl.core.play.greedy import action_values
from tafl.core.search.mcts import UCT, mcts
from tafl.core.search.puct import PUCT, puct_search
from tafl.core.search.tree import Tree, make_tree
from tafl.errors import InputError

MOST_NODES, MOST_EDGES = 2**21, 2**23  # a third of a gigabyte; a full tree stops growing
CHUNK = 200  # iterations between two checks of the time
USUAL, TEMPERATURE = -1.0, 1.0  # of puct, here and in pages


@dataclass(eq=False, repr=False)
class MCTSAgent(SearchAgent):
    """Monte Carlo tree search with random rollouts and the paper's settings; a new tree every move.

    `seconds` replaces `iterations` by a time per move. It plays the action with the highest mean,
    as the paper's program does, or with `final=visits` the most visited one.

    >>> import tafl
    >>> game = tafl.game("hex(size=2)")
    >>> tafl.agent("mcts(iterations=500)", game, seed=1).act(game.start()) in (1, 2)
    True
    """

    sees_all = True

    game: Game
    seed: int = 0
    _: KW_ONLY
    iterations: int = limited(1000, 1, 10**9)
    seconds: float = limited(0.0, 0, 3600)
    k: float = limited(1.414, 0, 1000)
    tree_depth: int = limited(10, 1, MOST_PLIES)
    rollout_depth: int = limited(200, 1, 10**6)
    final: Literal["mean", "visits"] = "mean"

    @cached_property
    def uct(self) -> UCT:
        """Return the settings of the search."""
        low, high = map(float, self.game.facts.score_range)
        depths = self.tree_depth, self.rollout_depth
        return UCT(self.k, *depths, self.game.has_chance, low, high)

    @cached_property
    def tree(self) -> Tree:
        """Return the tree of the last move."""
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

    def _preferences(self, values: dict[int, float]) -> dict[int, float]:
        return root_visits(self.tree) if self.final == "visits" else values


@dataclass(eq=False, repr=False)
class PUCTAgent(GuidedAgent):
    """A tree search guided by a trained agent (PUCT); it plays the most visited action.

    Without chance, proven wins are played and proven losses avoided. `c` weights the prior, the
    softmax of the agent's values at `temperature`, relative to the range of values in the tree; -1
    stands for the usual one.
    With `proof` an exact search of at most that many nodes follows. With `trust` it plays the
    action with the highest mean + trust * (the agent's own value), unless the outcome is known.
    With three and more players, `paranoid` (0 to 1) says how much the others want this player to
    lose rather than themselves to win.
    """

    sees_all = True

    game: Game
    agent: LearnedAgent
    seed: int = 0
    _: KW_ONLY
    iterations: int = limited(500, 1, MOST_NODES)
    c: float = limited(USUAL, -1, 1000)
    temperature: float = limited(TEMPERATURE, 0.001, 1000)
    proof: int = limited(0, 0, MOST_PROOF)
    trust: float = limited(0.0, 0, 1000)
    paranoid: float = limited(0.0, 0, 1)

    def _check_game(self) -> None:
        if self.c == USUAL:
            self.c = usual_c(self.game.facts.players)
        if self.proof:
            check_proof(self.game)
            gamma = self.agent.td.gamma
            if gamma != 1.0:
                raise InputError(f"proof needs an agent of gamma 1, not {gamma}; leave it out")

    def _make_memory(self) -> None:
        super()._make_memory()
        self._opinion = np.zeros(self.game.facts.actions, np.float64)
        self._certain = False  # is the outcome of the last position known?

    @cached_property
    def puct(self) -> PUCT:
        """Return the settings of the search, and the range of values in the tree."""
        ranges = np.zeros((self.game.facts.players, 2))
        low, high = map(float, self.game.facts.score_range)
        how = self.c, self.temperature, self.game.has_chance
        return PUCT(*how, low, high, ranges, self.paranoid)

    @cached_property
    def tree(self) -> Tree:
        """Return the tree of the last move."""
        return room_for(self.game, self.iterations + 2, min(self.iterations + 1, MOST_PLIES))

    def _search(self, words: np.ndarray) -> int:
        tree, memory = self.tree, (self.trained, self.tree, self.puct)
        puct_search(self.game.rules, *memory, words, self.iterations, self.rng)
        self._certain = bool(tree.solved[0]) or (self.proof > 0 and self._prove(words))
        if self.trust and not self._certain:
            self._ask(words)
        n = int(tree.degrees[0])
        self._actions[:n] = tree.actions[:n]
        self._values[:n] = tree.means[:n]
        return n

    def _prove(self, words: np.ndarray) -> bool:
        """Correct the root of the tree if the exact search finds the outcome."""
        tree, n = self.tree, int(self.tree.degrees[0])
        proven = self.prover.prove(words, tree, self.rng)
        if proven is None:
            return False
        proven.note(tree.actions[:n], tree.means[:n], self._score_before(words))
        # most visited, even if it was never tried
        tree.visits[:n][tree.actions[:n] == proven.action] += self.iterations + 1
        return True

    def _ask(self, words: np.ndarray) -> None:
        """Write the values of the agent without search."""
        trained = self.trained
        trained.work.state[:] = words
        asked = trained.net, trained.td, trained.work, self.rng
        action_values(self.game.rules, *asked, self._actions, self._opinion)

    def _preferences(self, values: dict[int, float]) -> dict[int, float]:
        if self._certain or not self.trust:
            return root_visits(self.tree)
        n = len(values)
        sums = self.tree.means[:n] + self.trust * self._opinion[:n]
        tried = self.tree.visits[:n] > 0  # a proven loss has no visits
        if not tried.any():  # only proven losses were tried
            tried[:] = True
        actions = self.tree.actions[:n][tried].tolist()
        return dict(zip(actions, sums[tried].tolist(), strict=True))


def usual_c(players: int) -> float:
    """Return the weight of the prior: chosen by studies/search, and studies/nplayers for several.

    >>> usual_c(2), usual_c(3)
    (0.1, 1.0)
    """
    return 0.1 if players < 3 else 1.0


def room_for(game: Game, nodes: int, plies: int) -> Tree:
    """Make a tree for this many nodes, up to a limit."""
    actions = game.facts.actions
    edges = max(min(nodes * actions, MOST_EDGES), 2 * actions)
    return make_tree(game.facts, min(nodes, MOST_NODES), edges, plies)


def root_visits(tree: Tree) -> dict[int, float]:
    """Return how often each action of the root was visited."""
    n = int(tree.degrees[0])
    return dict(zip(tree.actions[:n].tolist(), tree.visits[:n].tolist(), strict=True))
