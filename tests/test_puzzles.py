"""Puzzles: beam search finds shortest ways, and episodes begin near the goal."""

import numpy as np
import pytest

import tafl
from tafl.agents.beam import BeamAgent
from tafl.agents.learned import LearnedAgent
from tafl.core.compile.translate import Copies
from tafl.core.learn.adapt import TD, begin, reach
from tafl.core.learn.work import make_work
from tafl.core.ntuple.net import make_net
from tafl.core.search.beam import beam_search
from tafl.errors import InputError
from tafl.training.learner import Learner
from test_gpu import block_of, small

SLIDING = tafl.game("sliding(rows=2,cols=3)")


def ignorant(game):
    """An agent whose weights are all 0: each move costs a point, and then nothing is expected."""
    return LearnedAgent(game, make_net(game.facts, [[0, 1]]), TD())


def distances(game, most):
    """How far each position is from the goal, by its first words, as far as `most` moves."""
    rules = game.rules
    front = game.scrambled(2, seed=1)
    goal = front.words.copy()
    rules.scramble(goal, 0, front.rng)
    known, front = {key(goal): 0}, [goal]
    for far in range(1, most + 1):
        following = []
        for words in front:
            for action in range(game.facts.actions):
                after = words.copy()
                if rules.legal(words, action):
                    rules.play(after, action)
                    if key(after) not in known:
                        known[key(after)] = far
                        following.append(after)
        front = following
    return known


def key(words):
    return (*words[:2].tolist(),)  # all but the number of moves


@pytest.mark.parametrize(
    ("game", "width", "far"), [(SLIDING, 360, 21), (tafl.game("cube(quarter=true)"), 700, 4)]
)
def test_a_beam_of_all_positions_finds_shortest_ways(game, width, far):
    agent, known = BeamAgent(game, ignorant(game), width=width), distances(game, far)
    for seed in range(20):
        state = game.scrambled(1 + 2 * seed if game == SLIDING else 1 + seed % far, seed)
        plan = agent.plan(state)
        assert len(plan) == known[key(state.words)]
        played = state.copy()
        for action in plan:
            played.play(action)
        assert played.over
        values = agent.values(state)
        assert values[plan[0]] == pytest.approx(-len(plan))
        assert max(values, key=values.get) == plan[0]


def test_a_narrow_beam_is_the_same_compiled_and_not():
    agent = BeamAgent(SLIDING, ignorant(SLIDING), width=7)
    for seed in range(6):
        words = SLIDING.start(seed).words
        compiled, plain = agent._find(words), np.zeros(agent.plies, np.int64)
        with np.errstate(over="ignore"):
            count = beam_search.python(
                SLIDING.rules, agent.trained, agent._beam, words, agent.plies, 6, agent.rng, plain
            )
        assert plain[:count].tolist() == compiled


def test_an_agent_plays_what_it_has_planned():
    agent = BeamAgent(SLIDING, ignorant(SLIDING), width=360)
    state = SLIDING.start(seed=3)
    plan = agent.plan(state)
    for action in plan:
        assert agent.act(state) == action
        state.play(action)
    assert state.over
    other = agent.twin()
    again = SLIDING.start(seed=3)
    assert other.act(again) == plan[0]


@pytest.mark.parametrize(
    ("game", "message"),
    [
        ("nim(heaps=2,stones=2)", "beam is for puzzles of one player, not for nim"),
        ("2048", "beam is for puzzles without chance, not for 2048"),
    ],
)
def test_beam_is_for_puzzles(game, message):
    with pytest.raises(InputError, match=message):
        BeamAgent(tafl.game(game), ignorant(tafl.game(game)))


def test_the_way_to_the_goal_grows():
    td = TD(start_scramble=20)
    assert [int(reach(td, done / 40)) for done in (0, 1, 10, 19, 20, 39)] == [1, 2, 11, 20, 20, 20]


@pytest.mark.parametrize("most", [1, 3])
def test_episodes_begin_at_most_so_far_from_the_goal(most):
    game, td = SLIDING, TD(start_scramble=9)
    net = make_net(game.facts, [[0, 1]])
    work, known, found = make_work(game.facts, net), distances(game, 4), set()
    work.reach[0] = most
    for seed in range(60):
        with np.errstate(over="ignore"):
            begin(game.rules, net, td, work, np.array([seed], np.uint64))
        assert work.state[2] == 0
        found.add(known[key(work.state)])
    assert found == set(range(1, most + 1))


@pytest.mark.parametrize("walks", [0.0, 1.0])
def test_learning_in_pieces_on_the_cpu_and_by_threads_is_the_same(walks):
    start = {"scramble": 6, "walks": walks}
    game, settings, tuples = small("sliding(rows=2,cols=2)", "td", 12, start=start)
    nets = []
    for pieces in ([12], [5, 7]):
        learner = Learner(game, settings, tuples)
        learner.kernel = learner.kernel.python
        with np.errstate(over="ignore"):
            for episodes in pieces:
                learner.learn(episodes)
        nets.append(learner)
    assert nets[0].net.weights.tobytes() == nets[1].net.weights.tobytes()
    train, arguments = block_of(game, settings, tuples, 12)
    with np.errstate(over="ignore"):
        Copies().copy(train)(*arguments)
    assert arguments[3].rng == nets[0].rngs[0]
    assert arguments[1].weights == pytest.approx(nets[0].net.weights, abs=1e-5, rel=1e-4)


def test_games_without_scramble_are_refused(tmp_path):
    for message, ask in (
        ("start.scramble needs a puzzle", lambda: tafl.train(
            "nim", start={"scramble": 3}, out=tmp_path / "run")),
        ("walks needs scramble", lambda: tafl.train(
            "sliding", start={"walks": 0.5}, out=tmp_path / "run")),
        ("start.walks has no effect with sarsa", lambda: tafl.train(
            "sliding", algo="sarsa", start={"walks": 0.5, "scramble": 3}, out=tmp_path / "run")),
        ("nim.* cannot be scrambled", lambda: tafl.game("nim").scrambled(3)),
        ("moves must be at least 1, not 0", lambda: SLIDING.scrambled(0)),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            ask()
    assert not (tmp_path / "run").exists()


def test_walks_learn_the_mean_number_of_moves_from_the_goal(tmp_path):
    """Of the boards of 2x2, a walk without turning back meets each twice in 24 moves, or once."""
    game = tafl.game("sliding(rows=2,cols=2)")
    run = tafl.train(
        game, episodes=30_000, seed=1, out=tmp_path / "run", start={"scramble": 11, "walks": 1.0},
        network={"tuples": [[0, 1, 2, 3]], "sigma": "identity"}, coherence={"transfer": "off"},
        td={"alpha": 0.1, "alpha_final": 0.005}, evaluation={"every": 0},
    )  # fmt: skip
    known = distances(game, 6)
    assert sorted(known.values()) == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    for seed in range(30):
        state = game.start(seed)
        far = known[key(state.words)]
        for action, value in run.agent.values(state).items():
            after = known[key(state.afterstate(action).words)]
            # one way round has `after` moves, the other one 12 less; both are as likely
            assert value == pytest.approx(-1 - (6 if after else 0), abs=0.3)
        assert far > 0


def test_learning_backwards_solves_all_of_a_small_puzzle(tmp_path):
    run = tafl.train(
        SLIDING, episodes=4000, seed=1, out=tmp_path / "run", start={"scramble": 30},
        network={"tuples": [[0, 1, 2, 3, 4, 5]], "sigma": "identity"}, td={"epsilon": 0.0},
    )  # fmt: skip
    agent, known = tafl.agent(f"beam(run:{run.path},width=4)"), distances(SLIDING, 21)
    lengths, best = 0, 0
    for seed in range(100):
        state = SLIDING.start(seed)
        plan = agent.plan(state)
        lengths, best = lengths + len(plan), best + known[key(state.words)]
        for action in plan:
            state.play(action)
        assert state.cells == [1, 2, 3, 4, 5, 0]
    assert lengths <= 1.05 * best
