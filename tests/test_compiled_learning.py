"""Learning runs compiled and as plain Python, and does the same: every game, every algorithm.

All moves are random, so that both play the same games, and every update is compared to rounding.
"""

from itertools import product

import numpy as np
import pytest

import tafl
from long import long_learners
from signatures import ALGOS, SMALL
from tafl.core.games import PAPER
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree

RANDOM = {"td": {"epsilon": 1.0, "epsilon_final": 1.0, "learn_from_random_moves": True}}


@pytest.mark.parametrize(("name", "algo"), long_learners(product(PAPER, ALGOS)))
def test_compiled_and_plain_learning_agree(name, algo):
    game = tafl.game(name)
    options = option_tree(algo=algo, seed=3, episodes=2)
    settings = compose(game, "as-run", None, merged(options, merged(RANDOM, SMALL)))
    compiled, plain = (Learner(game, settings, make_plan(game, settings).tuples) for _ in "12")
    compiled.learn(2)
    plain.kernel = compiled.kernel.python
    with np.errstate(over="ignore"):
        plain.learn(2)
    assert compiled.moves == plain.moves
    assert compiled.rngs[0] == plain.rngs[0]
    assert np.count_nonzero(compiled.net.weights) > 10
    assert compiled.net.weights == pytest.approx(plain.net.weights, abs=1e-5, rel=1e-4)
