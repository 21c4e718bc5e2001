"""The time that a run takes on this machine, estimated by learning and evaluating for a moment.

Compiling is not part of it: kernels are compiled, and games solved, before a clock starts.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tafl.settings.model import Settings
from tafl.training.evaluation import judge
from tafl.training.learner import AnyLearner
from tafl.training.progress import duration
from tafl.training.regret_learner import learner_on_cpu

if TYPE_CHECKING:
    from tafl.training.plan import Plan

LONGEST_TRIAL, SHORTEST_TRIAL = 3.0, 0.5  # seconds of learning that show how fast it is


class Speed(NamedTuple):
    """The speed of learning on this machine, and the time that an evaluation takes."""

    rate: float  # episodes per second
    evaluation: float  # seconds

    def seconds(self, episodes: float, every: int) -> float:
        """Return the time for some episodes with an evaluation after `every` of them (0: none)."""
        evaluations = episodes / every if every else 0.0
        return episodes / self.rate + evaluations * self.evaluation


def measure_speed(plan: "Plan", trial: float = SHORTEST_TRIAL) -> Speed:
    """Learn for some seconds, play a few games of each evaluation, and forget what was learned."""
    learner = make_learner(plan)
    rate = _rate(learner, trial)
    how = plan.settings.evaluation
    opponents = how.opponents if how.every else []
    return Speed(rate, sum(_seconds_against(vs, plan, learner) for vs in opponents))


def expected_time(plan: "Plan") -> str:
    """Return how long the run will take on this machine, as a line of text."""
    settings, speed = plan.settings, measure_speed(plan)
    seconds = speed.seconds(settings.episodes, settings.evaluation.every)
    judged = duration(seconds - settings.episodes / speed.rate)
    text = f"{settings.episodes:,} episodes take about {duration(seconds)} on this machine"
    return f"{text}, {judged} of it for evaluations; --minutes or --episodes set another length"


def episodes_in(plan: "Plan", minutes: float, planned: Callable[[float], Settings]) -> float:
    """Return about how many episodes this machine learns and evaluates in this time."""
    speed = measure_speed(plan, min(LONGEST_TRIAL, max(SHORTEST_TRIAL, 3 * minutes)))
    episodes = 60 * minutes * speed.rate
    for _ in range(10):  # how often it evaluates may depend on how long it is
        episodes *= 60 * minutes / speed.seconds(episodes, planned(episodes).evaluation.every)
    return episodes


def make_learner(plan: "Plan") -> AnyLearner:
    """Return a learner on the device of the settings."""
    if plan.settings.device == "cpu":
        return learner_on_cpu(plan.game, plan.settings, plan.tuples)
    from tafl.training.gpu_training import populate

    return populate(plan.game, [plan.settings], [plan.tuples]).member()


def _rate(learner: AnyLearner, trial: float) -> float:
    """Return episodes per second, from ever larger blocks of them."""
    learner.compile()
    block, seconds, began = 1, 0.0, time.perf_counter()
    while time.perf_counter() - began < trial:
        before = time.perf_counter()
        learner.learn(block)
        seconds, block = time.perf_counter() - before, 2 * block
    return block / 2 / seconds


def _seconds_against(opponent: str, plan: "Plan", learner: AnyLearner) -> float:
    """Return the seconds that the games of an evaluation against one opponent take."""
    wanted = plan.settings.evaluation.games

    def play(games: int) -> tuple[int, float]:
        """Return the number of games played, which may be larger, and the seconds they took."""
        began = time.perf_counter()
        changes = {"opponents": [opponent], "games": games}
        how = plan.settings.evaluation.model_copy(update=changes)
        settings = plan.settings.model_copy(update={"evaluation": how})
        agent = learner.player(learner.net, seed=1)
        (result,) = judge(replace(plan, settings=settings), agent, seed=1)
        return result["games"], time.perf_counter() - began

    games, _ = play(1)  # this may compile, or solve a game
    games, seconds = play(games)
    while seconds < SHORTEST_TRIAL and games < wanted:
        games, seconds = play(min(2 * games, wanted))
    return seconds * max(1.0, wanted / games)
