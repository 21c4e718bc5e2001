"""SARSA and Q on games so short that every update can be worked out by hand.

Countdown (test_td.py) has one action; V_p(stones) there is Q_p(stones, 0) here.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long import long
from tafl.core.games.connectfour import ConnectFour
from tafl.core.games.rules import Facts, rules
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.learn.adapt import TD, adapt
from tafl.core.learn.q import train_q
from tafl.core.learn.qpolicy import remember_q
from tafl.core.learn.sarsa import train_sarsa
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.core.ntuple.value import index_state
from test_ntuple import playout
from test_td import Countdown

RNG = np.array([1], np.uint64)


@pytest.fixture(params=[long("sarsa"), long("q"), "sarsa plain", "q plain"])
def run(request):
    kernel = train_sarsa if request.param.startswith("sarsa") else train_q
    if "plain" not in request.param:
        return kernel

    def plain(*arguments):
        with np.errstate(over="ignore"):
            return kernel.python(*arguments)

    return plain


def learn(run, stones, players=2, episodes=1, start=0.0, horizon=1, **options):
    """Q[player][stones] after some episodes."""
    game = Countdown(stones, players)
    facts = game.facts()
    net = make_net(facts, [[0]], by_action=True, tanh=False)
    net.weights[:] = start
    td = TD(**{"alpha": 1.0, "alpha_final": 1.0, "epsilon": 0.0, **options})
    work, rng = make_work(facts, net, horizon), np.array([1], np.uint64)
    run(game, net, td, work, 0, episodes, episodes, rng, np.zeros(1 + players))
    return net.weights.reshape(players, -1)[:, : stones + 1].tolist()


def test_three_moves_with_farl(run):
    # player 0 acts in 3 and 1, player 1 in 2. Q0(3) -> Q0(1) = 0; at the end player 1 is to move:
    # Q1(2) -> -1; FARL: Q0(1) -> 1
    assert learn(run, 3) == [[0, 1, 0, 0], [0, 0, -1, 0]]


def test_second_episode_carries_the_reward_one_round_back(run):
    assert learn(run, 3, episodes=2) == [[0, 1, 0, 1], [0, 0, -1, 0]]
    assert learn(run, 3, episodes=2, gamma=0.5) == [[0, 1, 0, 0.5], [0, 0, -1, 0]]


def test_without_farl_only_the_player_to_move_at_the_end_learns(run):
    assert learn(run, 3, episodes=3, farl_others=False) == [[0, 0, 0, 0], [0, 0, -1, 0]]


def test_the_end_counts_zero_whatever_the_network_says(run):
    # all weights 7: targets of the last actions are the rewards alone; Q0(3) -> Q0(1) = 7 before
    # that
    assert learn(run, 3, start=7.0) == [[7, 1, 7, 7], [7, 7, -1, 7]]


def test_three_players(run):
    # 4 stones: 0 acts in 4 and 1, 1 in 3, 2 in 2; the last stone is player 0's. Player 1 is to move
    # at the end: Q1(3) -> -0.5; FARL: Q0(1) -> 1, Q2(2) -> -1
    assert learn(run, 4, players=3) == [[0, 1, 0, 0, 0], [0, 0, 0, -0.5, 0], [0, 0, -1, 0, 0]]


def test_eligibility_reaches_back_by_lambda(run):
    # 5 stones, 0 acts in 5, 3, 1: the reward 1 of Q0(1) goes to Q0(3) by 1/2 and to Q0(5) by 1/4
    assert learn(run, 5, lam=0.5, horizon=3)[0] == [0, 1, 0, 0.5, 0, 0.25]


def test_random_moves_are_not_learned_from_when_switched_off(run):
    Q = learn(run, 3, episodes=2, epsilon=1.0, epsilon_final=1.0, learn_from_random=False)
    assert Q == [[0, 1, 0, 0], [0, 0, 0, 0]]  # FARL learns all the same


@rules
class Fork(NamedTuple):
    """Two moves; only the second counts: action 0 gives 1, 1 nothing. state = [move, score]"""

    moves: int = 2

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1
        state[1] = 1 if state[0] == 2 and action == 0 else 0

    def over(self, state):
        return state[0] == 2

    def score(self, state, player):
        return float(state[1])

    def cell(self, state, c):
        return state[0]

    def facts(self):
        return Facts(players=1, actions=2, cells=1, values=3, words=2)


def fork(run, **options):
    """Episodes of random moves on Fork: Q[action][move] and the score after each."""
    game, facts = Fork(), Fork().facts()
    net = make_net(facts, [[0]], by_action=True, tanh=False)
    td = TD(alpha=1.0, alpha_final=1.0, epsilon=1.0, epsilon_final=1.0, **options)
    work, rng = make_work(facts, net), np.array([5], np.uint64)
    for episode in range(200):
        before, totals = net.weights.copy(), np.zeros(2)
        run(game, net, td, work, episode, 1, 200, rng, totals)
        if episode > 20:  # by now Q(1, 0) = 1 and Q(1, 1) = 0
            Q = net.weights.reshape(2, -1)
            changed = np.flatnonzero(before != net.weights).size
            yield Q[:, 0].copy(), Q[:, 1].copy(), totals[1], changed


def test_q_learns_from_the_best_next_action_and_sarsa_from_a_chosen_one():
    for first, second, _, changed in fork(train_q):
        assert second.tolist() == [1, 0]
        assert first.tolist() == [1, 1]
        assert changed == 0
    seen = [first.tolist() for first, *_ in fork(train_sarsa)]
    assert {x for first in seen for x in first} == {0.0, 1.0}


def test_sarsa_chooses_anew_unless_told_to_reuse():
    # with D3 the action in the target is the action played: a change of Q(0, a) is the score of
    # this very episode
    def mistaken(**options):
        return sum(
            1
            for first, _, score, changed in fork(train_sarsa, **options)
            if changed and score not in first.tolist()
        )

    assert mistaken(reuse_action=True) == 0
    assert mistaken(reuse_action=False) > 0


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour()], ids=["tictactoe", "connectfour"])
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_symmetries_turn_boards_and_actions_together(game, data):
    facts = game.facts()
    moves = data.draw(st.lists(st.integers(0, 100), max_size=6))
    states = playout(game, moves)
    cells = st.lists(st.integers(0, facts.cells - 1), min_size=1, max_size=4, unique=True)
    tuples = data.draw(st.lists(cells, min_size=1, max_size=3))
    net = make_net(facts, tuples, by_action=True, tanh=False)
    net.weights[:] = np.random.default_rng(len(moves)).normal(size=net.weights.size)
    legal = [a for a in range(facts.actions) if game.legal(states[-1], a)]
    a = data.draw(st.sampled_from(legal))
    work = make_work(facts, net)
    # the same game on each symmetric board has the same Q for the turned action, before and after
    # an update
    actions = [
        next(x for x in range(facts.actions) if same(game, s, x, t)) for s, t in pairwise(states)
    ]
    for target in (None, 2.5):
        if target is not None:
            index_state(game, net, states[-1], 0, work.now)
            remember_q(net, work, 1, a, False)
            adapt(net, TD(alpha=1.0), work, 1, work.last[1], target, 1.0, RNG)
        values = []
        for turned in facts.action_symmetries:
            state = np.zeros(facts.words, np.int64)
            game.start(state)
            for action in actions:
                game.play(state, turned[action])
            index_state(game, net, state, 0, work.now)
            values.append(float(net.q_activation(work, 1, turned[a])))
        assert values == pytest.approx([values[0]] * len(values), abs=1e-4)
    assert values[0] == pytest.approx(2.5, abs=2e-4)


def same(game, before, action, after):
    """Does the action lead from one state to the other?"""
    if not game.legal(before, action):
        return False
    state = before.copy()
    game.play(state, action)
    return state.tolist() == after.tolist()
