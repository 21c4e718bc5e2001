"""Agents that search to a depth: with the rules alone, or around a trained agent.

Each plays the action with the highest value, ties at random from the seed. Their memory is made
when they first act and used again for every move.
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
FURTHER_PLIES = 40  # beyond `depth`, of a search that goes on where play at random often comes
MOST_POSITIONS = 1_000_000_000
MOST_BITS = 26  # of a table
FEWEST_BITS = 12  # of a table: words may say more about a state than cells do


class GuidedAgent(SearchAgent):
    """A search around a trained agent, or without one; with `proof`, also an exact search."""

    agent: LearnedAgent | None
    proof = 0

    @cached_property
    def trained(self) -> Trained:
        """The agent that guides, with memory for asking it."""
        if self.agent is None:
            return nobody(self.game.facts)
        facts, net = self.game.facts, self.agent.net
        return make_trained(facts, net, self.agent.td, make_work(facts, net))

    @cached_property
    def prover(self) -> Prover:
        """The exact search."""
        return Prover(self.game, self.trained, self.proof)

    def _score_before(self, words: np.ndarray) -> float:
        """Return the score that the player to move already has."""
        return float(self.game.call("score", words, self.game.call("player", words)))


def nobody(facts: Facts) -> Trained:
    """In the place of a trained agent, for a search that knows only the rules."""
    net = make_net(facts, [[0]], symmetries=False)
    return make_trained(facts, net, TD(), make_work(facts, net), asked=False)


def fitting_table(facts: Facts, bits: int) -> HashTable:
    """A table of 2**bits slots, or fewer if the game has fewer positions.

    Fresh memory costs time: of TicTacToe's search, most.

    >>> import tafl
    >>> [fitting_table(tafl.game(name).facts, 18).slots for name in ("tictactoe", "hex")]
    [65536, 262144]
    """
    positions = facts.players * facts.values**facts.cells
    return make_table(facts, min(bits, max(positions.bit_length(), FEWEST_BITS)))


@dataclass(eq=False, repr=False)
class MaxNAgent(SearchAgent):
    """Every player maximises its own score, `depth` plies deep; 2**hash_bits states are kept.

    >>> import tafl
    >>> game = tafl.game("nim3p")
    >>> tafl.agent("maxn(depth=15)", game).values(game.position([0, 1, 1], player=0))
    {1: 0.2, 2: 0.2}
    """

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
        """What each legal action leads to, for every player.

        >>> import tafl
        >>> game = tafl.game("nim3p")
        >>> tafl.agent("maxn(depth=15)", game).scores(game.position([0, 1, 1], player=0))
        {1: [0.2, 0.0, 1.0], 2: [0.2, 0.0, 1.0]}
        """
        points = self.game.points
        with self._lock:  # values() leaves them behind
            return {
                action: [points(score) for score in scores]
                for action, scores in zip(self.values(state), self._scores, strict=False)
            }

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
    """The values of Max-N for two players whose scores add up to 0, from far fewer states.

    Around a trained agent it searches over the values of that agent, which is 1 ply. Its values are
    those of n-ply search, within what there is to win; it plays the fastest win and the slowest
    loss that it sees.

    With `proof` an exact search of at most so many nodes comes first: near the end of a game it
    finds the outcome.

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
            raise InputError(
                f"alphabeta needs a zero-sum game for two players, which {game.name} is not; "
                "use maxn"
            )
        if self.agent is not None and self.agent.td.gamma != 1.0:
            gamma = self.agent.td.gamma
            raise InputError(f"alphabeta needs an agent of gamma 1, not {gamma}; use nply")

    @cached_property
    def _memory(self) -> tuple[Any, ...]:
        facts, table = self.game.facts, fitting_table(self.game.facts, self.hash_bits)
        if self.agent is None:
            return make_stack(facts, self.depth), make_cuts(facts, self.depth), table
        return self.trained, make_guided(facts, table, self.depth)

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
        if proven and not narrow:  # else alpha-beta looks for the slowest loss
            proven.note(self._actions[:n], self._values[:n])
        if self.agent is not None:
            self._values[:n] -= self._score_before(words)
        return n

    def _search_best(self, words: np.ndarray) -> int:
        return self._search(words, narrow=True)

    def _look_ahead(self, words: np.ndarray, narrow: bool) -> int:
        """Alpha-beta: writes actions and scores; where only the best matter (narrow), of these."""
        rules, found = self.game.rules, (self._actions, self._values)
        limits = self.depth, highest_score(self.game)
        if self.agent is None:
            return int(alphabeta_values(rules, *self._memory, words, *limits, *found))
        return int(guided_values(rules, *self._memory, words, *limits, narrow, self.rng, *found))

    def _found(self, n: int) -> dict[int, float]:
        return dict(sorted(super()._found(n).items()))


class ExpectimaxSearch(GuidedAgent):
    """Max-N with chance: the mean over all that can happen."""

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
    """Max-N with chance: the mean over all that can happen, `depth` plies deep.

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
    """Max-N, with chance Expectimax-N, over the values of a trained agent; 1 ply is that agent.

    Deeper than `depth` plies where at least one of as many games at random as `positions` comes.
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
        raise InputError(
            f"{kind} does not play games of chance such as {game.name}; use expectimax"
        )
