"""Statistics of runs: means, confidence intervals and tests.

A run is one number, for example its last evaluation; runs differ by their seeds. Results that need
more runs than there are, are nan.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, inf, nan, sqrt

import numpy as np

LEVEL = 0.95
RESAMPLES = 10_000

Values = Sequence[float] | np.ndarray
Interval = tuple[float, float]


@dataclass(frozen=True)
class Summary:
    """Statistics of the runs of one experiment."""

    runs: int
    mean: float
    standard_error: float
    t_interval: Interval
    worst: float
    interquartile_mean: float
    interquartile_interval: Interval


def summary(values: Values, seed: int = 0) -> Summary:
    """Summarise a group of runs.

    >>> found = summary([0.1, 0.2, 0.6])
    >>> found.runs, round(found.mean, 3), round(found.standard_error, 3), found.worst
    (3, 0.3, 0.153, 0.1)
    """
    x = np.asarray(values, float)
    return Summary(
        runs=len(x),
        mean=float(x.mean()),
        standard_error=standard_error(x),
        t_interval=t_interval(x),
        worst=float(x.min()),
        interquartile_mean=interquartile_mean(x),
        interquartile_interval=bootstrap_interval([x], seed=seed),
    )


def standard_error(values: Values) -> float:
    """Return the standard error of the mean."""
    x = np.asarray(values, float)
    if len(x) < 2:
        return nan
    # the mean of equal numbers may differ from them in its last bit
    return 0.0 if x.min() == x.max() else float(x.std(ddof=1)) / sqrt(len(x))


def t_interval(values: Values) -> Interval:
    """Return a confidence interval of the mean, for normally distributed runs."""
    from scipy.special import stdtrit

    x = np.asarray(values, float)
    if len(x) < 2:
        return nan, nan
    half = float(stdtrit(len(x) - 1, (1 + LEVEL) / 2)) * standard_error(x)
    return float(x.mean()) - half, float(x.mean()) + half


def interquartile_mean(values: Values) -> float:
    """Return the mean without a quarter of the runs, rounded down, at each end.

    >>> interquartile_mean([0.0, 0.5, 0.7, 9.0])
    0.6
    """
    x = np.sort(np.asarray(values, float))
    cut = len(x) // 4
    return float(x[cut : len(x) - cut].mean())


def bootstrap_interval(strata: Sequence[Values], seed: int = 0, resamples: int = 2_000) -> Interval:
    """Return a stratified bootstrap confidence interval of the interquartile mean."""
    groups = [np.asarray(values, float) for values in strata]
    if sum(len(group) for group in groups) < 2:
        return nan, nan
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(group, (resamples, len(group))) for group in groups]
    found = [interquartile_mean(row) for row in np.concatenate(drawn, axis=1)]
    low, high = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def variance_share(groups: Sequence[Values]) -> float:
    """Return the share of the variance that lies between groups: adjusted R squared, at least 0.

    It is nan if all values are equal, or no group has two values.

    >>> variance_share([[1.0, 1.0], [2.0, 2.0]]), variance_share([[1.0, 2.0], [1.0, 2.0]])
    (1.0, 0.0)
    """
    parts = [np.asarray(values, float) for values in groups if len(values)]
    every = np.concatenate(parts) if parts else np.zeros(0)
    freedom = len(every) - len(parts)
    if freedom < 1 or every.min() == every.max():
        return nan
    within = sum(float(((part - part.mean()) ** 2).sum()) for part in parts) / freedom
    return max(0.0, 1.0 - within / float(every.var(ddof=1)))


def t_test(differences: Values) -> float:
    """Return the p-value of a mean of 0 (two-sided t test); the sign test if all are equal."""
    from scipy.special import stdtr

    x = np.asarray(differences, float)
    if len(x) < 2:
        return nan
    mean, error = abs(float(x.mean())), standard_error(x)
    if error == 0:
        return 1.0 if mean == 0 else 2.0 ** (1 - len(x))
    return float(2 * stdtr(len(x) - 1, -mean / error))


def welch_test(a: Values, b: Values) -> float:
    """Return the p-value of equal means (Welch's t test, two-sided)."""
    from scipy.special import stdtr

    x, y = np.asarray(a, float), np.asarray(b, float)
    if min(len(x), len(y)) < 2:
        return nan
    of_x, of_y = standard_error(x) ** 2, standard_error(y) ** 2
    difference = abs(float(x.mean() - y.mean()))
    if of_x + of_y == 0:
        return 1.0 if x[0] == y[0] else 0.0
    freedom = (of_x + of_y) ** 2 / (of_x**2 / (len(x) - 1) + of_y**2 / (len(y) - 1))
    return float(2 * stdtr(freedom, -difference / sqrt(of_x + of_y)))


def permutation_test(a: Values, b: Values, seed: int = 0) -> float:
    """Return the p-value of a permutation test of equal means, exact for few runs."""
    x, y = np.asarray(a, float), np.asarray(b, float)
    if min(len(x), len(y)) < 2:
        return nan
    pooled = np.concatenate([x, y])
    observed = abs(float(x.mean() - y.mean()))
    # equal differences may differ in their last bits
    limit = observed - 1e-12 * max(1.0, float(np.abs(pooled).max())) if observed > 0 else -inf
    if comb(len(pooled), len(x)) <= RESAMPLES:
        splits = np.array(list(combinations(range(len(pooled)), len(x))))
        return float((_differences(pooled, splits) >= limit).mean())
    rng = np.random.default_rng(seed)
    splits = rng.permuted(np.tile(np.arange(len(pooled)), (RESAMPLES, 1)), axis=1)[:, : len(x)]
    extreme = int((_differences(pooled, splits) >= limit).sum())
    return (extreme + 1) / (RESAMPLES + 1)  # the split that was observed is one of them


def _differences(pooled: np.ndarray, splits: np.ndarray) -> np.ndarray:
    """Return the difference of the means for each choice of the first group."""
    first = splits.shape[1]
    sums = pooled[splits].sum(axis=1)
    found: np.ndarray = np.abs(sums / first - (pooled.sum() - sums) / (len(pooled) - first))
    return found
