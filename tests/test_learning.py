"""What trained agents can do, as the authors ran them, and what FARL does for it."""

import numpy as np
import pytest

import learning
import tafl
from learning import PAGE, PLAN, measures, report, stored
from tafl.agents.learned import LearnedAgent
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree


def learned(name, measure, farl=True, seeds=range(10), algo="td"):
    """The mean of a measure over agents of some seeds."""
    game = tafl.game(name)
    preset, episodes, _, _ = PLAN[name]
    results = []
    for seed in seeds:
        own = episodes if algo == "td" else None  # SARSA and Q have theirs in the preset
        options = option_tree(algo=algo, farl=farl, episodes=own, seed=seed)
        settings = compose(game, preset, None, options)
        learner = Learner(game, settings, make_plan(game, settings).tuples)
        learner.learn(settings.episodes)
        results.append(measures(game, LearnedAgent(game, learner.net, learner.td))[measure])
    return np.mean(results)


def test_tictactoe():
    assert learned("tictactoe", "win_rate") >= 0.49
    assert learned("tictactoe", "win_rate", farl=False) <= 0.30


def test_nim():
    assert learned("nim", "own") >= 0.99
    assert learned("nim", "winning") >= 0.98
    assert learned("nim", "winning", farl=False) <= 0.65


def test_nim3p():
    assert learned("nim3p", "reward") >= 0.33
    assert learned("nim3p", "reward", farl=False) <= 0.10


@pytest.mark.parametrize("algo", ["sarsa", "q"])
def test_sarsa_and_q_learn_tictactoe_and_nim(algo):
    assert learned("tictactoe", "win_rate", algo=algo) >= 0.49
    assert learned("nim", "own", algo=algo) >= 0.99


def test_sarsa_without_farl_does_not_master_tictactoe():
    assert learned("tictactoe", "win_rate", algo="sarsa", farl=False) <= 0.45


def test_connectfour():
    assert learned("connectfour", "right", seeds=[1]) >= 0.84


def test_results_say_what_the_stored_runs_say():
    if not learning.STORE.exists():
        pytest.skip("no results are stored")
    assert PAGE.read_text() == report(stored())
