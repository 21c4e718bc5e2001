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
        self.game, self.trained = game, trained
        # never more than half full
        self.memory: Proof = make_proof(
            game.facts, make_table(game.facts, (2 * nodes).bit_length())
        )

    def prove(self, words: np.ndarray, tree: Tree, nodes: int, rng: np.ndarray) -> Proven | None:
        """The outcome, if so many nodes tell it; the tree says what is promising."""
        rules, proof = self.game.rules, self.memory
        highest = float(max(map(abs, self.game.facts.score_range)))
        if not prove_value(rules, self.trained, tree, proof, words, highest, nodes, rng):
            return None
        return Proven(float(proof.value[0]), int(proof.action[0]))


def bare_tree(game: Game) -> Tree:
    """A tree that knows nothing: then the agent alone says what is promising."""
    tree = make_tree(game.facts, 1, 1, 1)
    tree.degrees[0], tree.solved[0] = UNSEEN, False
    return tree


def check_proof(game: Game, nodes: int) -> int:
    """The number of nodes, or a refusal of a game where nothing can be proved."""
    if not 0 <= nodes <= MOST_PROOF:
        raise InputError(f"proof must be 0 to {MOST_PROOF:,}, not {nodes:,}")
    if nodes and (game.has_chance or game.facts.players != 2 or not game.facts.is_zero_sum):
        raise InputError(
            "proof needs a zero-sum game for two players without chance, "
            f"which {game.name} is not; leave it out"
        )
    return nodes
