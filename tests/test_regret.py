"""Regret matching: the pseudocode, exact figures of Kuhn poker, files, and what is refused."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
import pytest
from safetensors.numpy import load_file

import tafl
from coin import Guess
from tafl.agents.random import RandomAgent
from tafl.agents.regret import RegretAgent
from tafl.boards.game import Game
from tafl.core.games.kuhn import Kuhn
from tafl.core.games.rules import rules_like
from tafl.core.learn.regret import Regret, make_moves, train_regret
from tafl.core.learn.store import (
    AVERAGE,
    CRITIC,
    REGRETS,
    find_rows,
    make_store,
    rows_used,
    write_key,
)
from tafl.core.ntuple.net import make_net
from tafl.core.random import uniform
from tafl.errors import FullStore, InputError, LongEpisode
from tafl.numbers import number
from tafl.settings.build import make_regret
from tafl.settings.presets import compose
from tafl.training.progress import shown

GAME = Game(Kuhn(), "kuhn(players=2)")
USUAL = Regret()
ALWAYS = ("rng.0", "totals.0")  # in checkpoints
WHOLE = [[0, 1, 2, 3, 4]]  # an n-tuple of all cells
NTUPLES = {"store": "n-tuples"}
EMPTY = make_net(GAME.facts, [], symmetries=False, tables=False)


def trained(rules, way=USUAL, episodes=200, seed=3, tuples=(), kernel=train_regret.python):
    """Return a store after some episodes of a kernel."""
    facts = rules.facts()
    net = make_net(facts, list(tuples), symmetries=False, tables=False)
    store, rng = make_store(facts, net, 1000), np.array([seed], np.uint64)
    with np.errstate(over="ignore"):
        totals = np.zeros(1 + facts.players)
        kernel(rules, store, way, make_moves(facts, net), 0, episodes, rng, totals)
    return store


def rows(game, store):
    """Return what a store has of each information state, by what its player sees."""
    found, work = {}, make_moves(game.facts, store.net)

    def walk(words):
        if game.call("over", words):
            return
        player = game.call("player", words)
        seen = tuple(game.call("sees", words, player, c) for c in range(game.facts.cells))
        with np.errstate(over="ignore"):
            known = find_rows(game.rules, store, words, False, work, work.rows[0])
        if known:
            found[player, seen] = store.tables[work.rows[0]].sum(axis=0)
        for action in range(game.facts.actions):
            after = words.copy()
            game.call("play", after, action)
            walk(after)

    deal = np.zeros(game.facts.words, np.int64)
    for i in range(game.rules.outcomes(deal)):
        dealt = deal.copy()
        game.rules.outcome(dealt, i)
        walk(dealt)
    return found


def pseudocode(game, way, episodes, seed):
    """Regret matching with dictionaries, from the description in regret.py, action by action."""
    players, actions = game.facts.players, range(game.facts.actions)
    q, regret, average = (defaultdict(lambda: np.zeros(len(actions))) for _ in range(3))
    rng = np.array([seed], np.uint64)

    def drawn(policy):
        left = uniform(rng)
        for a in actions:
            left -= policy[a]
            if left < 0:
                return a
        return max(a for a in actions if policy[a] > 0)

    for episode in range(episodes):
        learner, moves = episode % players, []
        state = np.zeros(game.facts.words, np.int64)
        game.call("start", state)
        game.call("chance", state, rng)
        while not game.call("over", state):
            p = game.call("player", state)
            s = p, tuple(game.call("sees", state, p, c) for c in range(game.facts.cells))
            total = regret[s].sum()
            pi = regret[s] / total if total > 0 else np.full(len(actions), 1 / len(actions))
            mu = (1 - way.epsilon) * pi + way.epsilon / len(actions) if p == learner else pi
            a = drawn(mu)
            if p == learner:
                moves.append((s, a, pi.copy(), mu, game.call("score", state, p)))
            else:
                average[s] += (episode + 1) * pi
            game.call("play", state, a)
            game.call("chance", state, rng)
        later, value = game.call("score", state, learner), 0.0
        if not way.farl and moves and game.call("player", state) != learner:
            s, _, pi, _, later = moves.pop()
            value = pi @ q[s]
        for s, a, pi, mu, score in reversed(moves):
            target = later - score + way.gamma * value
            corrected = q[s].copy()
            corrected[a] += (target - q[s][a]) / max(mu[a], way.floor)
            value = pi @ corrected
            regret[s] = np.maximum(0, regret[s] + corrected - value)
            q[s][a] += way.alpha * (target - q[s][a])
            later = score
    return q, regret, average


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("farl", [True, False])
def test_the_kernel_does_what_the_pseudocode_says(farl, players):
    game, way = Game(Kuhn(players), "kuhn"), Regret(farl=farl, gamma=0.9)
    store = trained(game.rules, way, 400)
    with np.errstate(over="ignore"):
        expected = pseudocode(game, way, 400, seed=3)
    found = rows(game, store)
    assert len(found) == rows_used(store) > 4 * players
    for s, row in found.items():
        for kind, table in zip((CRITIC, REGRETS, AVERAGE), expected, strict=True):
            assert row[kind] == pytest.approx(table[s], abs=1e-9), s


def test_compiled_and_uncompiled_learning_agree():
    uncompiled, compiled = (
        trained(GAME.rules, episodes=300, kernel=k) for k in (train_regret.python, train_regret)
    )
    assert (compiled.keys == uncompiled.keys).all()
    assert compiled.tables == pytest.approx(uncompiled.tables, abs=1e-9)


def test_an_n_tuple_of_all_cells_learns_what_exact_states_learn():
    exact, whole = trained(GAME.rules), trained(GAME.rules, tuples=WHOLE)
    assert rows(GAME, exact).keys() <= rows(GAME, whole).keys()
    for s, row in rows(GAME, exact).items():
        assert (rows(GAME, whole)[s] == row).all()


class BlindKuhn(NamedTuple):
    """Kuhn poker whose `cell` says nothing."""

    players: int = 2

    def cell(self, state, c):
        return 0

    def sees(self, state, player, c):
        return Kuhn.sees(Kuhn(self.players), state, player, c)


@pytest.mark.parametrize("tuples", [(), WHOLE])
def test_it_reads_only_what_players_see(tuples):
    blind = rules_like(Kuhn)(BlindKuhn)()
    honest, other = trained(GAME.rules, tuples=tuples), trained(blind, tuples=tuples)
    assert honest.tables.any()
    assert (honest.tables == other.tables).all()


@pytest.mark.parametrize("name", ["tictactoe", "connectfour", "hex(size=3)"])
def test_equal_rows_are_equal_states(name):
    game = tafl.game(name)
    net = make_net(game.facts, [], symmetries=False, tables=False)
    store, work, seen = make_store(game.facts, net, 5000), make_moves(game.facts, net), {}
    agent = RandomAgent(game, 1)
    with np.errstate(over="ignore"):
        for seed in range(60):
            state = game.start(seed)
            while not state.over:
                find_rows(game.rules, store, state.words, True, work, work.rows[0])
                key = state.player, *state.cells
                assert seen.setdefault(key, int(work.rows[0, 0])) == work.rows[0, 0]
                state.play(agent.act(state))
    assert sorted(seen.values()) == list(range(rows_used(store)))
    keys = np.zeros((2, store.keys.shape[1]), np.uint64)
    for key, player in zip(keys, (0, 1), strict=True):
        write_key(game.rules, store, state.words, player, key)
    assert (keys[0] != keys[1]).any()


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory):
    """Train Kuhn poker with FARL and without."""
    folder, runs = tmp_path_factory.mktemp("kuhn"), {}
    for farl in (True, False):
        options = {"episodes": 1_000_000, "seed": 1, "evaluation": {"every": 0}}
        runs[farl] = tafl.train(Kuhn, farl=farl, out=folder / str(farl), **options)
    return runs


def test_kuhn_poker_converges_to_its_value(kuhn):
    found = tafl.exploitability(kuhn[True].agent)
    assert found.nash_conv < 0.012
    assert found.players[0].value == pytest.approx(-1 / 18, abs=0.006)
    state = GAME.from_words([2, 1, 1, 3])  # player 1 has the highest card and is bet against
    state = kuhn[True].game.from_words(state.words)
    assert kuhn[True].agent.policy(state)[1] > 0.99


def test_without_final_adaptation_it_does_not(kuhn):
    assert tafl.exploitability(kuhn[False].agent).nash_conv > 0.5


def test_an_agent_plays_its_policy_and_says_what_actions_are_worth(kuhn):
    agent, game = kuhn[True].agent, kuhn[True].game
    state = game.from_words([0, 0, 1, 2])
    policy, values = agent.policy(state), agent.values(state)
    assert sum(policy.values()) == pytest.approx(1)
    assert 0.05 < policy[1] < 0.35  # an equilibrium bluffs with the lowest card up to 1/3
    played = np.mean([agent.act(state) for _ in range(2000)])
    assert played == pytest.approx(policy[1], abs=0.04)
    assert values[0] == pytest.approx(-1, abs=0.05)  # who passes with the lowest card loses it


def test_an_agent_in_its_own_file_is_the_same(kuhn, tmp_path):
    tafl.save(kuhn[True], tmp_path / "kuhn.agent")
    here, there = kuhn[True].agent, tafl.load(tmp_path / "kuhn.agent")
    for card in (1, 2, 3):
        state = here.game.from_words([0, 0, card, card % 3 + 1])
        assert here.policy(state) == there.policy(state)
        assert here.values(state) == there.values(state)
    assert tafl.agent(f"run:{kuhn[True].path}").policy(state) == here.policy(state)


@pytest.mark.parametrize("store", ["exact", "n-tuples"])
def test_an_interrupted_run_ends_with_the_same_bits(store, tmp_path):
    options = {"seed": 5, "regret": {"store": store}, "evaluation": {"every": 0}}
    whole = tafl.train(Kuhn, episodes=3000, out=tmp_path / "whole", **options)
    tafl.train(Kuhn, episodes=1001, out=tmp_path / "parts", **options)
    parts = tafl.resume(tmp_path / "parts", episodes=3000)
    one, other = (load_file(run.checkpoint()[0]) for run in (whole, parts))
    assert one.keys() == other.keys() == {"keys", "critic", "regrets", "average", *ALWAYS}
    assert all((one[name] == other[name]).all() for name in one)


def test_an_unknown_information_state_is_uniform(tmp_path):
    run = tafl.train("connectfour", algo="regret", episodes=3, seed=1, out=tmp_path / "run")
    state = run.game.start()
    for move in "ggggggf":
        state.play(move)
    assert run.agent.policy(state) == dict.fromkeys(range(6), 1 / 6)
    assert run.agent.values(state) == dict.fromkeys(range(6), 0.0)


def test_a_store_that_is_too_small_names_its_setting(tmp_path):
    with pytest.raises(FullStore, match=r"regret\.states = 5; raise it"):
        tafl.train(Kuhn, episodes=100, regret={"states": 5}, out=tmp_path / "run")


def test_an_episode_that_is_too_long_is_refused(tmp_path):
    name = "nim(heaps=10,stones=255,take=1)"
    with pytest.raises(LongEpisode, match="more than 1,000 moves"):
        tafl.train(name, algo="regret", episodes=2, out=tmp_path / "run")


def test_hidden_information_is_learned_by_regret_matching():
    assert compose(GAME).algo == "regret"
    assert compose(tafl.game("tictactoe")).algo == "td"


def test_greedy_learners_warn_of_hidden_information(tmp_path, caplog):
    tafl.train(Kuhn, algo="sarsa", episodes=10, out=tmp_path / "run")
    assert "greedy self-play does not mix its actions" in caplog.text
    caplog.clear()
    tafl.train(Kuhn, episodes=10, out=tmp_path / "regret")
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"threads": 2, "device": "cuda"}, "threads = 2: must be 1 with regret and device = cuda"),
        ({"td": {"alpha": 0.5}}, "td.alpha has no effect with regret"),
        (
            {"algo": "regret", "regret": NTUPLES, "network": {"kind": "mlp"}},
            "kind has no effect with",
        ),
        ({"regret": NTUPLES, "network": {"shared": True}}, "shared has no effect with"),
        ({"td": {"lambda": 0.5}}, "td.lambda has no effect with regret"),
        ({"start": {"plies": 2}}, "start.plies has no effect with regret"),
        ({"coherence": {"transfer": "id"}}, "coherence.transfer has no effect with regret"),
        ({"network": {"number": 2}}, "network.number has no effect with regret and regret.store"),
        ({"algo": "td", "regret": {"alpha": 0.5}}, "regret.alpha has no effect with td"),
        ({"regret": {"epsilon": 0.0}}, "regret.epsilon = 0.0: must be greater than 0"),
    ],
)
def test_settings_without_effect_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        compose(GAME, overrides=changes)


def test_settings_reach_the_kernel():
    changes = {"regret": {"alpha": 0.1, "epsilon": 0.2, "floor": 0.3}, "td": {"gamma": 0.9}}
    found = make_regret(compose(GAME, overrides=changes))
    assert found == Regret(alpha=0.1, epsilon=0.2, floor=0.3, gamma=0.9, farl=True)


def test_a_search_around_an_average_policy_is_refused(tmp_path):
    run = tafl.train("tictactoe", algo="regret", episodes=10, out=tmp_path / "run")
    with pytest.raises(InputError, match="puct needs an agent with a network of values"):
        tafl.agent(f"puct(run:{run.path})")


def test_evaluations_measure_exploitability(tmp_path):
    evaluation = {"exploitability": True, "every": 20_000, "games": 2}
    run = tafl.train(Kuhn, episodes=40_000, seed=2, evaluation=evaluation, out=tmp_path / "run")
    first, last = (line["results"][-1] for line in run.metrics)
    found = tafl.exploitability(run.agent)
    assert last["opponent"] == "best-response"
    assert last["mean"] == -found.exploitability > first["mean"]
    assert last["roles"] == [-player.gain for player in found.players]
    assert f"; exploitability {number(found.exploitability)}" in shown(run.metrics[-1])
    (curve,) = tafl.compare(run.path, opponent="best-response")[0].curves
    assert curve.means == [first["mean"], last["mean"]]


def test_exploitability_of_a_large_game_is_refused_before_a_run_begins(tmp_path):
    with pytest.raises(InputError, match=r"evaluation\.exploitability: 2048"):
        tafl.train("2048", evaluation={"exploitability": True}, out=tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_threads_share_the_tables_and_lose_no_information_state(tmp_path):
    """Bits differ from run to run, but each state has one row, and all episodes are played."""
    options = {"seed": 5, "threads": 4, "evaluation": {"every": 0}}
    run = tafl.train("liarsdice(sides=3)", episodes=40_000, out=tmp_path / "run", **options)
    arrays = load_file(run.checkpoint()[0])
    assert {f"rng.{k}" for k in range(4)} <= arrays.keys()
    keys = arrays["keys"].reshape(-1, make_store(run.game.facts, EMPTY, 1).keys.shape[1])
    states, found = 3 * 2**6, len(np.unique(keys, axis=0))  # a die, and which bids were made
    assert 0.95 * states < found <= states  # some are hardly ever reached
    assert found <= len(keys) <= 1.2 * found
    assert tafl.exploitability(run.agent).nash_conv < 0.4
    more = tafl.resume(run.path, episodes=60_000)
    assert more.finished


def test_a_full_store_ends_all_threads(tmp_path):
    with pytest.raises(FullStore, match=r"regret\.states = 5; raise it"):
        tafl.train(Kuhn, episodes=1000, threads=3, regret={"states": 5}, out=tmp_path / "run")


def test_a_single_player_learns_too():
    """Its average policy takes the sure points, as the coin that it may guess is hidden."""
    store = trained(Guess(), episodes=3000)
    agent = RegretAgent(Game(Guess(), "guess"), store, 1)
    assert agent.policy(agent.game.start())[0] > 0.8
