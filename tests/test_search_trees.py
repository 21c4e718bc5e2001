"""MCTS and PUCT: solved openings, forced results, chance, several players, and equal bits."""

import json
import time
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

import tafl
from gamble import Gamble
from oracles import read
from tafl.agents import trees
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import NPlyAgent
from tafl.agents.trees import MCTSAgent, PUCTAgent
from tafl.arena import play_on
from tafl.cli.main import main
from tafl.core.learn.adapt import TD
from tafl.core.ntuple.net import make_net
from tafl.core.search.foresee import make_trained
from tafl.core.search.mcts import mcts
from tafl.core.search.puct import puct_search
from tafl.core.search.tree import make_tree
from tafl.rules import Facts, rules

PARTS = ("states", "degrees", "solved", "edges", "actions", "children", "visits", "totals")


def grown(tree):
    """The used part of a tree."""
    nodes, edges = tree.used.tolist()
    sizes = dict(zip(PARTS, [nodes] * 4 + [edges] * 4, strict=True))
    # terminal and unseen nodes have no edges
    some = tree.degrees[:nodes] > 0
    return {
        name: (getattr(tree, name)[:n][some] if name == "edges" else getattr(tree, name)[:n])
        for name, n in sizes.items()
    }


def unsure(game, noise, seed=1):
    """An agent whose tables hold random numbers."""
    net = make_net(game.facts, [list(range(game.facts.cells))], tanh=False)
    net.weights[:] = np.random.default_rng(seed).normal(0, noise, net.weights.size)
    return LearnedAgent(game, net, TD(), seed)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_mcts_opens_hex_with_a_winning_move(size):
    game = tafl.game("hex", size=size)
    openings = "".join(json.loads(read("hex_openings.json"))["openings"][str(size)])
    acts = {tafl.agent("mcts(iterations=10000)", game, seed).act(game.start()) for seed in range(5)}
    assert {openings[act] for act in acts} == {"W"}


def test_mcts_knows_forced_results_for_every_player():
    """With one stone in each heap nobody has a choice that matters: what each of three gets."""
    game = tafl.game("nim3p")
    for mover in range(3):
        state = game.position([1, 1, 1], player=mover)
        values = tafl.agent("mcts(iterations=200)", game).values(state)
        assert values == pytest.approx({0: 1.0, 1: 1.0, 2: 1.0})  # the third takes the last one
        state = game.position([0, 1, 1], player=mover)
        assert tafl.agent("mcts(iterations=200)", game).values(state) == pytest.approx(
            {1: 0.2, 2: 0.2}
        )


def test_mcts_finds_the_mean_over_chance():
    """The last of three has 1 point, the others 2 and 3: one more is not enough, a risk may be."""
    game = tafl.game(Gamble, players=3, turns=1)
    state = game.start()
    state.words[:] = [2, 3, 1, 0, 2]
    values = MCTSAgent(game, seed=1, iterations=20000).values(state)
    assert values[0] == 0.0
    assert values[1] == pytest.approx(0.2, abs=0.02)  # 6 points win, 3 are as many as another has


def test_mcts_tries_everything_once_before_anything_twice():
    game = tafl.game("hex")
    agent = MCTSAgent(game, seed=3, iterations=36)
    agent.act(game.start())
    tree = agent.tree
    assert tree.visits[:36].tolist() == [1] * 36
    assert sorted(tree.actions[:36].tolist()) == list(range(36))
    assert tree.actions[:36].tolist() != list(range(36))  # in random order
    assert len(MCTSAgent(game, iterations=5).values(game.start())) == 5


def test_mcts_chooses_by_mean_or_by_visits():
    game = tafl.game("hex")
    state = game.start()
    for final, numbers in (("mean", "means"), ("visits", "visits")):
        agent = MCTSAgent(game, seed=2, iterations=300, final=final)
        act, n = agent.act(state), int(agent.tree.degrees[0])
        of = dict(
            zip(agent.tree.actions[:n].tolist(), getattr(agent.tree, numbers)[:n], strict=True)
        )
        assert of[act] == max(of.values())


def test_mcts_keeps_to_its_depths():
    """A tree of two plies has the edges of the root and of its children; short games end in 0."""
    game = tafl.game("hex")
    agent = MCTSAgent(game, iterations=3000, tree_depth=2)
    agent.act(game.start())
    assert agent.tree.used[0] <= 1 + 36 + 36 * 35
    assert agent.tree.used[1] == 36 + 36 * 35
    assert set(MCTSAgent(game, iterations=50, rollout_depth=3).values(game.start()).values()) == {
        0.0
    }


def test_a_full_tree_goes_on_searching(monkeypatch):
    monkeypatch.setattr(trees, "MOST_NODES", 40)
    monkeypatch.setattr(trees, "MOST_EDGES", 200)
    game = tafl.game("hex")
    agent = MCTSAgent(game, iterations=500)
    assert agent.act(game.start()) in range(36)
    tree = agent.tree
    assert tree.used[0] <= 40
    assert tree.used[1] <= 200


def test_mcts_by_the_clock():
    game = tafl.game("hex")
    agent = tafl.agent("mcts(seconds=0.1)", game)
    agent.act(game.start())  # compiles
    began = time.perf_counter()
    agent.act(game.start())
    assert 0.1 <= time.perf_counter() - began < 5
    assert agent.tree.visits[:36].sum() > 1000


@pytest.mark.parametrize("spec", ["tictactoe", Gamble])
def test_compiled_equals_plain_mcts(spec):
    game = tafl.game(spec)
    agent, found = MCTSAgent(game), []
    for run in (mcts, mcts.python):
        tree, rng = make_tree(game.facts, 200, 2000, 10), np.array([7], np.uint64)
        with np.errstate(over="ignore"):
            run(game.rules, tree, agent.uct, game.start().words, 150, rng)
        found.append((grown(tree), rng))
    for name in PARTS:
        np.testing.assert_allclose(found[0][0][name], found[1][0][name], rtol=1e-12, err_msg=name)
    assert found[0][1] == found[1][1]


@pytest.mark.parametrize("spec", ["nim3p", "tictactoe", Gamble])
def test_compiled_equals_plain_puct(spec):
    game = tafl.game(spec)
    bare = unsure(game, 0.3)
    agent, found = PUCTAgent(game, bare), []
    for run in (puct_search, puct_search.python):
        tree, rng = make_tree(game.facts, 100, 2000, 50), np.array([7], np.uint64)
        memory = make_trained(game.facts, bare.net, bare.td, bare.work), tree, agent.puct
        with np.errstate(over="ignore"):
            run(game.rules, *memory, game.start().words, 60, rng)
        found.append((grown(tree), rng))
    for name in PARTS:
        np.testing.assert_allclose(found[0][0][name], found[1][0][name], rtol=1e-6, err_msg=name)
    assert found[0][1] == found[1][1]


def test_puct_begins_with_what_the_agent_says():
    """An action that was not tried is worth what the agent says, and its favourite comes first."""
    game = tafl.game("nim3p")
    bare = unsure(game, 0.3)
    agent = PUCTAgent(game, bare, iterations=1)
    said, values = bare.values(game.start()), agent.values(game.start())
    favourite = max(said, key=said.__getitem__)
    assert agent.act(game.start()) == favourite
    assert values | {favourite: 0.0} == said | {favourite: 0.0}
    priors = agent.tree.extra[:15]
    assert priors.sum() == pytest.approx(1)
    width = max(said.values()) - min(said.values())
    assert priors.max() / priors.min() == pytest.approx(np.e)  # temperature 1, range 1
    assert width > 0


@pytest.mark.parametrize(
    ("name", "cells"), [("nim3p", [1, 2, 1]), ("tictactoe", [1, 2, 1, 2, 1, 2, 0, 0, 0])]
)
def test_puct_comes_to_the_exact_values_of_a_small_tree(name, cells):
    """Whatever the agent says, in a tree that is searched to the end the exact best action wins."""
    game = tafl.game(name)
    bare = unsure(game, 0.3)
    state = game.position(cells, player=0)
    exact = tafl.agent("maxn(depth=9)", game).values(state)
    agent = PUCTAgent(game, bare, iterations=4000)
    act = agent.act(state)
    assert exact[act] == max(exact.values())
    assert agent.values(state)[act] == pytest.approx(exact[act], abs=0.05)


def random_positions(game, plies, count, seed):
    """Positions of random games that are not the end."""
    rng, found = np.random.default_rng(seed), []
    while len(found) < count:
        state = game.start()
        while not state.over and len(state.history) < plies:
            state.play(int(rng.choice(state.legal_actions)))
        if not state.over:
            found.append(state)
    return found


@pytest.mark.parametrize(("name", "plies"), [("tictactoe", 3), ("nim3p", 4)])
def test_puct_solves_what_it_can_and_stops_there(name, plies):
    """Whatever the agent says, a solved root has the exact value, and an action that gets it."""
    game = tafl.game(name)
    exact = tafl.agent("maxn(depth=15)", game)
    agent = PUCTAgent(game, unsure(game, 0.3), iterations=20_000, c=0.5)
    for state in random_positions(game, plies, 25, seed=1):
        act, values = agent.act(state), exact.values(state)
        tree = agent.tree
        assert tree.solved[0]
        assert tree.through[0] < 20_000
        assert tree.exact[0, state.player] == pytest.approx(max(values.values()))
        assert values[act] == pytest.approx(max(values.values()))
        assert agent.values(state)[act] == pytest.approx(values[act])


def test_puct_wins_at_once_and_plays_no_action_that_is_lost_for_certain():
    game = tafl.game("tictactoe")
    exact, agent = tafl.agent("exact", game), PUCTAgent(game, unsure(game, 0.05), iterations=30)
    for state in random_positions(game, 4, 60, seed=2):
        act, values, tree = agent.act(state), exact.values(state), agent.tree
        ends = [state.afterstate(a) for a in state.legal_actions]
        if any(after.over and after.scores[state.player] == 1 for after in ends):
            assert state.afterstate(act).over
        child = tree.children[tree.actions[: tree.degrees[0]].tolist().index(act)]
        if tree.solved[child] and max(values.values()) > -1:
            assert tree.exact[child, state.player] > -1


def test_puct_solves_nothing_where_time_or_chance_matters():
    game = tafl.game("tictactoe")
    bare = unsure(game, 0.3)
    patient = PUCTAgent(game, LearnedAgent(game, bare.net, TD(gamma=0.9), 1), iterations=2000)
    patient.act(random_positions(game, 6, 1, seed=3)[0])
    assert not patient.tree.solved[: patient.tree.used[0]].any()
    gamble = tafl.game(Gamble)
    lucky = PUCTAgent(gamble, unsure(gamble, 0.3), iterations=500)
    lucky.act(gamble.start())
    assert not lucky.tree.solved[: lucky.tree.used[0]].any()


def test_puct_may_trust_its_agent():
    """With all its trust it plays what the agent says, unless it knows better for certain."""
    game = tafl.game("tictactoe")
    bare, exact = unsure(game, 0.3), tafl.agent("exact", game)
    plain, agent = (PUCTAgent(game, bare, iterations=40, trust=t) for t in (0.0, 1000.0))
    certain = set()
    for state in random_positions(game, 4, 40, seed=4):
        said, values, act = bare.values(state), exact.values(state), agent.act(state)
        assert agent.values(state) == plain.values(state)
        n = int(agent.tree.degrees[0])
        visits = dict(zip(agent.tree.actions[:n].tolist(), agent.tree.visits[:n], strict=True))
        certain.add(bool(agent.tree.solved[0]))
        if agent.tree.solved[0]:
            assert values[act] == max(values.values())
        else:
            assert said[act] == max(said[a] for a in said if visits[a])
    assert certain == {True, False}


@pytest.mark.parametrize("search", [NPlyAgent, PUCTAgent])
def test_search_around_an_agent_beats_the_agent(search):
    """Three players, in each role against two of the bare agents: without search it is 1.2 / 3."""
    game = tafl.game("nim3p")
    bare = unsure(game, 0.3)
    agent = search(game, bare)
    starts = [game.position(heaps) for heaps in product(range(2, 6), repeat=3)]
    scores = []
    for role in range(3):
        seats = [bare, bare]
        seats.insert(role, agent)
        scores += [play_on(seats, start).scores[role] for start in starts]
    error = np.std(scores) / np.sqrt(len(scores))
    assert np.mean(scores) - 4 * error > 0.4


@pytest.mark.parametrize("name", ["nim3p", "tictactoe"])
def test_the_same_seed_gives_the_same_moves(name):
    game = tafl.game(name)
    bare = unsure(game, 0.3)

    def moves(seed):
        agents = [MCTSAgent(game, seed, iterations=100), PUCTAgent(game, bare, seed, iterations=50)]
        state, played = game.start(), []
        while not state.over:
            played.append(agents[len(played) % 2].act(state))
            state.play(played[-1])
        return played

    assert moves(1) == moves(1)
    assert len({tuple(moves(seed)) for seed in range(6)}) > 1


def test_bench_measures_search(capsys):
    assert main(["bench", "tictactoe", "--search", "--seconds", "0.05", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["games"]
    assert row["game"] == "tictactoe"
    assert row["simulations_per_second"] > 1000
    assert 0 < document["maxn_seconds"] < 10


def paranoid_value(state, root):
    """What player root gets if all others only want it to get little."""
    if state.over:
        return state.scores[root]
    values = [paranoid_value(after(state, action), root) for action in state.legal_actions]
    return max(values) if state.player == root else min(values)


def after(state, action):
    copy = state.copy()
    copy.play(action)
    return copy


@pytest.mark.parametrize("heaps", [[1, 1, 1], [2, 1, 1], [2, 2, 0], [3, 2, 0], [2, 2, 1]])
@pytest.mark.parametrize("mover", [0, 1, 2])
def test_a_paranoid_search_expects_the_worst_of_all_others(heaps, mover):
    game = tafl.game("nim3p")
    state = game.position(heaps, player=mover)
    agent = PUCTAgent(game, unsure(game, 0.3), 1, iterations=5000, c=5.0, paranoid=1.0)
    agent.act(state)
    assert agent.tree.solved[0]
    assert agent.tree.exact[0, mover] == paranoid_value(state, mover)


def test_against_one_opponent_all_are_paranoid():
    game = tafl.game("tictactoe")
    for moves in ("", "b2", "b2 a1", "a1 b1 c1"):
        state = tafl.position(f"tictactoe: {moves}") if moves else game.start()
        found = [
            PUCTAgent(game, unsure(game, 0.3), 1, iterations=300, paranoid=share).values(state)
            for share in (0.0, 1.0)
        ]
        assert found[0] == found[1]


@rules
class Kingmaker(NamedTuple):
    """state = [moves, who wins]; player 0 takes .3, or lets player 1 choose who gets 1: 0 or 2."""

    unused: int = 0

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[0]

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[1] = 1 if state[0] == 0 and action == 0 else 2 + action
        state[0] = 2 if state[1] == 1 else state[0] + 1

    def over(self, state):
        return state[0] == 2

    def score(self, state, player):
        if state[0] < 2 or player == 1:
            return 0.0
        if state[1] == 1:
            return 0.3 if player == 0 else 0.0
        return 1.0 if player == 2 * (state[1] - 2) else 0.0

    def cell(self, state, c):
        return state[c]

    def facts(self):
        return Facts(players=3, actions=2, cells=2, values=4, words=2, score_range=(0.0, 1.0))

    def draw(self, state):
        return str(state)


@pytest.mark.parametrize(("paranoid", "expected"), [(0.0, [0.5, 0.0, 0.5]), (1.0, [0.3, 0.0, 0.0])])
def test_what_a_player_does_not_mind_may_go_either_way(paranoid, expected):
    """Player 1 gets nothing: each of the others wins half of the time, or player 0 never does."""
    game = tafl.game(Kingmaker)
    bare = unsure(game, 0.3)
    agent = PUCTAgent(game, bare, c=5.0, paranoid=paranoid)
    memory = make_trained(game.facts, bare.net, bare.td, bare.work), agent.tree, agent.puct
    with np.errstate(over="ignore"):
        puct_search.python(game.rules, *memory, game.start().words, 40, np.array([1], np.uint64))
    assert agent.tree.solved[0]
    assert agent.tree.exact[0].tolist() == expected
