"""Interchangeable seats: rotated positions, one network for all players, and the check of it."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import tafl
from tafl.boards.check import Findings, _play
from tafl.boards.facts import faults as faults_of
from tafl.boards.oddities import Lookalikes
from tafl.core.games.rules import Seats, Table, rules_like
from tafl.core.games.sim import Sim
from tafl.core.ntuple.net import make_net
from tafl.core.ntuple.value import index_change, index_state, offset
from tafl.core.random import below
from tafl.errors import InputError
from tafl.settings.presets import compose
from tafl.tuples import random_points

GAMES = [
    *("connectfour3p", "hex3p", "rolit", "rolit(players=3)"),
    *("sim(players=3)", "yavalath(players=3)", "yavalath"),
]


def positions(game, seed=1, plies=60):
    """Return the positions of a random game with the actions that were played."""
    rng = np.array([seed], np.uint64)
    state, found = game.start(seed=seed), []
    while not state.over and len(found) < plies:
        with np.errstate(over="ignore"):
            action = state.legal_actions[below(rng, len(state.legal_actions))]
        found.append((state.words.copy(), action))
        state.play(action)
    return found


def rotated(game, words, times):
    other = words.copy()
    for _ in range(times):
        game.rules.rotate(other)
    return other


def shared_net(game):
    return make_net(game.facts, random_points(game.facts, 6, 5, seed=3), shared=True)


@pytest.mark.parametrize("name", GAMES)
def test_each_player_sees_what_player_0_sees_of_the_rotated_position(name):
    game = tafl.game(name)
    net, players = shared_net(game), game.facts.players
    mine, theirs = np.zeros((2, net.base.size), np.uint32)
    for words, _ in positions(game):
        for p in range(players):
            index_state(game.rules, net, words, p, mine)
            index_state(game.rules, net, rotated(game, words, players - p), 0, theirs)
            assert (mine == theirs).all()
            assert offset(net, p, 0) == 0


@pytest.mark.parametrize("name", GAMES)
def test_indices_of_a_player_follow_the_cells_that_change(name):
    game = tafl.game(name)
    net = shared_net(game)
    before, after, wanted = np.zeros((3, net.base.size), np.uint32)
    for words, action in positions(game):
        played = words.copy()
        game.rules.play(played, action)
        for p in range(game.facts.players):
            index_state(game.rules, net, words, p, before)
            index_change(game.rules, net, words, played, p, before, after)
            index_state(game.rules, net, played, p, wanted)
            assert (after == wanted).all()


@rules_like(Sim)
class Wrong(NamedTuple):
    """Sim for three, where `wrong` is wrong about the seats."""

    players: int = 3
    points: int = 6
    wrong: int = 0
    triangles: Table = Sim().triangles

    def rotate(self, state):
        Sim.rotate(self, state)
        if self.wrong == 1:
            state[:3] = np.roll(state[:3], 1)
        if self.wrong == 2:
            state[3] = (state[3] + 1) % 3
        if self.wrong == 3:
            state[2] |= state[0] & 1

    def score(self, state, player):
        more = 0.25 if self.wrong == 4 and player == 0 and state[4] != 0 else 0.0
        return Sim.score(self, state, player) + more

    def legal(self, state, action):
        if self.wrong == 5 and state[3] == 1 and action == 3:
            return state[0] & 7 == 7
        return Sim.legal(self, state, action)

    def legal_mask(self, state):
        return -1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (1, "should be"),
        (2, "player is"),
        (3, "rotated 3 times, a state is not what it was"),
        (4, "the score of player 1 is"),
        (5, "action 3 for the next player is"),
    ],
)
def test_seats_that_are_not_alike_are_found(wrong, said):
    game = tafl.game(Wrong, wrong=wrong)
    faults = Findings(game.name)
    for seed in range(3):
        _play(game, faults, seed, lookalikes=Lookalikes(game))
    assert said in str(faults.faults["seats"])


def test_seats_need_a_method_that_rotates():
    class Still(NamedTuple):
        players: int = 3
        points: int = 6
        triangles: Table = Sim().triangles

    made = rules_like(Sim)(Still)
    del made.rotate
    game, faults = tafl.game(made), Findings("still")
    _play(game, faults, 1, lookalikes=Lookalikes(game))
    assert "facts() has seats, so that the rules need a method rotate()" in str(faults.faults)


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (Seats([0, 2, 3, 3]), "seats.values is not a permutation"),
        (Seats([0, 2, 1, 3]), "seats.values: after 3 rotations all must be as before"),
        (Seats([0, 2, 3, 1], cells=[1, 0]), "seats.cells is not a permutation"),
        (Seats([0, 2, 3, 1], fixed=[99]), "seats.fixed contains 99; the cells are 0 to 14"),
        ([0, 2, 3, 1], "seats must be Seats(...), not list"),
    ],
)
def test_facts_with_impossible_seats_are_refused(seats, said):
    facts = replace(tafl.game("sim(players=3)").facts, seats=seats)
    assert [text for text in faults_of(facts) if said in text]


@pytest.mark.parametrize(
    ("game", "options", "said"),
    [
        ("othello", {}, "network.shared needs facts with seats, which othello does not have"),
        ("sim(players=3)", {"algo": "sarsa"}, "network.shared needs algo = td and network.kind"),
    ],
)
def test_one_network_for_all_players_is_refused_where_it_cannot_be(game, options, said, tmp_path):
    with pytest.raises(InputError, match=said):
        tafl.train(game, episodes=5, network={"shared": True}, out=tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_a_shared_network_is_kept_and_resumed_and_plays(tmp_path):
    """Tables of one player, in checkpoints and agents, too; resuming gives the same bits."""
    network = {"shared": True, "tuples": "lines"}
    said = {"episodes": 40, "seed": 3, "network": network, "evaluation": {"every": 0}}
    whole = tafl.train("sim(players=3)", out=tmp_path / "whole", **said)
    assert whole.agent.net.weights.size == whole.agent.net.size
    apart = {"network": {"tuples": "lines", "shared": False}}
    separate = tafl.train("sim(players=3)", out=tmp_path / "apart", **said | apart)
    assert separate.agent.net.weights.size == 3 * whole.agent.net.weights.size
    tafl.save(whole, tmp_path / "agent.safetensors")
    again = tafl.load(tmp_path / "agent.safetensors")
    state = whole.game.start()
    for action in (3, 7, 1):
        state.play(action)
        assert again.values(state) == whole.agent.values(state)


def test_three_players_share_a_network_unless_something_else_is_said(tmp_path):
    three, two = tafl.game("sim(players=3)"), tafl.game("sim")
    assert compose(three).network.shared
    assert not compose(two).network.shared
    assert not compose(three, overrides={"algo": "sarsa"}).network.shared
    assert not compose(three, overrides={"network": {"shared": False}}).network.shared
    assert "shared" not in compose(two).tree()["network"]
    stored = tmp_path / "settings.toml"  # as a run of before has stored it
    stored.write_text(compose(three, overrides={"network": {"shared": False}}).toml())
    assert not compose(three, settings=stored).network.shared
