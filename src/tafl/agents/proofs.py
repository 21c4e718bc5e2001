"""An exact search for agents that look ahead: near the end of a game it knows the outcome."""

from typing import NamedTuple

import numpy as np

from tafl.boards.game import Game
from tafl.core.search.foresee import Trained
from tafl.core.search.proof import Proof, make_proof, prove_value
from tafl.core.search.table import make_table
from tafl.core.search.tree import UNSEEN, Tree, make_tree
from tafl.errors import InputError

MOST_PROOF = 2**23  # nodes; the table then takes a gigabyte


class Proven(NamedTuple):
    """What is certain of a position."""

    score: float  # at the end, of the player to move
    action: int  # one that gets it, or NONE where all is lost

    def note(self, actions: np.ndarray, values: np.ndarray, before: float = 0.0) -> None:
        """Corrects values of actions, which may be relative to the score before.

        None is worth more, and one is worth just that.
        """
        np.minimum(values, self.score - before, out=values)
        values[actions == self.action] = self.score - before


class Prover:
    """Searches of at most so many nodes, with the memory that they take."""

    def __init__(self, game: Game, trained: Trained, nodes: int):
        self.game, self.trained, self.nodes = game, trained, nodes
        # never more than half full
        table = make_table(game.facts, (2 * nodes).bit_length())
        self.memory: Proof = make_proof(game.facts, table)

    def prove(self, words: np.ndarray, tree: Tree, rng: np.ndarray) -> Proven | None:
        """Return the outcome, if the nodes are enough; the tree says what is promising."""
        limits = highest_score(self.game), self.nodes
        if not prove_value(self.game.rules, self.trained, tree, self.memory, words, *limits, rng):
            return None
        return Proven(float(self.memory.value[0]), int(self.memory.action[0]))


def bare_tree(game: Game) -> Tree:
    """A tree that knows nothing: then the agent alone says what is promising."""
    tree = make_tree(game.facts, 1, 1, 1)
    tree.degrees[0], tree.solved[0] = UNSEEN, False
    return tree


def highest_score(game: Game) -> float:
    """Return the largest absolute score that a game allows."""
    return float(max(map(abs, game.facts.score_range)))


def check_proof(game: Game) -> None:
    """Refuse a game where nothing can be proved."""
    if game.has_chance or game.facts.players != 2 or not game.facts.is_zero_sum:
        raise InputError(
            "proof needs a zero-sum game for two players without chance, "
            f"which {game.name} is not; leave it out"
        )
