"""Statistics of several runs: against SciPy, and by hand where a case is special."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tafl.arena.statistics import (
    bootstrap_interval,
    interquartile_mean,
    permutation_test,
    standard_error,
    summary,
    t_interval,
    welch_test,
)

SCORES = st.floats(-1, 1).map(lambda x: round(x, 3))


def runs(least: int = 2, most: int = 12) -> st.SearchStrategy[list[float]]:
    return st.lists(SCORES, min_size=least, max_size=most)


def vary(values: list[float]) -> bool:
    return float(np.ptp(values)) > 0


@given(runs())
def test_standard_error_t_interval_and_interquartile_mean(values):
    assert standard_error(values) == pytest.approx(stats.sem(values), abs=1e-12)
    assert interquartile_mean(values) == pytest.approx(stats.trim_mean(values, 0.25), abs=1e-12)
    if vary(values):
        expected = stats.t.interval(
            0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values)
        )
        assert t_interval(values) == pytest.approx(expected, abs=1e-9)


@given(runs(), runs())
def test_welch(a, b):
    if vary(a) or vary(b):
        expected = stats.ttest_ind(a, b, equal_var=False).pvalue
        assert welch_test(a, b) == pytest.approx(expected, abs=1e-9)


@given(runs(2, 5), runs(2, 5))
def test_permutation_test_of_all_splits(a, b):
    def difference(x, y, axis):
        # rounded, so that splits that are equal by arithmetic are equal
        return np.round(np.abs(np.mean(x, axis=axis) - np.mean(y, axis=axis)), 9)

    expected = stats.permutation_test(
        (a, b), difference, alternative="greater", n_resamples=np.inf, vectorized=True
    )
    assert permutation_test(a, b) == pytest.approx(expected.pvalue, abs=1e-12)


def test_permutation_test_of_some_splits():
    """25 runs each have 1.3e14 splits; the p value of a sample is near Welch's for normal data."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(0.0, 1.0, 25), rng.normal(0.6, 1.0, 25)
    p = permutation_test(a, b, seed=3)
    assert p == permutation_test(a, b, seed=3)
    assert p != permutation_test(a, b, seed=4)
    assert p == pytest.approx(welch_test(a, b), abs=0.01)
    assert permutation_test(a, a + 100) == 1 / 10_001


def test_bootstrap_is_that_of_scipy():
    values = np.random.default_rng(5).normal(0.0, 1.0, 20)
    expected = stats.bootstrap(
        (values,),
        lambda x, axis: stats.trim_mean(x, 0.25, axis=axis),
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(6),
    ).confidence_interval
    found = bootstrap_interval([values], seed=7, resamples=20_000)
    assert found == pytest.approx((expected.low, expected.high), abs=0.03)
    assert found == bootstrap_interval([values], seed=7, resamples=20_000)


def test_strata_are_drawn_by_themselves():
    """Two games whose runs are all alike leave nothing to chance; drawn together they would."""
    assert bootstrap_interval([[0.0] * 5, [1.0] * 5]) == (0.5, 0.5)
    low, high = bootstrap_interval([[0.0] * 5 + [1.0] * 5])
    assert low < 0.5 < high


def test_one_run_says_nothing_about_chance():
    one = summary([0.5])
    assert (one.runs, one.mean, one.worst, one.interquartile_mean) == (1, 0.5, 0.5, 0.5)
    assert isnan(one.standard_error)
    assert all(isnan(x) for x in (*one.t_interval, *one.interquartile_interval))
    assert isnan(welch_test([0.5], [0.1, 0.2]))
    assert isnan(permutation_test([0.1, 0.2], [0.5]))


def test_runs_that_are_all_alike():
    same = summary([0.25] * 4)
    assert same.standard_error == 0
    assert same.t_interval == same.interquartile_interval == (0.25, 0.25)
    assert welch_test([0.0] * 3, [0.0] * 3) == permutation_test([0.0] * 3, [0.0] * 3) == 1
    assert welch_test([0.1] * 3, [0.1] * 5) == permutation_test([0.1] * 3, [0.1] * 5) == 1
    assert welch_test([0.0] * 3, [1.0] * 3) == 0
    assert permutation_test([0.0] * 3, [1.0] * 3) == 2 / 20  # 6 over 3 splits, 2 as extreme


def test_summary_by_hand():
    """Mean .3, deviations -.2 -.1 .3: variance .07, standard error sqrt(.07 / 3)."""
    found = summary([0.1, 0.2, 0.6])
    assert (found.mean, found.worst) == (pytest.approx(0.3), 0.1)
    assert found.standard_error == pytest.approx((0.07 / 3) ** 0.5)
    assert found.t_interval[1] == pytest.approx(0.3 + 4.302653 * (0.07 / 3) ** 0.5, abs=1e-6)
