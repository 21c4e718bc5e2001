"""Weights that are no numbers any more: training says so, and whatever plays plays legal moves."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from tafl.agents.agent import best_action, best_actions, shared_by_best
from tafl.agents.learned import LearnedAgent
from tafl.agents.search import AlphaBetaAgent, NPlyAgent
from tafl.agents.trees import PUCTAgent
from tafl.core.learn.qpolicy import best_q
from tafl.core.play.greedy import any_best
from tafl.settings.build import build
from tafl.settings.model import Settings

WILD = {
    "td": {"alpha": 100.0},
    "network": {"tuples": [[0, 1, 2]], "sigma": "identity"},
    "coherence": {"transfer": "off"},
}
LINE = """nim --episodes 20000 --seed 1 --set td.alpha=100 --set network.sigma=identity --set
coherence.transfer=off --set evaluation.every=0"""


@pytest.mark.parametrize("algo", ["td", "sarsa", "q"])
def test_every_algorithm_reports_divergence(algo, tmp_path):
    """In another process: machine code that plays an illegal action can end this one."""
    words = [*LINE.split(), "--algo", algo, "--out", str(tmp_path / "run")]
    run = [sys.executable, "-m", "tafl", "train", *words]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done
    said = done.stderr.strip().split("\n")[-1]
    assert said.startswith("tafl: weights are not finite after 20,000 episodes: lower td.alpha")


def test_a_sweep_of_q_with_a_trial_that_diverges_finishes(tmp_path):
    found = tafl.sweep(
        "nim", {"td.alpha": [0.5, 1000]}, algo="q", episodes=3000, games=4, confirm=0,
        network={"sigma": "identity"}, coherence={"transfer": "off"}, out=tmp_path / "sweep",
    )  # fmt: skip
    assert {t.point["td.alpha"]: t.score.diverged for t in found.trials} == {0.5: False, 1000: True}


def network(name, algo, weight):
    """A game, and a network whose weights are all this number."""
    game = tafl.game(name)
    net, td, _ = build(game, Settings.of({"game": name, "algo": algo, **WILD}), [[0, 1, 2]])
    net.weights[:] = weight
    return game, net, td


AGENTS = {
    "greedy": lambda agent: agent,
    "nply": lambda agent: NPlyAgent(agent.game, agent, depth=2),
    "alphabeta": lambda agent: AlphaBetaAgent(agent.game, agent, depth=3),
    "alphabeta with proof": lambda agent: AlphaBetaAgent(agent.game, agent, depth=2, proof=50),
    "puct": lambda agent: PUCTAgent(agent.game, agent, iterations=20),
    "puct that trusts": lambda agent: PUCTAgent(agent.game, agent, iterations=20, trust=1.0),
    "puct with proof": lambda agent: PUCTAgent(agent.game, agent, iterations=20, proof=50),
}


@pytest.mark.parametrize("weight", [math.nan, -math.inf, math.inf, 3e38])
@pytest.mark.parametrize("kind", AGENTS)
def test_agents_play_legal_moves(kind, weight):
    """The sum of finite weights may be infinite, and the difference of two such sums no number."""
    game, net, td = network("nim", "td", weight)
    agent = AGENTS[kind](LearnedAgent(game, net, td))
    state = game.start()
    while not state.over:
        state.play(agent.act(state))  # refuses illegal ones


@pytest.mark.parametrize("weight", [math.nan, -math.inf])
def test_the_best_action_of_q_is_legal(weight):
    """Action 0, to take one from heap 0, is illegal here."""
    game, net, td = network("nim", "q", weight)
    state = game.position([0, 0, 3], player=0)
    agent = LearnedAgent(game, net, td)
    agent.work.state[:] = state.words
    with np.errstate(all="ignore"):
        action, _ = best_q(game.rules, net, agent.work, 0, np.array([1], np.uint64))
    assert action in state.legal_actions


NUMBERS = st.sampled_from([math.nan, -math.inf, math.inf, 0.0, 1.0])


@given(values=st.lists(NUMBERS, min_size=1, max_size=6), seed=st.integers(0, 2**63))
def test_compiled_and_python_choose_the_same(values, seed):
    """The first action where no value is a number; else no action without a number."""
    actions = np.arange(len(values)) + 10
    rngs = [np.array([seed], np.uint64) for _ in range(2)]
    with np.errstate(over="ignore"):
        one = any_best(actions, np.array(values), len(values), rngs[0])
    named = dict(zip(actions.tolist(), values, strict=True))
    assert best_action(named, rngs[1]) == one
    assert rngs[0] == rngs[1]
    assert one in best_actions(named)
    assert sum(shared_by_best(named).values()) == pytest.approx(1)
    if not all(map(math.isnan, values)):
        assert named[one] == max(value for value in values if not math.isnan(value))
