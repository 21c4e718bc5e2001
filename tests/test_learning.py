"""What trained agents can do, as the authors ran them, and what FARL does for it."""

import numpy as np
import pytest

import tafl
from long import long
from studies.pages import DOCS
from studies.right_moves.plan import plans
from studies.right_moves.report import write
from studies.right_moves.run import measures
from tafl.agents.learned import LearnedAgent
from tafl.settings.presets import compose
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

WIN_RATE = OWN = REWARD = RIGHT = 0  # the first measure of its game
WINNING = 1


SEEDS = pytest.mark.parametrize("seeds", [range(2), long(range(10))], ids=["2", "10"])


def learned(name, measure, farl=True, *, seeds, algo="td"):
    """The mean of a measure, by its number, over agents of some seeds."""
    game, plan = tafl.game(name), plans()[name]
    results = []
    for seed in seeds:
        own = plan.episodes if algo == "td" else None  # SARSA and Q have theirs in the preset
        options = option_tree(algo=algo, farl=farl, episodes=own, seed=seed)
        settings = compose(game, plan.preset, None, options)
        learner = Learner(game, settings, make_plan(game, settings).tuples)
        learner.learn(settings.episodes)
        results.append(
            measures(game, LearnedAgent(game, learner.net, learner.td))[measure]["value"]
        )
    return np.mean(results)


@SEEDS
def test_tictactoe(seeds):
    assert learned("tictactoe", WIN_RATE, seeds=seeds) >= 0.49
    assert learned("tictactoe", WIN_RATE, farl=False, seeds=seeds) <= 0.30


@SEEDS
def test_nim(seeds):
    assert learned("nim", OWN, seeds=seeds) >= 0.99
    assert learned("nim", WINNING, seeds=seeds) >= 0.98
    assert learned("nim", WINNING, farl=False, seeds=seeds) <= 0.65


@SEEDS
def test_nim3p(seeds):
    assert learned("nim3p", REWARD, seeds=seeds) >= 0.33
    assert learned("nim3p", REWARD, farl=False, seeds=seeds) <= 0.10


@pytest.mark.parametrize("algo", ["sarsa", "q"])
@SEEDS
def test_sarsa_and_q_learn_tictactoe_and_nim(algo, seeds):
    assert learned("tictactoe", WIN_RATE, algo=algo, seeds=seeds) >= 0.49
    assert learned("nim", OWN, algo=algo, seeds=seeds) >= 0.99


@SEEDS
def test_sarsa_without_farl_does_not_master_tictactoe(seeds):
    assert learned("tictactoe", WIN_RATE, algo="sarsa", farl=False, seeds=seeds) <= 0.45


@pytest.mark.long
def test_connectfour():
    assert learned("connectfour", RIGHT, seeds=[1]) >= 0.84


def test_measures_are_those_of_the_page():
    for plan in plans().values():
        game = tafl.game(plan.name)
        found = measures(game, tafl.agent("random", game, seed=1))
        named = [(one["metric"], one.get("condition", {}).get("states")) for one in found]
        assert named == [(one.metric, one.states) for one in plan.measures]


def test_results_say_what_the_stored_runs_say(tmp_path):
    page, picture = write(tmp_path)
    assert (DOCS / "science" / "right_moves.md").read_text() == page.read_text()
    assert picture.is_file()
