"""Alpha-beta around a trained agent: values of n-ply search, fastest wins, slowest losses."""

import numpy as np
import pytest

import tafl
from long import long
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import AlphaBetaAgent, NPlyAgent
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.core.search.foresee import make_trained
from tafl.core.search.guided import guided_values, make_guided
from tafl.core.search.table import make_table
from tafl.errors import InputError


def unsure(game, cells, noise=0.3):
    """An agent whose tables hold random numbers; with so few it is often far beyond -1 and 1."""
    net = make_net(game.facts, [cells], tanh=False, symmetries=False)
    net.weights[:] = np.random.default_rng(1).normal(0, noise, net.weights.size)
    return LearnedAgent(game, net, TD(), 1)


def played(game, plies, rng):
    """A random position that is not the end."""
    while True:
        state = game.start()
        for _ in range(plies):
            if not state.over:
                state.play(int(rng.choice(state.legal_actions)))
        if not state.over:
            return state


@pytest.mark.parametrize(
    ("name", "cells", "plies"),
    [
        ("tictactoe", [0, 1, 3, 4, 8], 3),
        long(("othello", [0, 1, 8, 9, 54, 63], 52)),  # players pass
    ],
)
def test_values_are_those_of_n_ply_search_within_what_there_is_to_win(name, cells, plies):
    """With a table that remembers other positions and depths."""
    game, rng = tafl.game(name), np.random.default_rng(2)
    bare = unsure(game, cells)
    for depth in (1, 2, 3, 4):
        slow = NPlyAgent(game, bare, depth=depth)
        fast = AlphaBetaAgent(game, bare, depth=depth, hash_bits=12)
        for _ in range(15):
            state = played(game, plies, rng)
            said, found = slow.values(state), fast.values(state)
            if depth > 1:
                said = {a: max(-1.0, min(v, 1.0)) for a, v in said.items()}
            assert found == pytest.approx(said, abs=1e-12)
            assert list(found) == state.legal_actions
            assert said[fast.act(state)] == pytest.approx(max(said.values()), abs=1e-12)


@pytest.mark.parametrize("depth", [2, 5, 9])
def test_it_plays_the_fastest_win(depth):
    """At b3 the row is complete; other moves win later."""
    game = tafl.game("tictactoe")
    agent = AlphaBetaAgent(game, unsure(game, [0]), depth=depth)
    state = tafl.position("tictactoe: b2 a1 b1 c1")
    assert {state.legal_moves[agent.act(state)] for _ in range(10)} == {"b3"}


def distance(state):
    """The score of who moves, and in how many plies it is reached if all want it so."""
    if state.over:
        return state.scores[state.player], 0
    return max(distances(state).values(), key=lambda found: found[0] * (100 - found[1]))


def distances(state):
    """The same for every action."""
    found = {a: distance(state.afterstate(a)) for a in state.legal_actions}
    return {a: (-score, plies + 1) for a, (score, plies) in found.items()}


def test_it_plays_the_slowest_loss():
    game, rng, seen = tafl.game("tictactoe"), np.random.default_rng(3), 0
    agent = AlphaBetaAgent(game, unsure(game, list(range(9)), 0.01), depth=6)
    while seen < 20:
        state = played(game, 5, rng)
        found = distances(state)
        longest = max(plies for _, plies in found.values())
        if {score for score, _ in found.values()} == {-1} and len(set(found.values())) > 1:
            assert found[agent.act(state)] == (-1, longest)
            seen += 1


def test_compiled_equals_plain():
    game, found = tafl.game("tictactoe"), []
    facts, bare = game.facts, unsure(game, list(range(9)))
    for run in (guided_values, guided_values.python):
        trained = make_trained(facts, bare.net, bare.td, make_work(facts, bare.net))
        guided = make_guided(facts, make_table(facts, 8), 4)
        actions, values, rng = np.zeros(9, np.int64), np.zeros(9), np.array([5], np.uint64)
        with np.errstate(over="ignore"):
            start = game.start().words
            run(game.rules, trained, guided, start, 4, 1.0, True, rng, actions, values)
        found.append((actions, values))
    assert found[0][0].tolist() == found[1][0].tolist()
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-6)


def test_what_it_cannot_search_is_refused():
    game = tafl.game("tictactoe")
    bare = unsure(game, [0])
    impatient = LearnedAgent(game, bare.net, TD(gamma=0.9), 1)
    with pytest.raises(InputError, match=r"agent of gamma 1, not 0\.9; use nply"):
        AlphaBetaAgent(game, impatient)
    with pytest.raises(InputError, match="zero-sum game for two players"):
        tafl.agent("alphabeta(champion)", "nim3p")
    with pytest.raises(InputError, match="alphabeta needs a trained agent"):
        tafl.agent("alphabeta(random)", game)


def test_an_agent_may_be_left_out():
    game = tafl.game("tictactoe")
    state = tafl.position("tictactoe: a1 b1 a2 b2")
    for text in ("alphabeta(depth=9)", "alphabeta(champion,depth=9)", "alphabeta(agent=champion)"):
        agent = tafl.agent(text, game)
        assert state.legal_moves[agent.act(state)] == "a3"
        assert agent.values(state)[agent.act(state)] == 1.0
