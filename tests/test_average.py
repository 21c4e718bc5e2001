"""td.average: the agent is the mean of its weights over the last part of training."""

import numpy as np
import pytest

import tafl
from tafl.errors import InputError
from tafl.runs.tensors import write_tensors
from tafl.training.average import SAMPLES, Average, sample_points
from tafl.training.learner import Learner
from tafl.training.plan import prepare

TEN = {"episodes": 10, "seed": 5, "coherence": {"transfer": "id"}}


def learner(average: float, **changes) -> Learner:
    plan = prepare("tictactoe", "as-run", None, TEN | {"td": {"average": average}} | changes)
    return Learner(plan.game, plan.settings, plan.tuples)


def test_weights_are_looked_at_after_fixed_episodes():
    assert sample_points(0.5, 0, 10) == [6, 7, 8, 9, 10]
    assert sample_points(1.0, 0, 200) == list(range(4, 201, 4))
    assert sample_points(0.5, 100, 300) == list(range(202, 301, 2))
    assert sample_points(0.01, 0, 10) == [10]
    assert len(sample_points(0.3, 0, 10**12)) == SAMPLES


def test_a_mean_by_hand():
    average = Average(0.5, [4, 8], 2)  # looks after episodes 3 and 4, 7 and 8
    weights = np.array([1.0, -2.0], np.float32)
    average.look(2, weights)
    average.look(3, weights)
    weights[:] = 2.0, 4.0
    assert average.episodes(3, 100) == 1
    average.look(4, weights)
    assert weights.tolist() == [1.5, 1.0]
    average.look(7, weights)
    weights[:] = 0.5, 0.0
    average.look(8, weights)
    assert weights.tolist() == [1.0, 0.5]
    assert average.episodes(8, 100) == 100


def test_the_end_is_the_mean_of_networks_on_the_way():
    """Which are those of a training without average; in blocks of any size."""
    plain, averaged, blocks = learner(0.0), learner(0.5), learner(0.5)
    plain.learn(5)
    mean, width = 0.0, plain.net.width
    for number in range(1, 6):
        plain.learn(1)
        now = plain.net.weights[::width]
        mean = mean + (now - mean) / np.float32(number)
    averaged.learn(10)
    for block in (1, 6, 2, 1):
        blocks.learn(block)
    assert np.array_equal(averaged.net.weights[::width], mean)
    assert np.array_equal(averaged.net.weights, blocks.net.weights)
    assert not np.array_equal(mean, now)
    for sums in (1, 2):  # of temporal coherence: as they are
        assert np.array_equal(averaged.net.weights[sums::width], plain.net.weights[sums::width])


def test_a_run_goes_on_with_its_mean(tmp_path):
    """Stopped between two samples, and later made longer: the same bits."""
    whole, parts = learner(0.5), learner(0.5)
    whole.learn(10)
    parts.learn(7)
    saved = {name: array.copy() for name, array in parts.tensors().items()}
    assert saved["mean"].any()
    again = learner(0.5)
    for name, array in again.tensors().items():
        array[:] = saved[name]
    again.episode = 7
    again.learn(3)
    assert np.array_equal(whole.net.weights, again.net.weights)
    changes = {"td": {"average": 0.5}, "evaluation": {"every": 0}}
    run = tafl.train("tictactoe", preset="as-run", out=tmp_path / "run", **(TEN | changes))
    assert np.array_equal(run.agent.net.weights, whole.net.weights)
    longer = tafl.resume(run.path, episodes=20)
    second = learner(0.5, episodes=20, stages=[10])
    second.learn(10)
    second.learn(10)
    assert np.array_equal(longer.agent.net.weights, second.net.weights)


def test_a_checkpoint_has_one_table_after_the_other(tmp_path):
    """Whatever the layout in memory, the mean lies in a file as the weights do."""
    network = {"tuples": "random-walk", "number": 10, "length": 8}
    changes = {"episodes": 100, "td": {"average": 1.0}, "network": network}
    plan = prepare("connectfour", "as-run", None, changes)
    learner, again = (Learner(plan.game, plan.settings, plan.tuples) for _ in range(2))
    assert learner.layout is not None
    learner.learn(2)  # the first sample
    tensors = learner.tensors()
    assert np.count_nonzero(tensors["mean"]) > 100
    assert np.array_equal(tensors["mean"], tensors["weights"][:: learner.net.width])
    with (tmp_path / "file").open("wb") as file:
        write_tensors(file, tensors, {})
    again.read(tmp_path / "file")
    assert np.array_equal(again.average.mean, learner.average.mean)
    assert np.array_equal(again.net.weights, learner.net.weights)


def test_it_is_refused_on_a_gpu():
    with pytest.raises(InputError, match=r"td\.average is for the CPU alone: use device cpu, or"):
        prepare("nim", "as-run", None, {"device": "cuda", "td": {"average": 0.1}})
