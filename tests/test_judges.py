"""Evaluations in processes of their own are those that would be played here."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tafl
from tafl.core.ntuple.net import without_sums
from tafl.errors import InputError
from tafl.settings.build import build_net, make_td
from tafl.training.judges import Judges, Memory, play_evaluation
from tafl.training.plan import make_plan


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "nim3p"
    evaluation = {"opponents": ["random", "exact"], "games": 60}
    return tafl.train("nim3p", episodes=50, seed=1, out=out, evaluation=evaluation)


@pytest.fixture
def judges():
    judges = Judges()
    yield judges
    judges.end()


def network(run, seed):
    """A network of random weights, in memory that others see."""
    tuples = make_plan(run.game, run.settings).tuples
    net = without_sums(build_net(run.game, run.settings, tuples))
    weights = Memory(net.weights.size)
    weights.array[:] = np.random.default_rng(seed).normal(size=net.weights.size)
    return net._replace(weights=weights.array), tuples, weights


def test_others_play_the_same_games_for_several_agents_at_a_time(run, judges):
    made = [network(run, seed) for seed in range(3)]
    here = [play_evaluation(run, net, make_td(run.settings), 7) for net, _, _ in made]
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(judges.ask, run, *rest, 7) for _, *rest in made]
        assert [one.result() for one in asked] == here
    assert judges.idle.qsize() <= 2
    assert here[0] != here[1]
    assert [len(results) for results in here] == [2, 2, 2]


def test_what_goes_wrong_there_is_said_here_and_the_next_evaluation_is_played(run, judges):
    net, tuples, weights = network(run, 1)
    with pytest.raises(InputError, match=r"(Index|Value)Error"):
        judges.ask(run, [[10**6]], weights, 7)
    assert judges.ask(run, tuples, weights, 7) == play_evaluation(
        run, net, make_td(run.settings), 7
    )


def test_a_process_that_is_killed_is_noticed_and_another_takes_its_place(run, judges):
    _, *rest = network(run, 1)
    found = judges.ask(run, *rest, 7)
    program = judges.idle.get()
    judges.idle.put(program)
    os.kill(program.process.pid, signal.SIGKILL)
    program.process.wait()
    with pytest.raises(InputError, match="ended with -9"):
        judges.ask(run, *rest, 7)
    assert judges.ask(run, *rest, 7) == found


def test_memory_for_others_is_given_back():
    memory = Memory(10)
    path = memory.path
    memory.array[:] = 3
    with open(path, "rb") as file:
        assert np.frombuffer(file.read(), np.float32).tolist() == [3.0] * 10
    del memory
    assert not os.path.exists(path)
