"""Workers: results, parts and errors come back; evaluations there are those played here."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tafl
from tafl.errors import Diverged, InputError, WorkerError
from tafl.processes import SharedArray
from tafl.settings.build import build_net, make_td
from tafl.training.evaluation import play_evaluation, play_in_worker
from tafl.training.plan import make_plan
from tafl.workers import Pool


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "nim3p"
    evaluation = {"opponents": ["random", "exact"], "games": 60}
    return tafl.train("nim3p", episodes=50, seed=1, out=out, evaluation=evaluation)


@pytest.fixture
def workers():
    with Pool() as workers:
        yield workers


def network(run, seed):
    """A network of random weights, in memory that others see."""
    tuples = make_plan(run.game, run.settings).tuples
    net = build_net(run.game, run.settings, tuples).plain()
    weights = SharedArray(net.weights.size)
    weights.array[:] = np.random.default_rng(seed).normal(size=net.weights.size)
    return net._replace(weights=weights.array), tuples, weights


def test_others_play_the_same_games_for_several_agents_at_a_time(run, workers):
    made = [network(run, seed) for seed in range(3)]
    here = [play_evaluation(run, net, make_td(run.settings), 7) for net, _, _ in made]
    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(play_in_worker, workers, run, *rest, 7) for _, *rest in made]
        assert [one.result() for one in asked] == here
    assert workers.idle.qsize() <= 2
    assert here[0] != here[1]
    assert [len(results) for results in here] == [2, 2, 2]


def test_what_goes_wrong_there_is_said_here_and_the_next_evaluation_is_played(run, workers):
    net, tuples, weights = network(run, 1)
    with pytest.raises(InputError, match=r"(Index|Value)Error"):
        play_in_worker(workers, run, [[10**6]], weights, 7)
    assert play_in_worker(workers, run, tuples, weights, 7) == play_evaluation(
        run, net, make_td(run.settings), 7
    )


def test_a_process_that_is_killed_is_noticed_and_another_takes_its_place(run, workers):
    _, *rest = network(run, 1)
    found = play_in_worker(workers, run, *rest, 7)
    program = workers.idle.get()
    workers.idle.put(program)
    os.kill(program.process.pid, signal.SIGKILL)
    program.process.wait()
    with pytest.raises(InputError, match="ended with -9"):
        play_in_worker(workers, run, *rest, 7)
    assert play_in_worker(workers, run, *rest, 7) == found


def test_memory_for_others_is_given_back():
    memory = SharedArray(10)
    path = memory.address.partition(" ")[2]
    memory.array[:] = 3
    with open(path, "rb") as file:
        assert np.frombuffer(file.read(), np.float32).tolist() == [3.0] * 10
    del memory
    assert not os.path.exists(path)


def letters(word):
    """What a worker of these tests does: a generator."""
    yield from word
    if word == "refused":
        raise Diverged("refused")


def test_parts_come_before_the_end_and_errors_keep_their_kind(workers):
    parts, letters = [], f"{__name__}:letters"
    assert workers.call(letters, {"word": "añ\udcff"}, parts.append) is None
    assert parts == ["a", "ñ", "\udcff"]
    with pytest.raises(Diverged, match="refused"):
        workers.call(letters, {"word": "refused"}, parts.append)
    with pytest.raises(WorkerError, match=r"^TypeError: .*word"):
        workers.call(letters, {})
    assert workers.call("tafl.errors:place", {"file": "a", "line": 7}) == "a:7"
    assert len(workers.workers) == 1


def test_a_worker_whose_parts_are_not_taken_is_not_used_again(workers):
    def refuse(part):
        raise KeyError(part)

    with pytest.raises(KeyError, match="a"):
        workers.call(f"{__name__}:letters", {"word": "abc"}, refuse)
    assert not workers.workers
