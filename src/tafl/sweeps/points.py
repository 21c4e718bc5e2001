"""Samplers of points, determined by the seed and the scores so far.

grid    all points, in random order
random  a Latin hypercube: with n points, the range of each setting is cut into n parts, each with
        one point; the values of a list come equally often, as far as possible
tpe     some at random, then those that Optuna's tree-structured Parzen estimator proposes
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from tafl.arguments import argument
from tafl.errors import InputError
from tafl.settings.seeds import POINTS, derived
from tafl.sweeps.space import Point, Range, Space

Known = Sequence[tuple[Point, float]]  # points that were tried, and their scores


def grid(space: Space, seed: int) -> list[Point]:
    """Return all points, in random order."""
    every = list(product(*(tried.ends for tried in space.values())))
    order = np.random.default_rng(derived(seed, POINTS)).permutation(len(every))
    return [dict(zip(space, every[k], strict=True)) for k in order]


def hypercube(space: Space, number: int, seed: int, batch: int = 0) -> list[Point]:
    """Return random points, evenly spread over each setting."""
    rng = np.random.default_rng(derived(seed, POINTS, batch))
    values = []
    for tried in space.values():
        column = (rng.permutation(number) + rng.random(number)) / number
        values.append([tried.at(float(share)) for share in column])
    return [dict(zip(space, row, strict=True)) for row in zip(*values, strict=True)]


def tpe(space: Space, number: int, seed: int, batch: int, known: Known) -> list[Point]:
    """Return the next points; Optuna's seed depends on the batch, so only scores are stored."""
    optuna = import_optuna()
    if not known:
        return hypercube(space, number, seed, batch)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=derived(seed, POINTS, batch), n_startup_trials=1)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    distributions = {key: _distribution(optuna, tried) for key, tried in space.items()}
    for point, score in known:
        study.add_trial(
            optuna.trial.create_trial(
                params={key: _inside(space[key], value) for key, value in point.items()},
                distributions=distributions,
                value=score,
            )
        )
    asked = [study.ask(fixed_distributions=distributions).params for _ in range(number)]
    return [{key: _outside(space[key], params[key]) for key in space} for params in asked]


def import_optuna() -> Any:
    """Import Optuna, or say which package to install."""
    try:
        import optuna
    except ImportError:
        raise InputError(
            f"{argument('sampler', 'tpe')} needs Optuna, which is not installed: "
            "pip install 'tafl[sweep]'"
        ) from None
    return optuna


def _distribution(optuna: Any, tried: Any) -> Any:
    if not isinstance(tried, Range):  # values of any kind, by their places in the list
        return optuna.distributions.CategoricalDistribution(range(len(tried.values)))
    if tried.whole:
        return optuna.distributions.IntDistribution(tried.low, tried.high, log=tried.log)
    return optuna.distributions.FloatDistribution(tried.low, tried.high, log=tried.log)


def _inside(tried: Any, value: Any) -> Any:
    """Return a value in Optuna's form: of a list, the place."""
    return value if isinstance(tried, Range) else tried.values.index(value)


def _outside(tried: Any, value: Any) -> Any:
    """Return the value for Optuna's form of it."""
    return tried.rounded(value) if isinstance(tried, Range) else tried.values[value]
