"""Agents that search to a depth, with the rules alone or around a trained agent.

Each plays an action with the highest value. Memory is made at the first move and reused.
"""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tafl.agents.agent import SearchAgent, limited
from tafl.agents.learned import LearnedAgent
from tafl.agents.proofs import MOST_PROOF, Prover, bare_tree, highest_score
from tafl.boards.game import Game
from tafl.boards.state import State
from tafl.core.games.rules import Facts, one_outcome
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.core.search.alphabeta import alphabeta_values, make_cuts
from tafl.core.search.expectimax import Levels, expectimax_values, make_levels
from tafl.core.search.foresee import Trained, make_trained
from tafl.core.search.guided import guided_values, make_guided
from tafl.core.search.maxn import make_stack, maxn_scores
from tafl.core.search.table import HashTable, make_table
from tafl.core.search.tree import NONE, Tree
from tafl.errors import InputError

MOST_PLIES = 1000
FURTHER_PLIES = 40  # beyond `depth`, for positions that random play often reaches
MOST_POSITIONS = 1_000_000_000
MOST_BITS = 26  # of a table
FEWEST_BITS = 12  # of a table: words may hold more than cells


class GuidedAgent(SearchAgent):
    """A search with or without a trained agent; with `proof`, also an exact search."""

    sees_all = True
    agent: LearnedAgent | None
    proof = 0

    @cached_property
    def trained(self) -> Trained:
        """Return the agent that guides, with its memory."""
        if self.agent is None:
            return untrained(self.game.facts)
        facts, net = self.game.facts, self.agent.net
        return make_trained(facts, net, self.agent.td, make_work(facts, net))

    @cached_property
    def prover(self) -> Prover:
        """Return the exact search."""
        return Prover(self.game, self.trained, self.proof)

    def _score_before(self, words: np.ndarray) -> float:
        """Return the score that the player to move already has."""
        return float(self.game.call("score", words, self.game.call("player", words)))


def untrained(facts: Facts, net: Any = None) -> Trained:
    """Return a placeholder for the trained agent of a search without one; `net` is of its kind."""
    net = net or make_net(facts, [[0]], symmetries=False)
    return make_trained(facts, net, TD(), make_work(facts, net), asked=False)


def fitting_table(facts: Facts, bits: int) -> HashTable:
    """Return a table of 2**bits slots, or fewer if the game has fewer positions.

    >>> import tafl
    >>> [fitting_table(tafl.game(name).facts, 18).slots for name in ("tictactoe", "hex")]
    [65536, 262144]
    """
    positions = facts.players * facts.values**facts.cells
    return make_table(facts, min(bits, max(positions.bit_length(), FEWEST_BITS)))


@dataclass(eq=False, repr=False)
class MaxNAgent(SearchAgent):
    """Max-N search, `depth` plies deep, with a table of 2**hash_bits states.

    >>> import tafl
    >>> game = tafl.game("nim3p")
    >>> tafl.agent("maxn(depth=15)", game).values(game.position([0, 1, 1], player=0))
    {1: 0.2, 2: 0.2}
    """

    sees_all = True

    game: Game
    seed: int = 0
    _: KW_ONLY
    depth: int = limited(10, 1, MOST_PLIES)
    hash_bits: int = limited(18, 0, MOST_BITS)

    def _check_game(self) -> None:
        check_no_chance(self.game, "maxn")

    @cached_property
    def _scores(self) -> np.ndarray:
        return np.zeros((self.game.facts.actions, self.game.facts.players))

    def scores(self, state: State) -> dict[int, list[float]]:
        """Return the scores of all players after each legal action.

        >>> import tafl
        >>> game = tafl.game("nim3p")
        >>> tafl.agent("maxn(depth=15)", game).scores(game.position([0, 1, 1], player=0))
        {1: [0.2, 0.0, 1.0], 2: [0.2, 0.0, 1.0]}
        """
        points = self.game.points
        with self._lock:  # values() leaves them behind
            pairs = zip(self.values(state), self._scores, strict=False)
            return {action: [points(score) for score in scores] for action, scores in pairs}

    @cached_property
    def _memory(self) -> tuple[Any, ...]:
        facts = self.game.facts
        return make_stack(facts, self.depth), fitting_table(facts, self.hash_bits)

    def _search(self, words: np.ndarray) -> int:
        rules, found = self.game.rules, (self._actions, self._scores)
        n = int(maxn_scores(rules, *self._memory, words, self.depth, *found))
        self._values[:n] = self._scores[:n, self.game.call("player", words)]
        return n


@dataclass(eq=False, repr=False)
class AlphaBetaAgent(GuidedAgent):
    """Alpha-beta search, with the values of Max-N, for zero-sum games of two players.

    With a trained agent its values are those of n-ply search, and it prefers fast wins and slow
    losses. With `proof` an exact search of at most that many nodes comes first.

    >>> import tafl
    >>> game = tafl.game("hex(size=3)")
    >>> tafl.agent("alphabeta(depth=9)", game).values(game.start())[4]
    1.0
    """

    game: Game
    agent: LearnedAgent | None = None
    seed: int = 0
    _: KW_ONLY
    depth: int = limited(8, 1, MOST_PLIES)
    hash_bits: int = limited(20, 0, MOST_BITS)
    proof: int = limited(0, 0, MOST_PROOF)

    def _check_game(self) -> None:
        game = self.game
        check_no_chance(game, "alphabeta")
        if game.facts.players != 2 or not game.facts.is_zero_sum:
            text = f"alphabeta needs a zero-sum game for two players, which {game.name} is not"
            raise InputError(f"{text}; use maxn")
        if self.agent is not None and (gamma := self.agent.td.gamma) != 1.0:
            raise InputError(f"alphabeta needs an agent of gamma 1, not {gamma}; use nply")

    @cached_property
    def _memory(self) -> tuple[Any, ...]:
        facts, table = self.game.facts, fitting_table(self.game.facts, self.hash_bits)
        if self.agent is None:
            return make_stack(facts, self.depth), make_cuts(facts, self.depth), table
        return self.trained, make_guided(facts, table, self.depth)

    @cached_property
    def _heights(self) -> np.ndarray:
        return np.zeros(self.game.facts.actions, np.int64)

    @cached_property
    def _bare(self) -> Tree:
        return bare_tree(self.game)

    def _search(self, words: np.ndarray, narrow: bool = False) -> int:
        proven = self.proof and self.prover.prove(words, self._bare, self.rng)
        if proven and proven.action != NONE and narrow:
            self._actions[0], self._values[0] = proven.action, proven.score
            n = 1
        else:
            n = self._look_ahead(words, narrow)
        if proven and not narrow:  # otherwise alpha-beta has found the slowest loss
            proven.note(self._actions[:n], self._values[:n])
        if self.agent is not None:
            self._values[:n] -= self._score_before(words)
        return n

    def _search_best(self, words: np.ndarray) -> int:
        return self._search(words, narrow=True)

    def _look_ahead(self, words: np.ndarray, narrow: bool) -> int:
        """Write actions and scores of alpha-beta; with `narrow`, of the best actions only."""
        rules, found = self.game.rules, (self._actions, self._values)
        limits = self.depth, highest_score(self.game)
        if self.agent is None:
            memory = self._memory
            return int(alphabeta_values(rules, *memory, words, *limits, *found, self._heights))
        return int(guided_values(rules, *self._memory, words, *limits, narrow, self.rng, *found))

    def _found(self, n: int) -> dict[int, float]:
        return dict(sorted(super()._found(n).items()))


class ExpectimaxSearch(GuidedAgent):
    """Expectimax-N: Max-N with the mean over all outcomes of chance."""

    depth: int
    positions = 0

    def _check_game(self) -> None:
        """Refuse a game whose chance cannot be enumerated."""
        if self.game.has_chance and type(self.game.rules).outcomes is one_outcome:
            raise InputError(
                "expectimax needs every outcome of chance, but the rules of "
                f"{self.game.name} have no outcomes() and outcome(); add them, or use mcts"
            )

    @cached_property
    def _levels(self) -> Levels:
        if self.positions == 0:
            return make_levels(self.game.facts, self.depth)
        return make_levels(self.game.facts, self.depth + FURTHER_PLIES, 1 / self.positions)

    def _search(self, words: np.ndarray) -> int:
        rules, found = self.game.rules, (self._actions, self._values)
        memory = self.trained, self._levels
        n = int(expectimax_values(rules, *memory, words, self.depth, self.rng, *found))
        if self.agent is None:  # scores at the end, like those of Max-N
            self._values[:n] += self._score_before(words)
        return n


@dataclass(eq=False, repr=False)
class ExpectimaxAgent(ExpectimaxSearch):
    """Expectimax-N search with the rules alone, `depth` plies deep.

    >>> import tafl
    >>> game = tafl.game("2048")
    >>> sorted(tafl.agent("expectimax(depth=2)", game).values(game.start(seed=1)))
    [0, 1, 2, 3]
    """

    game: Game
    seed: int = 0
    _: KW_ONLY
    depth: int = limited(2, 1, MOST_PLIES)

    agent = None


@dataclass(eq=False, repr=False)
class NPlyAgent(ExpectimaxSearch):
    """Expectimax-N over the values of a trained agent; with depth 1 it plays like that agent.

    It searches deeper than `depth` where random play comes at least once in `positions` games.
    """

    game: Game
    agent: LearnedAgent
    seed: int = 0
    _: KW_ONLY
    depth: int = limited(2, 1, MOST_PLIES)
    positions: int = limited(0, 0, MOST_POSITIONS)


def check_no_chance(game: Game, kind: str) -> None:
    """Refuse a game of chance."""
    if game.has_chance:
        text = f"{kind} does not play games of chance such as {game.name}"
        raise InputError(f"{text}; use expectimax")
