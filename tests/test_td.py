"""TD-FARL on games so short that every update can be worked out by hand.

The game here is a countdown with one heap: each player takes one stone, so there is never a choice.
With one 1-tuple, sigma = id and alpha = 1, V_p(stones) is a table entry and every update sets it to
its target.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

import tafl
from tafl.core.games.rules import Facts, rules
from tafl.core.learn.adapt import TD
from tafl.core.learn.td import train_td
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import Coherence, make_net
from tafl.training.learner import KERNELS

OFF = Coherence()


@rules
class Countdown(NamedTuple):
    """state = [stones, player]; the last stone wins 1, the one before gets -1, all others -0.5."""

    stones: int = 3
    players: int = 2

    def start(self, state):
        state[0] = self.stones
        state[1] = 0

    def player(self, state):
        return state[1]

    def legal(self, state, action):
        return state[0] > 0

    def play(self, state, action):
        state[0] -= 1
        state[1] = (state[1] + 1) % self.players

    def over(self, state):
        return state[0] == 0

    def score(self, state, player):
        if state[0] > 0:
            return 0.0
        ago = (state[1] - 1 - player) % self.players
        if ago == 0:
            return 1.0
        return -1.0 if ago == 1 else -0.5

    def cell(self, state, c):
        return state[0]

    def facts(self):
        return Facts(players=self.players, actions=1, cells=1, values=self.stones + 1, words=2)


def learn(stones, players=2, episodes=1, horizon=1, run=train_td, coherence=OFF, **options):
    """V[player][stones] after some episodes."""
    game = Countdown(stones, players)
    facts = game.facts()
    net = make_net(facts, [[0]], tanh=False, coherence=coherence)
    td = TD(**{"alpha": 1.0, "alpha_final": 1.0, "epsilon": 0.0, **options})
    work = make_work(facts, net, horizon, td.backward)
    rng = np.array([1], np.uint64)
    run(game, net, td, work, 0, episodes, max(episodes, 1), rng, np.zeros(1 + players))
    table = net.weights.reshape(players, -1)[:, :: net.width][:, : stones + 1]
    return table.tolist()


@pytest.fixture(params=["compiled", "plain"])
def run(request):
    if request.param == "compiled":
        return train_td

    def plain(*arguments):
        with np.errstate(over="ignore"):
            return train_td.python(*arguments)

    return plain


def test_three_moves_with_farl(run):
    # player 0 makes 2, player 1 makes 1, player 0 makes 0 and wins:
    # V0(2) -> 1 (AdaptAgentV), V1(1) -> -1 (FARL 1), V0(0) -> 0 (FARL 2)
    assert learn(3, run=run) == [[0, 0, 1, 0], [0, -1, 0, 0]]


def test_three_moves_without_farl(run):
    # only the winner learns; the loser never hears of it
    assert learn(3, run=run, farl_others=False, farl_terminal=False) == [[0, 0, 1, 0], [0, 0, 0, 0]]


def test_four_moves_first_episode(run):
    # 0 makes 3, 1 makes 2, 0 makes 1: V0(3) -> V0(1) = 0; 1 makes 0 and wins: V1(2) -> 1; FARL:
    # V0(1) -> -1
    assert learn(4, run=run) == [[0, -1, 0, 0, 0], [0, 0, 1, 0, 0]]


def test_four_moves_second_episode(run):
    # now V0(3) -> V0(1) = -1
    assert learn(4, run=run, episodes=2) == [[0, -1, 0, -1, 0], [0, 0, 1, 0, 0]]


def test_gamma_discounts_the_afterstate_but_not_the_reward(run):
    V = learn(4, run=run, episodes=2, gamma=0.5)
    assert V == [[0, -1, 0, -0.5, 0], [0, 0, 1, 0, 0]]


def test_three_players_all_learn_their_own_reward(run):
    # 4 stones: 0 makes 3, 1 makes 2, 2 makes 1, 0 makes 0 and wins 1; player 2 gets -1, player 1
    # gets -0.5
    V = learn(4, players=3, run=run)
    assert V == [[0, 0, 0, 1, 0], [0, 0, -0.5, 0, 0], [0, -1, 0, 0, 0]]


def test_final_adaptation_happens_in_the_order_of_players(run):
    # FARL's parts are independent here, so switching one off leaves the other as it is
    assert learn(4, run=run, farl_terminal=False) == learn(4, run=run)
    assert learn(4, run=run, farl_others=False) == [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]


def test_terminal_afterstate_is_trained_to_zero(run):
    # D2 makes player 1 learn V1(4) from V1(2); start weights other than 0 show part 2: V1(0) -> 0
    game = Countdown(2, 2)
    for part2, expected in ((True, 0.0), (False, 7.0)):
        net = make_net(game.facts(), [[0]], tanh=False)
        net.weights[:] = 7.0
        td = TD(alpha=1.0, alpha_final=1.0, epsilon=0.0, farl_terminal=part2)
        rng, work = np.array([1], np.uint64), make_work(game.facts(), net)
        run(game, net, td, work, 0, 1, 1, rng, np.zeros(3))
        assert net.weights.reshape(2, -1)[1, 0] == expected


def test_target_of_the_last_own_move_ignores_the_network(run):
    # V of a terminal state counts as 0 in targets, whatever the network says
    game = Countdown(3, 2)
    net = make_net(game.facts(), [[0]], tanh=False)
    net.weights[:] = 7.0
    td = TD(alpha=1.0, alpha_final=1.0, epsilon=0.0)
    run(game, net, td, make_work(game.facts(), net), 0, 1, 1, np.array([1], np.uint64), np.zeros(3))
    V = net.weights.reshape(2, -1)
    assert V[0, 2] == 1.0
    assert V[1, 1] == -1.0


def test_start_state_learns_only_when_asked(run):
    # D2: the start position counts as player 1's afterstate: V1(4) -> V1(2), 0 at first, 1 in the
    # second episode
    assert learn(4, run=run, episodes=2, learn_from_start=True)[1] == [0, 0, 1, 0, 1]
    assert learn(4, run=run, episodes=2, learn_from_start=False)[1] == [0, 0, 1, 0, 0]


def test_random_moves_are_not_learned_from_when_switched_off(run):
    # every move is random: only FARL, which does not depend on the move, still learns
    V = learn(4, run=run, epsilon=1.0, epsilon_final=1.0, learn_from_random=False)
    assert V == [[0, -1, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_eligibility_reaches_back_by_lambda(run):
    # 6 stones, lambda 1/2, two terms. Player 1 makes 4, 2, 0. Errors: V1(4) <- V1(2): 0;
    # V1(2) <- 1: error 1, of which 1/2 goes to V1(4); part 2: V1(0) <- 0, error 0.
    # Player 0 makes 5, 3, 1. FARL: V0(1) <- -1, of which -1/2 to V0(3).
    V = learn(6, run=run, horizon=2, lam=0.5)
    assert V[1] == [0, 0, 1, 0, 0.5, 0, 0]
    assert V[0] == [0, -1, 0, -0.5, 0, 0, 0]


def test_horizon_cuts_eligibility(run):
    V = learn(6, run=run, horizon=1, lam=0.5)
    assert V == [[0, -1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0]]
    V = learn(6, run=run, horizon=3, lam=0.5)  # one term more: V0(5) gets -1/4
    assert V[0] == [0, -1, 0, -0.5, 0, -0.25, 0]


def test_eligibility_ends_with_the_episode_unless_asked(run):
    # Two episodes of 3 stones, lambda 1/2. In the second, V0(2) has no error and V1(1) none either:
    # nothing moves.
    assert learn(3, run=run, episodes=2, horizon=2, lam=0.5) == learn(3, run=run, episodes=1)
    # gamma 0 and 4 stones: V0(3) <- 0 in both. D20 lets the second episode's errors reach the first
    # one's states: there are none left, so only a reward that changes shows it. One random,
    # unlearned move with RESET clears all.
    across = learn(4, run=run, episodes=2, horizon=4, lam=0.5, trace_across_episodes=True)
    # The list of player 0 grows to [3, 1, 3]. First episode: V0(3) has error 0; V0(1) has -1:
    #     V0(1) = -1, V0(3) -= 1/2
    # Second: V0(3) has target V0(1) = -1, value -1/2, error -1/2:
    #     V0(3) -= 1/2, V0(1) -= 1/4, V0(3) -= 1/8
    # then V0(1) has target -1, value -5/4, error 1/4:
    #     V0(1) += 1/4, V0(3) += 1/8, V0(1) += 1/16, V0(3) += 1/32
    assert across[0] == [0, -1 + 1 / 16, 0, -1 - 1 / 8 + 1 / 8 + 1 / 32, 0]
    alone = learn(4, run=run, episodes=2, horizon=4, lam=0.5)
    # second: error -1/2 at V0(3) alone -> -1; then V0(1): target -1, value -1, error 0
    assert alone[0] == [0, -1, 0, -1, 0]


def test_reset_forgets_eligibility_at_an_unlearned_random_move(run):
    # all moves random and unlearned: only the final adaptation is in the list, with and without
    # reset
    options = {"epsilon": 1.0, "epsilon_final": 1.0, "learn_from_random": False, "lam": 0.5}
    V = learn(6, run=run, horizon=3, trace_across_episodes=True, episodes=2, reset=True, **options)
    assert V[0] == [0, -1, 0, 0, 0, 0, 0]  # second error is 0
    assert V[1] == [0, 0, 0, 0, 0, 0, 0]


def test_alpha_and_epsilon_schedules(run):
    # 2 stones: 0 makes 1, 1 makes 0. Only V0(1) <- -1 in each episode: V -> V + alpha (-1 - V)
    linear = learn(2, run=run, episodes=2, alpha=0.5, alpha_final=0.25, alpha_linear=True)[0][1]
    assert linear == pytest.approx(-0.5 + 0.375 * -0.5)  # alpha 0.5, then 0.375
    geometric = learn(2, run=run, episodes=2, alpha=0.5, alpha_final=0.125)[0][1]
    assert geometric == pytest.approx(-0.5 + 0.25 * -0.5)  # alpha 0.5, then 0.25


def test_temporal_coherence_by_hand(run):
    # V0(1) <- -1 again and again, alpha 1/2, N = A = 0 at first would be 0/0, so both start at 1.
    # error -1:   rate 1,   V = -1/2, N = 0,    A = 2
    # error -1/2: rate 0,   V = -1/2, N = -1/2, A = 5/2
    # error -1/2: rate 1/5, V = -1/2 - 1/20
    coherence = Coherence("id", init=1.0)
    V = [
        learn(2, run=run, episodes=n, alpha=0.5, alpha_final=0.5, coherence=coherence)[0][1]
        for n in (1, 2, 3)
    ]
    assert V == pytest.approx([-0.5, -0.5, -0.55])
    # TC-EXP: the rate is exp(beta (x - 1)): 1, exp(-beta), ...
    coherence = Coherence("exp", beta=2.0, init=1.0)
    V = [
        learn(2, run=run, episodes=n, alpha=0.5, alpha_final=0.5, coherence=coherence)[0][1]
        for n in (1, 2)
    ]
    assert V == pytest.approx([-0.5, -0.5 - 0.25 * np.exp(-2.0)], rel=1e-5)


def test_coherence_accumulates_the_error_or_the_change(run):
    # with tanh the recommended change is delta * (1 - V^2); two updates tell them apart
    def sums(accumulate):
        game = Countdown(2, 2)
        coherence = Coherence("id", init=1.0, accumulate=accumulate)
        net = make_net(game.facts(), [[0]], coherence=coherence)
        td = TD(alpha=0.5, alpha_final=0.5, epsilon=0.0)
        rng, work = np.array([1], np.uint64), make_work(game.facts(), net)
        run(game, net, td, work, 0, 2, 2, rng, np.zeros(3))
        return net.weights.reshape(-1, 3)[1]

    # first: V = 0, delta = -1: w = -1/2. second: V = tanh(-1/2)
    v = np.tanh(-0.5)
    assert sums("error")[2] == pytest.approx(1 + 1 + (1 + v))
    assert sums("change")[2] == pytest.approx(1 + 1 + (1 + v) * (1 - v * v))


def test_backwards_the_end_reaches_every_move_in_one_episode(run):
    # 0 makes 7, 5, 3, 1 and 1 makes 6, 4, 2, 0 and wins. FARL: V0(1) -> -1, V1(0) -> 0. Then V0(3),
    # V0(5), V0(7) -> -1 in turn, V1(2) -> 1 with the reward, V1(4), V1(6) -> V1(2) = 1
    V = learn(8, run=run, backward=100)
    assert V == [[0, -1, 0, -1, 0, -1, 0, -1, 0], [0, 0, 1, 0, 1, 0, 1, 0, 0]]


def test_backwards_in_threes(run):
    # 0 makes 7, 1 makes 6, 0 makes 5, 1 makes 4, 0 makes 3: all learn, from values that are 0, and
    # 3 and 4 wait. At the end V0(1) -> -1, V0(3) -> -1; 1 has made 4, 2, 0: V1(2) -> 1, V1(4) -> 1
    V = learn(8, run=run, backward=3)
    assert V == [[0, -1, 0, -1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 1, 0, 0, 0, 0]]


def test_backwards_without_farl_the_losers_hear_nothing(run):
    off = {"farl_others": False, "farl_terminal": False}
    V = learn(8, run=run, backward=100, **off)
    assert V == [[0] * 9, [0, 0, 1, 0, 1, 0, 1, 0, 0]]


def test_backwards_with_discount_and_three_players(run):
    # 0 makes 6, 3, 0 and wins: V0(3) -> 1, V0(6) -> V0(3) / 2; 1 made 5, 2 and 2 made 4, 1
    V = learn(7, players=3, run=run, backward=100, gamma=0.5)
    assert V[0] == [0, 0, 0, 1, 0, 0, 0.5, 0]
    assert V[1] == [0, 0, -0.5, 0, 0, -0.25, 0, 0]
    assert V[2] == [0, -1, 0, 0, -0.5, 0, 0, 0]


def test_backwards_from_the_start_state(run):
    # D2: player 1, who moves last, has s_0 = 4 as an afterstate; V1(4) -> V1(2) = 1
    V = learn(4, run=run, backward=100, learn_from_start=True)
    assert V == [[0, -1, 0, -1, 0], [0, 0, 1, 0, 1]]


@pytest.mark.parametrize("more", [{}, {"learn_from_random": False}, {"afterstates": False}])
def test_backwards_two_at_a_time_is_forwards(more):
    """An afterstate and the one before: only the end is put off, and all bits are the same."""
    game = tafl.game("2048")
    nets = []
    for backward in (0, 2):
        net = make_net(game.facts, [[0, 1, 2, 3], [0, 1, 4, 5]], tanh=False)
        usual = {"zero_next": True, "farl_terminal": False, "backward": backward}
        td = TD(epsilon=0.2, epsilon_final=0.2, **usual, **more)
        work = make_work(game.facts, net, 1, backward)
        train_td(game.rules, net, td, work, 0, 20, 20, np.array([7], np.uint64), np.zeros(2))
        nets.append(net.weights)
    assert np.count_nonzero(nets[0]) > 100
    assert nets[0].tobytes() == nets[1].tobytes()


@pytest.mark.parametrize("algo", KERNELS)
def test_an_episode_begins_at_a_position_of_the_one_before_each_as_likely(algo):
    # four stones: after 4, 3, 2 or 1 of them an episode has as many moves
    game, td = Countdown(4, 2), TD(start_again=1.0)
    net = make_net(game.facts(), [[0]], by_action=algo != "td")
    kept, third = Counter(), Counter()
    for seed in range(400):
        work, rng, totals = make_work(game.facts(), net), np.array([seed], np.uint64), np.zeros(3)
        moves = []
        for episode in range(3):
            KERNELS[algo](game, net, td, work, episode, 1, 3, rng, totals)
            moves.append(totals[0] - sum(moves))
            stones, player = work.middle
            assert 1 <= stones <= moves[-1]
            assert player == (4 - stones) % 2
            if episode == 0:
                first = stones
        assert moves[:2] == [4, first]
        kept[first] += 1
        third[moves[2]] += 1
    assert all(abs(kept[stones] - 100) < 5 * 8.7 for stones in (1, 2, 3, 4))
    # the third begins at one stone after (1), (2, 1), (3, 1), (4, 1): 1/4 (1 + 1/2 + 1/3 + 1/4)
    assert abs(third[1] - 208) < 5 * 10


def test_some_episodes_begin_in_the_middle_and_the_others_at_the_start():
    game, net = Countdown(40, 2), make_net(Countdown(40, 2).facts(), [[0]])
    work, rng, moves = make_work(game.facts(), net), np.array([3], np.uint64), []
    for episode in range(400):
        totals = np.zeros(3)
        train_td(game, net, TD(start_again=0.25), work, episode, 1, 400, rng, totals)
        moves.append(totals[0])
    again = sum(m < 40 for m in moves)
    assert abs(again - 100) < 5 * 8.7
