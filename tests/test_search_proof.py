"""The exact search after PUCT: solved positions, its limit, and that nothing else changes."""

import numpy as np
import pytest

import tafl
from gamble import Gamble
from oracles import read_lines
from studies.right_moves.measure import critical_positions
from tafl.agents.learned import LearnedAgent
from tafl.agents.proofs import bare_tree
from tafl.agents.search import AlphaBetaAgent
from tafl.agents.trees import PUCTAgent
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import make_net
from tafl.core.search.foresee import make_trained
from tafl.core.search.proof import make_proof, prove_value
from tafl.core.search.table import make_table
from tafl.errors import InputError


def unsure(game, cells, gamma=1.0):
    """An agent whose tables hold random numbers: it knows nothing."""
    net = make_net(game.facts, [cells], symmetries=False)
    net.weights[:] = np.random.default_rng(1).normal(0, 0.3, net.weights.size)
    return LearnedAgent(game, net, TD(gamma=gamma), 1)


SEARCHES = {
    "puct": lambda game: PUCTAgent(game, ignorant(game), iterations=1, proof=10_000),
    "guided": lambda game: AlphaBetaAgent(game, ignorant(game), depth=1, proof=10_000),
    "alphabeta": lambda game: AlphaBetaAgent(game, depth=1, proof=10_000),
}


def ignorant(game):
    """An agent that is no help."""
    return unsure(game, list(range(game.facts.cells)))


@pytest.mark.parametrize("search", SEARCHES)
def test_positions_of_tictactoe(search):
    """Each gets its exact value and an action that has it, though one ply shows nothing."""
    game, seen = tafl.game("tictactoe"), set()
    agent = SEARCHES[search](game)
    for line in read_lines("tictactoe_states.jsonl.gz")[::5]:
        if line.get("moves"):
            cells = [".XO".index(mark) for mark in line["board"]]
            state = game.position(cells, player=cells.count(1) - cells.count(2))
            best = max(line["moves"].values())
            assert max(agent.values(state).values()) == best
            assert line["moves"][str(agent.act(state))] == best
            seen.add(best)
    assert seen == {-1, 0, 1}


def test_late_positions_are_solved_whatever_the_agent_says():
    game = tafl.game("connectfour")
    agent = PUCTAgent(game, unsure(game, [0, 1, 2, 3]), iterations=1, proof=1_000_000)
    late = [one for one in critical_positions(game) if one.stones >= 22][::3]
    for position in late:
        assert agent.act(position.state) in position.good
        assert agent.tree.solved[0] or agent.prover.memory.nodes[0] < agent.proof


def test_players_who_pass():
    """The last cells of Othello, in plain Python."""
    game = tafl.game("othello")
    bare, tree = unsure(game, [0, 1, 8]), bare_tree(game)
    trained = make_trained(game.facts, bare.net, bare.td, bare.work)
    proof = make_proof(game.facts, make_table(game.facts, 12))
    late = [one for one in critical_positions(game) if one.stones >= 58]
    assert len(late) > 10
    for state, good, _ in late:
        limits = state.words, 1.0, 2000, bare.rng
        with np.errstate(over="ignore"):
            assert prove_value.python(game.rules, trained, tree, proof, *limits)
        assert proof.action[0] in good


def test_it_gives_up_when_its_nodes_are_spent_and_leaves_the_tree_as_it_was():
    game = tafl.game("connectfour")
    bare = unsure(game, [0, 1, 2, 3])
    plain = PUCTAgent(game, bare, 3, iterations=50)
    for nodes in (1, 10, 1000):
        agent = PUCTAgent(game, bare, 3, iterations=50, proof=nodes)
        assert agent.values(game.start()) == plain.values(game.start())
        assert agent.act(game.start()) == plain.act(game.start())
        assert agent.prover.memory.nodes[0] == nodes


def test_what_it_finds_does_not_depend_on_positions_before():
    """With so few nodes some are solved and some are not."""
    game = tafl.game("connectfour")
    bare = unsure(game, [0, 1, 2, 3])
    used, spent = PUCTAgent(game, bare, iterations=20, proof=300), set()
    for position in critical_positions(game)[::20]:
        fresh = PUCTAgent(game, bare, iterations=20, proof=300)
        assert used.values(position.state) == fresh.values(position.state)
        assert used.tree.visits[:7].tolist() == fresh.tree.visits[:7].tolist()
        spent.add(fresh.prover.memory.nodes[0] == 300)
    assert spent == {True, False}


def test_compiled_equals_plain():
    game, found = tafl.game("tictactoe"), []
    facts, bare, words = game.facts, ignorant(game), game.start().words
    for run in (prove_value, prove_value.python):
        trained = make_trained(facts, bare.net, bare.td, bare.work)
        proof = make_proof(facts, make_table(facts, 8))
        with np.errstate(over="ignore"):
            run(game.rules, trained, bare_tree(game), proof, words, 1.0, 5000, bare.rng)
        found.append((proof.nodes[0], proof.value[0], proof.action[0], proof.history.tolist()))
    assert found[0] == found[1]
    assert found[0][0] > 100
    assert found[0][1] == 0.0


def test_what_it_cannot_prove_is_refused():
    game, gamble, three = tafl.game("tictactoe"), tafl.game(Gamble), tafl.game("nim3p")
    for other in (gamble, three):
        with pytest.raises(InputError, match="zero-sum game for two players without chance"):
            PUCTAgent(other, unsure(other, [0]), proof=10)
    with pytest.raises(InputError, match=r"agent of gamma 1, not 0\.9"):
        PUCTAgent(game, unsure(game, [0], gamma=0.9), proof=10)
    with pytest.raises(InputError, match="proof must be 0 to 8,388,608, not -1"):
        PUCTAgent(game, unsure(game, [0]), proof=-1)
