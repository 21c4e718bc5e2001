"""Games with hidden information: what a player sees, and that agents see no more."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import tafl
from tafl.agents.learned import LearnedAgent
from tafl.arena.contest import play_on
from tafl.boards.game import Game
from tafl.core.games.kuhn import BET, PASS, Kuhn
from tafl.core.games.rules import Packed, rules_like
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.errors import GameError
from tafl.training.learner import KERNELS


@pytest.fixture(params=[2, 3, 4])
def kuhn(request):
    return Game(Kuhn(request.param), f"kuhn(players={request.param})")


def seen(state):
    """Return what each player sees."""
    return [state.seen_by(p) for p in range(state.game.facts.players)]


def test_a_player_sees_its_own_card_and_the_moves(kuhn):
    state = kuhn.start(seed=3)
    state.play("pass")
    n = kuhn.facts.players
    for player in range(n):
        cells = state.seen_by(player)
        assert cells[player] == state.cells[player] != 0
        assert [cells[p] for p in range(n) if p != player] == [0] * (n - 1)
        assert cells[n:] == state.cells[n:]


def test_all_cards_are_shown_at_the_end(kuhn):
    state = kuhn.start(seed=3)
    while not state.over:
        state.play("pass")
    assert all(cells == state.cells for cells in seen(state))


def test_a_redeal_keeps_what_the_player_sees_and_deals_the_rest_evenly(kuhn):
    state, n = kuhn.start(seed=5), kuhn.facts.players
    state.play("bet")
    for player in range(n):
        others = [tuple(state.redealt(player, seed).cells) for seed in range(4000)]
        assert {cells[player] for cells in others} == {state.cells[player]}
        assert all(len(set(cells[:n])) == n for cells in others)
        deals, counts = np.unique(others, axis=0, return_counts=True)
        possible = np.prod(range(2, n + 1))  # n cards are left for n - 1 players
        assert len(deals) == possible
        expected = 4000 / possible
        assert ((counts - expected) ** 2 / expected).sum() < possible + 6 * np.sqrt(2 * possible)


def test_outcomes_are_the_deals_that_chance_draws(kuhn):
    state = np.zeros(kuhn.facts.words, np.int64)
    kuhn.rules.start(state)
    deals = {}
    for i in range(kuhn.rules.outcomes(state)):
        after = state.copy()
        share = kuhn.rules.outcome(after, i)
        deals[tuple(after.tolist())] = share
    assert sum(deals.values()) == pytest.approx(1)
    assert {tuple(kuhn.start(seed).words.tolist()) for seed in range(2000)} == set(deals)


def test_the_drawing_hides_the_cards_of_others():
    state = Game(Kuhn(2), "kuhn").start(seed=1)
    first, second = str(state).splitlines()[0].split()[1:]
    assert state.drawn(0).splitlines()[0] == f"cards: {first} ?"
    assert state.drawn(1).splitlines()[0] == f"cards: ? {second}"
    assert {first, second} < set("JQK")


class Spy:
    """An agent that keeps what it was given."""

    def __init__(self):
        self.states = []

    def act(self, state):
        self.states.append(state)
        return state.legal_actions[0]

    def values(self, state):
        return {}


def test_an_agent_is_given_nothing_that_its_player_cannot_see(kuhn):
    n = kuhn.facts.players
    deals = set()
    for seed in range(300):
        start, spies = kuhn.start(seed), [Spy() for _ in range(n)]
        end = play_on(spies, start)
        assert not end.over or end.cells[:n] == start.cells[:n]
        for player, spy in enumerate(spies):
            for state in spy.states:
                assert state.history == []
                with pytest.raises(tafl.errors.InputError):
                    state.undo()
                assert state.rng[0] != start.rng[0]
                assert state.cells[player] == start.cells[player]
            deals |= {(player, *start.cells[:n], *state.cells[:n]) for state in spy.states}
    # whatever was dealt, every deal that the player cannot tell from it was given
    for player in range(n):
        pairs = {deal[1:] for deal in deals if deal[0] == player}
        assert any(pair[:n] != pair[n : 2 * n] for pair in pairs)


class BlindKuhn(NamedTuple):
    """Kuhn poker whose `cell` says nothing: whoever reads it instead of `sees` learns otherwise."""

    players: int = 2

    def cell(self, state, c):
        return 0

    def sees(self, state, player, c):
        return Kuhn.sees(Kuhn(self.players), state, player, c)


@pytest.mark.parametrize("afterstates", [True, False])
@pytest.mark.parametrize("algo", ["td", "sarsa", "q"])
def test_learners_read_only_what_players_see(algo, afterstates):
    weights = []
    for rules in (Kuhn(2), rules_like(Kuhn)(BlindKuhn)(2)):
        facts = rules.facts()
        net = make_net(facts, [[0, 1, 2, 3, 4]], by_action=algo != "td", tanh=False)
        td = TD(alpha=0.2, epsilon=0.3, afterstates=afterstates, learn_from_start=True)
        rng, totals = np.array([7], np.uint64), np.zeros(3)
        with np.errstate(over="ignore"):
            KERNELS[algo].python(rules, net, td, make_work(facts, net), 0, 60, 60, rng, totals)
        weights.append(net.weights)
    assert np.count_nonzero(weights[0]) > 10
    assert (weights[0] == weights[1]).all()


@pytest.mark.parametrize("fact", [{"packed": Packed(2, [0, 1, 2, 3])}, {"input_values": 2}])
def test_facts_about_cells_that_players_do_not_see_are_refused(fact):
    class Odd(NamedTuple):
        players: int = 2

        def facts(self):
            return replace(Kuhn().facts(), **fact)

    name = next(iter(fact))
    with pytest.raises(GameError, match=f"leave out {name};"):
        Game(rules_like(Kuhn)(Odd)(), "odd")


def test_a_trained_agent_cannot_tell_hidden_cards_apart():
    game = Game(Kuhn(2), "kuhn(players=2)")
    net = make_net(game.facts, [[0, 1, 2, 3, 4]], tanh=False)
    net.weights[:] = np.random.default_rng(3).normal(size=net.weights.size)
    for seed in range(100):
        answers = []
        for other in (1, 3):  # player 0 has the middle card and answers a bet
            state = game.from_words([PASS | BET << 2, 2, 2, other])
            answers.append(LearnedAgent(game, net, TD(), seed).values(state))
        assert answers[0] == answers[1]
    worth = {LearnedAgent(game, net, TD(), seed).values(state)[1] for seed in range(100)}
    assert worth == {2.0, -2.0}  # of a call, in both of the worlds
