"""The loop of a training, of one run or of many that are equally far.

    blocks    episodes run in compiled code, about a third of a second at a time
    between   evaluations at exact episodes, checkpoints now and then, signals

Results do not depend on the size of blocks nor on when checkpoints are written.
"""

import time
from typing import Protocol

from tafl.core.compile import KernelInterrupt
from tafl.runs.run import Run
from tafl.training.learner import AnyLearner
from tafl.training.progress import Progress
from tafl.training.stop import Stopped, StopSignal


class InTraining(Protocol):
    """The interface of a training that the loop drives."""

    run: Run  # whose settings say when to evaluate, and when to end
    learner: AnyLearner
    progress: Progress
    block_seconds: float  # a signal waits for the end of a block
    seconds: float  # of learning alone
    evaluated: int  # the episode of the last evaluation

    @property
    def saved_episode(self) -> int: ...  # of the last checkpoint
    def patience(self) -> float: ...  # seconds between two checkpoints
    def evaluate(self, stop: StopSignal) -> None: ...
    def save(self, last: bool) -> None: ...  # the last one must not be lost


def run_loop(training: InTraining, stop: StopSignal | None = None) -> None:
    """Learn, evaluate and save up to the last episode, or up to a signal."""
    learner, total = training.learner, training.run.settings.episodes
    episodes = 1  # in a block, to begin with
    saved_at = time.monotonic()
    training.progress.begin(learner.episode, total)
    try:
        with stop or StopSignal() as stop:
            with stop.at_once:
                learner.compile()
            while True:
                if due(training) and not stop.number:
                    training.evaluate(stop)
                done = learner.episode == total and not due(training)
                late = time.monotonic() - saved_at >= training.patience()
                if done or stop.number or late:
                    training.save(last=done or bool(stop.number))
                    saved_at = time.monotonic()
                if done:
                    return
                if stop.number:
                    raise Stopped(stop.number, training.run.path)
                episodes = learn_block(training, episodes, stop)
    finally:
        training.progress.end()


def learn_block(training: InTraining, episodes: int, stop: StopSignal) -> int:
    """Play a block of at most this many episodes; return the size of the next."""
    learner = training.learner
    before = time.perf_counter()
    count = min(episodes, next_stop(training) - learner.episode)
    try:
        learner.learn(count)
    except KernelInterrupt:  # half an episode is in the network: nothing of it is stored
        kept = f"what was learned after episode {training.saved_episode:,} is lost"
        why = f" in an episode that did not end, so {kept}"
        raise Stopped(stop.number, training.run.path, why) from None
    seconds = time.perf_counter() - before
    training.seconds += seconds
    training.progress.block(learner.episode, learner.moves)
    return min(2 * episodes, max(1, round(count * training.block_seconds / seconds)))


def next_stop(training: InTraining) -> int:
    """Return the next episode at which something is to be done."""
    settings, episode = training.run.settings, training.learner.episode
    every = settings.evaluation.every
    end = next(end for end in settings.ends if episode < end)
    return min(end, (episode // every + 1) * every) if every else end


def due(training: InTraining) -> bool:
    """Return whether it is time for an evaluation."""
    settings, episode = training.run.settings, training.learner.episode
    every = settings.evaluation.every
    if every == 0 or episode in (0, training.evaluated):
        return False
    return episode % every == 0 or episode in settings.ends
