"""What hidden cells may not change: all that is shown to a player, and all that agents do.

A redeal changes exactly what its player cannot know. So whatever is made for this player must be
equal before and after it, in all games with hidden information.
"""

from typing import Any

import numpy as np
import pytest

import tafl
from coin import Guess
from tafl.adapters.views import mask, planes
from tafl.agents.hidden import ISMCTSAgent, PIMCAgent
from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import RegretAgent
from tafl.boards.game import Game
from tafl.boards.picture import svg
from tafl.boards.raster import pixels
from tafl.core.approximators.mlp import make_mlp
from tafl.core.learn.adapt import TD
from tafl.core.learn.regret import Regret, look_up, make_moves, train_regret
from tafl.core.learn.store import make_store
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Coherence, make_net
from tafl.core.play.greedy import action_values
from tafl.core.search.ismcts import ismcts_search
from tafl.core.search.pimc import pimc_search
from tafl.training.learner import KERNELS

GAMES = ("kuhn(players=3)", "leduc", "liarsdice", "phantom", "hearts", "hearts(players=4)")


@pytest.fixture(params=GAMES)
def game(request):
    return tafl.game(request.param)


def alike(game, games, seed=1):
    """Yield pairs of positions that a player cannot tell apart, from random games."""
    choice = np.random.default_rng(seed)
    for number in range(games):
        state = game.start(number)
        while not state.over:
            for player in range(game.facts.players):
                other = state.redealt(player, int(choice.integers(2**32)))
                if not np.array_equal(state.words, other.words):
                    yield player, state.copy(), other
            state.play(int(choice.choice(state.legal_actions)))


def shown(state, player):
    """Return everything that is made for a player."""
    return {
        "text": state.drawn(player),
        "cells": state.seen_by(player),
        "picture": svg(state, player),
        "planes": planes(state, player).tobytes(),
        "mask": mask(state, player).tobytes(),
        "turn": state.player,
        "legal": state.legal_moves if state.player == player else None,
        "score": state.scores[player],
    }


def test_what_a_player_is_shown_does_not_depend_on_hidden_cells(game):
    pairs = list(alike(game, 4))
    for player, state, other in pairs:
        assert shown(state, player) == shown(other, player)
    for player, state, other in pairs[::9]:
        assert (pixels(state, player=player) == pixels(other, player=player)).all()
    assert len(pairs) > 20


def test_openspiel_shows_a_player_no_hidden_cells(game):
    pytest.importorskip("pyspiel")
    from tafl.adapters.openspiel_games import SpielState, make

    theirs, found = make(game), 0
    for player, state, other in alike(game, 2):
        one, two = (SpielState.of(theirs, position) for position in (state, other))
        for ask in ("information_state_string", "information_state_tensor", "observation_tensor"):
            assert getattr(one, ask)(player) == getattr(two, ask)(player)
        assert one.observation_string(player) == two.observation_string(player)
        assert one.legal_actions(player) == two.legal_actions(player)
        found += 1
    assert found > 10


def test_a_bot_of_openspiel_is_given_a_redeal():
    pytest.importorskip("pyspiel")
    from tafl.adapters.openspiel import bot, make

    given = []

    class Spy:
        def act(self, state):
            given.append(state)
            return state.legal_actions[0]

        def values(self, state):
            return {}

    game, others = make("kuhn"), set()
    for deal in range(6):
        state = game.new_initial_state()
        state.apply_action(deal)
        bot(Spy(), 0, game="kuhn").step(state)
        assert given[-1].cells[0] == state.tafl.cells[0]
        assert given[-1].history == []
        others.add((state.tafl.cells[1], given[-1].cells[1]))
    assert any(true != shown for true, shown in others)


def agents_of(game):
    """Return agents of each kind, those that learned after a few episodes, uncompiled."""
    facts, number = game.facts, max(2, game.facts.cells // 4)
    tuples = [list(range(c, min(facts.cells, c + 3))) for c in range(0, facts.cells, number)]
    found: dict[str, Any] = {"random": tafl.agent("random", game, seed=3)}
    for name, cells in (("regret", []), ("regret with n-tuples", tuples)):
        net = make_net(facts, cells, symmetries=False, tables=False)
        store, rng = make_store(facts, net, 10_000), np.array([5], np.uint64)
        learned = store, Regret(), make_moves(facts, net), 0, 40, rng, np.zeros(1 + facts.players)
        train_regret.python(game.rules, *learned)
        found[name] = RegretAgent(game, store, 3)
    for algo in ("td", "sarsa", "q"):
        net = make_net(facts, tuples, symmetries=False, by_action=algo != "td")
        net.weights[:] = np.random.default_rng(2).normal(0, 0.3, net.weights.shape)
        found[algo] = LearnedAgent(game, net, TD(), 3)
    mlp = make_mlp(facts, 4, 1)
    mlp.weights[:] = np.random.default_rng(2).normal(0, 0.3, mlp.weights.shape)
    return found | {"mlp": LearnedAgent(game, mlp, TD(), 3)}


def answers(agent, state):
    """Return all that an agent says about a position."""
    one, two, three = agent.twin(), agent.twin(), agent.twin()
    return one.act(state), two.values(state), three.policy(state)


@pytest.fixture
def uncompiled(monkeypatch):
    """Let agents ask uncompiled kernels: to compile them for all these games takes long."""
    kernels = {
        "regret.look_up": look_up,
        "learned.action_values": action_values,
        "hidden.pimc_search": pimc_search,
        "hidden.ismcts_search": ismcts_search,
    }
    for where, kernel in kernels.items():
        monkeypatch.setattr(f"tafl.agents.{where}", kernel.python)
    with np.errstate(over="ignore"):
        yield


def test_agents_do_not_depend_on_hidden_cells(game, uncompiled):
    agents = agents_of(game)
    around = [None, agents["regret"], agents["td"]]
    for guide in around:
        agents[f"pimc, {guide}"] = PIMCAgent(game, guide, 3, worlds=2, iterations=5)
        agents[f"ismcts, {guide}"] = ISMCTSAgent(game, guide, 3, iterations=8)
    pairs = [pair for pair in alike(game, 6, seed=2) if pair[0] == pair[1].player]
    for _, state, other in pairs[:: 1 + len(pairs) // 3]:
        for name, agent in agents.items():
            assert answers(agent, state) == answers(agent, other), name


@pytest.mark.parametrize("afterstates", [True, False])
@pytest.mark.parametrize("algo", ["td", "sarsa", "q"])
def test_greedy_learners_do_not_learn_to_peek(algo, afterstates):
    """Who tries actions in the true state learns that every guess is right, and is worth 1."""
    game = Game(Guess(), "guess")
    plain = {"tanh": False, "coherence": Coherence(transfer="off")}
    net = make_net(game.facts, [[0, 1]], by_action=algo != "td", **plain)
    td = TD(alpha=0.1, alpha_final=0.1, epsilon=0.5, epsilon_final=0.5, afterstates=afterstates)
    rng, totals = np.array([7], np.uint64), np.zeros(2)
    with np.errstate(over="ignore"):
        work = make_work(game.facts, net)
        KERNELS[algo].python(game.rules, net, td, work, 0, 2000, 2000, rng, totals)
    values = LearnedAgent(game, net, td).values(game.start())
    assert values[0] == pytest.approx(0.6, abs=0.03)
    assert 0.2 < values[1] < 0.8


def test_regret_matching_does_not_learn_to_peek():
    game = Game(Guess(), "guess")
    net = make_net(game.facts, [], symmetries=False, tables=False)
    store, rng = make_store(game.facts, net, 100), np.array([7], np.uint64)
    with np.errstate(over="ignore"):
        learned = store, Regret(), make_moves(game.facts, net), 0, 2000, rng, np.zeros(2)
        train_regret.python(game.rules, *learned)
    values = RegretAgent(game, store).values(game.start())
    assert values[0] == pytest.approx(0.6, abs=0.03)
    assert 0.2 < values[1] < 0.8
