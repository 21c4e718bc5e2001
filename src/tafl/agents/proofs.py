"""Exact search for agents that look ahead, which finds the outcome near the end of a game."""

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
    """The proven outcome of a position."""

    score: float  # at the end, of the player to move
    action: int  # one that reaches it, or NONE in a lost position

    def note(self, actions: np.ndarray, values: np.ndarray, before: float = 0.0) -> None:
        """Correct the values of actions, which are relative to the score before."""
        np.minimum(values, self.score - before, out=values)
        values[actions == self.action] = self.score - before


class Prover:
    """An exact search of at most `nodes` nodes, with its memory."""

    def __init__(self, game: Game, trained: Trained, nodes: int):
        self.game, self.trained, self.nodes = game, trained, nodes
        table = make_table(game.facts, (2 * nodes).bit_length())  # at most half full
        self.memory: Proof = make_proof(game.facts, table)

    def prove(self, words: np.ndarray, tree: Tree, rng: np.ndarray) -> Proven | None:
        """Return the outcome if the nodes are enough; the tree orders the moves."""
        limits = highest_score(self.game), self.nodes
        if not prove_value(self.game.rules, self.trained, tree, self.memory, words, *limits, rng):
            return None
        return Proven(float(self.memory.value[0]), int(self.memory.action[0]))


def bare_tree(game: Game) -> Tree:
    """Return an empty tree, so that the agent alone orders the moves."""
    tree = make_tree(game.facts, 1, 1, 1)
    tree.degrees[0], tree.solved[0] = UNSEEN, False
    return tree


def highest_score(game: Game) -> float:
    """Return the largest absolute score that a game allows."""
    return float(max(map(abs, game.facts.score_range)))


def check_proof(game: Game) -> None:
    """Refuse a game in which outcomes cannot be proved."""
    if game.has_chance or game.facts.players != 2 or not game.facts.is_zero_sum:
        wanted = "a zero-sum game for two players without chance"
        raise InputError(f"proof needs {wanted}, which {game.name} is not; leave it out")
