"""Agents that search to a depth: with the rules alone, or around a trained agent.

Each plays the action with the highest value, ties at random from the seed. Their memory is made
when they first act and used again for every move.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from tafl.agents.agent import GameAgent, best_action
from tafl.agents.learned import LearnedAgent
from tafl.agents.proofs import Prover, bare_tree, check_proof
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
FEWEST_BITS = 12  # of a table: words may say more about a state than cells do


class SearchAgent(GameAgent):
    """What all searches have in common."""

    def __init__(self, game: Game, seed: int = 0):
        super().__init__(game, seed)
        self._make_memory()

    def _make_memory(self) -> None:
        actions = self.game.facts.actions
        self._actions, self._values = np.zeros(actions, np.int64), np.zeros(actions, np.float64)

    def _rate(self, state: State) -> dict[int, float]:
        return self._found(self._undisturbed(self._search, state.words))

    def _act(self, state: State) -> int:
        return self._choose(self._found(self._undisturbed(self._search_best, state.words)))

    def _undisturbed(self, search: Callable[[np.ndarray], int], words: np.ndarray) -> int:
        """Searches; where Ctrl-C ends that, the agent is what it was before."""
        before = self.rng.copy()
        try:
            return search(words)
        except KeyboardInterrupt:
            self.rng[:] = before
            raise

    def _choose(self, values: dict[int, float]) -> int:
        return best_action(values, self.rng)

    def _found(self, n: int) -> dict[int, float]:
        return dict(zip(self._actions[:n].tolist(), self._values[:n].tolist(), strict=True))

    def _search(self, words: np.ndarray) -> int:
        """Writes actions and values; returns how many."""
        raise NotImplementedError

    def _search_best(self, words: np.ndarray) -> int:
        """The same where only the best actions matter; others may have any lower value."""
        return self._search(words)


def fitting_table(facts: Facts, bits: int) -> HashTable:
    """A table of 2**bits slots, or fewer if the game has fewer positions.

    Fresh memory costs time: of TicTacToe's search, most.

    >>> import tafl
    >>> [fitting_table(tafl.game(name).facts, 18).slots for name in ("tictactoe", "hex")]
    [65536, 262144]
    """
    positions = facts.players * facts.values**facts.cells
    return make_table(facts, min(bits, max(positions.bit_length(), FEWEST_BITS)))


class MaxNAgent(SearchAgent):
    """Every player maximises its own score, `depth` plies deep; 2**hash_bits states are kept.

    >>> import tafl
    >>> game = tafl.game("nim3p")
    >>> tafl.agent("maxn(depth=15)", game).values(game.position([0, 1, 1], player=0))
    {1: 0.2, 2: 0.2}
    """

    def __init__(self, game: Game, seed: int = 0, *, depth: int = 10, hash_bits: int = 18):
        super().__init__(game, seed)
        if game.has_chance:
            refusal = f"maxn does not play games of chance such as {game.name}"
            raise InputError(f"{refusal}; use expectimax")
        self.depth = within("depth", depth, 1, MOST_PLIES)
        self.hash_bits = within("hash_bits", hash_bits, 0, 26)

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


class AlphaBetaAgent(SearchAgent):
    """The values of Max-N for two players whose scores add up to 0, from far fewer states.

    With `proof` an exact search of at most so many nodes comes first: near the end of a game it
    finds the outcome.

    >>> import tafl
    >>> game = tafl.game("hex(size=3)")
    >>> tafl.agent("alphabeta(depth=9)", game).values(game.start())[4]
    1.0
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        *,
        depth: int = 8,
        hash_bits: int = 20,
        proof: int = 0,
    ):
        super().__init__(game, seed)
        if game.has_chance:
            raise InputError(
                f"alphabeta does not play games of chance such as {game.name}; use expectimax"
            )
        if game.facts.players != 2 or not game.facts.is_zero_sum:
            raise InputError(
                f"alphabeta needs a zero-sum game for two players, which {game.name} is not; "
                "use maxn"
            )
        self.depth = within("depth", depth, 1, MOST_PLIES)
        self.hash_bits = within("hash_bits", hash_bits, 0, 26)
        self.highest = float(max(map(abs, game.facts.score_range)))
        self.nodes = check_proof(game, proof)

    @cached_property
    def _memory(self) -> tuple[Any, ...]:
        facts = self.game.facts
        stack, cuts = make_stack(facts, self.depth), make_cuts(facts, self.depth)
        return stack, cuts, fitting_table(facts, self.hash_bits)

    @cached_property
    def _trained(self) -> Trained:
        return nobody(self.game.facts)

    @cached_property
    def prover(self) -> Prover:
        """The exact search."""
        return Prover(self.game, self._trained, self.nodes)

    @cached_property
    def _bare(self) -> Tree:
        return bare_tree(self.game)

    def _search(self, words: np.ndarray, narrow: bool = False) -> int:
        proven = self.nodes and self.prover.prove(words, self._bare, self.nodes, self.rng)
        if proven and proven.action != NONE and narrow:
            self._actions[0], self._values[0] = proven.action, proven.score
            return 1
        n = self._look_ahead(words, narrow)
        if proven and not narrow:  # else alpha-beta looks for the slowest loss
            proven.note(self._actions[:n], self._values[:n])
        return n

    def _search_best(self, words: np.ndarray) -> int:
        return self._search(words, narrow=True)

    def _look_ahead(self, words: np.ndarray, narrow: bool) -> int:
        """Alpha-beta: writes actions and scores; where only the best matter (narrow), of these."""
        rules, found = self.game.rules, (self._actions, self._values)
        return int(alphabeta_values(rules, *self._memory, words, self.depth, self.highest, *found))


class GuidedAlphaBetaAgent(AlphaBetaAgent):
    """Alpha-beta over the values of a trained agent; 1 ply is that agent.

    Its values are those of n-ply search, within what there is to win. It plays the fastest win and
    the slowest loss that it sees.
    """

    def __init__(
        self,
        game: Game,
        agent: LearnedAgent,
        seed: int = 0,
        *,
        depth: int = 8,
        hash_bits: int = 20,
        proof: int = 0,
    ):
        super().__init__(game, seed, depth=depth, hash_bits=hash_bits, proof=proof)
        if agent.td.gamma != 1.0:
            gamma = agent.td.gamma
            raise InputError(f"alphabeta needs an agent of gamma 1, not {gamma}; use nply")
        self.agent = agent

    @cached_property
    def _trained(self) -> Trained:
        agent, facts = self.agent, self.game.facts
        return make_trained(facts, agent.net, agent.td, make_work(facts, agent.net))

    @cached_property
    def _memory(self) -> tuple[Any, ...]:
        table = fitting_table(self.game.facts, self.hash_bits)
        return self._trained, make_guided(self.game.facts, table, self.depth)

    def _look_ahead(self, words: np.ndarray, narrow: bool) -> int:
        rules, found = self.game.rules, (self._actions, self._values)
        limits = self.depth, self.highest, narrow
        return int(guided_values(rules, *self._memory, words, *limits, self.rng, *found))

    def _search(self, words: np.ndarray, narrow: bool = False) -> int:
        n = super()._search(words, narrow)
        self._values[:n] -= self.game.call("score", words, self.game.call("player", words))
        return n

    def _found(self, n: int) -> dict[int, float]:
        return dict(sorted(super()._found(n).items()))


def alphabeta(
    game: Game,
    agent: LearnedAgent | None = None,
    seed: int = 0,
    *,
    depth: int = 8,
    hash_bits: int = 20,
    proof: int = 0,
) -> AlphaBetaAgent:
    """`alphabeta`: over the scores, or over the values of a trained agent."""
    limits = {"depth": depth, "hash_bits": hash_bits, "proof": proof}
    if agent is None:
        return AlphaBetaAgent(game, seed, **limits)
    return GuidedAlphaBetaAgent(game, agent, seed, **limits)


def nobody(facts: Facts) -> Trained:
    """In the place of a trained agent, for a search that knows only the rules."""
    net = make_net(facts, [[0]], symmetries=False)
    return make_trained(facts, net, TD(), make_work(facts, net), asked=False)


class ExpectimaxAgent(SearchAgent):
    """Max-N with chance: the mean over all that can happen, `depth` plies deep.

    >>> import tafl
    >>> game = tafl.game("2048")
    >>> sorted(tafl.agent("expectimax(depth=2)", game).values(game.start(seed=1)))
    [0, 1, 2, 3]
    """

    def __init__(self, game: Game, seed: int = 0, *, depth: int = 2):
        super().__init__(game, seed)
        check_outcomes(game, "expectimax")
        self.depth = within("depth", depth, 1, MOST_PLIES)

    @cached_property
    def _trained(self) -> Trained:
        return nobody(self.game.facts)

    @cached_property
    def _levels(self) -> Levels:
        return make_levels(self.game.facts, self.depth)

    def _search(self, words: np.ndarray) -> int:
        rules, found = self.game.rules, (self._actions, self._values)
        memory = self._trained, self._levels
        n = int(expectimax_values(rules, *memory, words, self.depth, self.rng, *found))
        if not self._trained.asked:  # scores at the end, like those of Max-N
            self._values[:n] += self.game.call("score", words, self.game.call("player", words))
        return n


class NPlyAgent(ExpectimaxAgent):
    """Max-N, with chance Expectimax-N, over the values of a trained agent; 1 ply is that agent.

    Deeper than `depth` plies where at least one of as many games at random as `positions` comes.
    """

    def __init__(
        self, game: Game, agent: LearnedAgent, seed: int = 0, *, depth: int = 2, positions: int = 0
    ):
        super().__init__(game, seed, depth=depth)
        self.agent = agent
        self.positions = within("positions", positions, 0, MOST_POSITIONS)

    @cached_property
    def _levels(self) -> Levels:
        if self.positions == 0:
            return super()._levels
        return make_levels(self.game.facts, self.depth + FURTHER_PLIES, 1 / self.positions)

    @cached_property
    def _trained(self) -> Trained:
        agent, facts = self.agent, self.game.facts
        return make_trained(facts, agent.net, agent.td, make_work(facts, agent.net))


def within(name: str, value: Any, low: float, high: float) -> Any:
    """A parameter, if it lies in its range."""
    if not low <= value <= high:
        raise InputError(f"{name} must be {low:,} to {high:,}, not {value:,}")
    return value


def check_outcomes(game: Game, kind: str) -> None:
    """Refuses a game whose chance cannot be enumerated."""
    if game.has_chance and type(game.rules).outcomes is one_outcome:
        raise InputError(
            f"{kind} needs every outcome of chance, but the rules of {game.name} have no "
            "outcomes() and outcome(); add them, or use mcts"
        )
