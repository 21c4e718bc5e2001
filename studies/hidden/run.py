"""Train and judge all seeds of all ways that are not stored.

python -m studies hidden run
"""

import time

import tafl
from studies.hidden.subjects import RESULTS, Subject, trials
from studies.records import Measurement, append, machine, read
from tafl.errors import InputError
from tafl.settings.presets import compose
from tafl.settings.tables import Fields, nested
from tafl.training.plan import make_plan
from tafl.training.regret_learner import RegretLearner


def main(arguments: list[str]) -> None:
    """Measure what is not stored yet."""
    if arguments:
        raise InputError("hidden run takes no options")
    stored = {(one.game, str(one.overrides), one.seed) for one in read(RESULTS)}
    for subject, way, seed in trials():
        if (subject.game, str(dict(sorted(way.items()))), seed) not in stored:
            found = measured(subject, dict(sorted(way.items())), seed)
            append(RESULTS, [found])
            print(f"{subject.title}, {way}, seed {seed}: {found.value:.4f}", flush=True)


def measured(subject: Subject, way: Fields, seed: int) -> Measurement:
    """Train an agent and return its NashConv."""
    options = nested(way | {"seed": seed, "episodes": subject.episodes})
    plan = make_plan(game := tafl.game(subject.game), compose(game, overrides=options))
    learner = RegretLearner(game, plan.settings, plan.tuples)
    learner.compile()
    began = time.process_time()
    learner.learn(subject.episodes)
    seconds = time.process_time() - began
    found = tafl.exploitability(learner.player(learner.net, seed))
    return Measurement(
        study="hidden",
        game=subject.game,
        metric="nash_conv",
        value=float(f"{found.nash_conv:.5g}"),
        n=found.information_states,
        overrides=way,
        seed=seed,
        episodes=subject.episodes,
        moves=learner.moves,
        seconds=round(seconds, 3),
        **machine(),
    )
