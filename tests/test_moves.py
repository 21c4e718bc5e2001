"""Rules that list their legal actions with `moves`: nothing changes but the speed."""

from pathlib import Path

import numpy as np
import pytest

import tafl
from one_at_a_time import Block, backwards
from planted import plant
from signatures import ALGOS
from tafl.boards.check import check
from tafl.core.games.states import random_action
from tafl.core.play.perft import perft
from tafl.errors import GameError
from test_gpu import block_of, small

CHECKERS = Path(__file__).parent / "games" / "checkers.py"


@pytest.fixture
def unlisted(tmp_path):
    """The path of checkers without its method `moves`."""
    path = tmp_path / "checkers.py"
    path.write_text(CHECKERS.read_text().replace("def moves(", "def listed("))
    return str(path)


@pytest.mark.parametrize("algo", ALGOS)
def test_learning_has_the_same_bits_with_and_without(algo, unlisted):
    from tafl.training.learner import Learner

    weights = []
    for path in (str(CHECKERS), unlisted):
        epsilon = {"epsilon": 0.3, "epsilon_final": 0.3}
        game, settings, tuples = small(path, algo, td=epsilon, start={"plies": 2})
        learner = Learner(game, settings, tuples)
        learner.kernel = learner.kernel.python
        with np.errstate(over="ignore"):
            learner.learn(1)
        assert learner.moves > 10
        weights.append(learner.net.weights.tobytes())
    assert weights[0] == weights[1]


def test_searches_and_states_are_the_same_with_and_without(unlisted):
    ours, other = tafl.game(str(CHECKERS)), tafl.game(unlisted)
    assert perft(ours.rules, ours.facts, 4) == perft(other.rules, other.facts, 4)
    found = [tafl.agent("mcts(iterations=200)", game, seed=3) for game in (ours, other)]
    here, there = ours.start(), other.start()
    while not here.over:
        assert here.legal_actions == there.legal_actions
        assert here.action(here.legal_actions[-1]) == here.legal_actions[-1]
        action = found[0].act(here)
        assert action == found[1].act(there)
        here.play(action)
        there.play(action)
    assert here.legal_actions == []


def test_random_actions_are_uniform():
    rules, state = tafl.game(str(CHECKERS)).rules, np.zeros(40, np.int64)
    rules.start(state)
    scratch, rng = np.zeros(288, np.int64), np.array([1], np.uint64)
    with np.errstate(over="ignore"):
        drawn = [int(random_action(rules, state, scratch, rng)) for _ in range(5000)]
    counts = np.bincount(drawn, minlength=288)
    legal = [a for a in range(288) if rules.legal(state, a)]
    assert np.flatnonzero(counts).tolist() == legal
    assert np.abs(counts[legal] - 1000).max() < 4.5 * (5000 * 0.2 * 0.8) ** 0.5


@pytest.mark.parametrize("algo", ["td", "q"])
def test_threads_of_a_block_list_the_same(algo):
    epsilon = {"epsilon": 0.3, "epsilon_final": 0.3}
    game, settings, tuples = small(str(CHECKERS), algo, td=epsilon, start={"plies": 60})
    nets = []
    for order in (sorted, backwards):
        train, arguments = block_of(game, settings, tuples, 1)
        Block(4, 2, order).run(train, *arguments)
        nets.append((arguments[1].weights.tobytes(), int(arguments[3].rng[0])))
    assert nets[0] == nets[1]


LISTED = """    def moves(self, state, out):
        n = 0
        for action in range(self.size * self.size):
            if state[2 + action] == 0:
                out[n] = action
                n += 1
        return n

    def over("""


def test_check_finds_wrong_lists(tmp_path):
    assert check(plant(tmp_path, ("    def over(", LISTED), name="good.py"), games=3).faults == {}
    for name, old, new, kind, message in (
        ("last", "return n\n", "return n - 1\n", "moves", "the legal actions are"),
        ("order", "out[n] = action", "out[n] = 15 - action", "moves", "moves() lists 15 14 13"),
        ("reads", "n += 1", "n += 1 + 0 * out[0]", "crash", "must write to out, never read it"),
        ("many", "return n\n", "return 1000\n", "moves", "moves() lists"),
    ):
        assert LISTED.count(old) == 1
        listed = LISTED.replace(old, new)
        faults = check(
            plant(tmp_path, ("    def over(", listed), name=f"{name}.py"), games=2
        ).faults
        assert message in faults[kind].text, name


def test_a_list_with_other_arguments_or_no_number_is_refused(tmp_path):
    wrong = LISTED.replace("(self, state, out)", "(self, state)")
    with pytest.raises(GameError, match=r"it must be moves\(self, state, out\), not moves\("):
        tafl.game(str(plant(tmp_path, ("    def over(", wrong), name="wrong.py")))
    many = LISTED.replace("return n\n", "return 1000\n")
    state = tafl.game(str(plant(tmp_path, ("    def over(", many), name="many.py"))).start()
    with pytest.raises(GameError, match=r"moves\(\) returned 1000 instead of how many"):
        _ = state.legal_actions
