"""An exact search for agents that look ahead around a trained one: near the end it knows all."""

from typing import NamedTuple

import numpy as np

from tafl.agents.learned import LearnedAgent
from tafl.boards.game import Game
from tafl.core.search.foresee import Trained
from tafl.core.search.proof import Proof, make_proof, prove_value
from tafl.core.search.table import make_table
from tafl.core.search.tree import UNSEEN, Tree, make_tree
from tafl.errors import InputError

MOST_PROOF = 2**23  # nodes; the table then takes a gigabyte


class Proven(NamedTuple):
    """What is certain of a position."""

    to_come: float  # for the player to move
    action: int  # one that gets it, or NONE where all is lost

    def note(self, actions: np.ndarray, values: np.ndarray) -> None:
        """Corrects values of actions: none is worth more, and one is worth just that."""
        np.minimum(values, self.to_come, out=values)
        values[actions == self.action] = self.to_come


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
        call, rules, proof = self.game.call, self.game.rules, self.memory
        highest = float(max(map(abs, self.game.facts.score_range)))
        if not prove_value(rules, self.trained, tree, proof, words, highest, nodes, rng):
            return None
        score = call("score", words, call("player", words))
        return Proven(float(proof.value[0]) - score, int(proof.action[0]))


def bare_tree(game: Game) -> Tree:
    """A tree that knows nothing: then the agent alone says what is promising."""
    tree = make_tree(game.facts, 1, 1, 1)
    tree.degrees[0], tree.solved[0] = UNSEEN, False
    return tree


def check_proof(game: Game, agent: LearnedAgent, nodes: int) -> int:
    """The number of nodes, or a refusal of what an exact search cannot prove."""
    if not 0 <= nodes <= MOST_PROOF:
        raise InputError(f"proof must be 0 to {MOST_PROOF:,}, not {nodes:,}")
    if nodes and (game.has_chance or game.facts.players != 2 or not game.facts.is_zero_sum):
        raise InputError(
            "proof needs a zero-sum game for two players without chance, "
            f"which {game.name} is not; leave it out"
        )
    if nodes and agent.td.gamma != 1.0:
        gamma = agent.td.gamma
        raise InputError(f"proof needs an agent of gamma 1, not {gamma}; leave it out")
    return nodes
