"""Learning curves: what several runs scored on their way, and what they say together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tafl.arena.statistics import standard_error
from tafl.errors import InputError
from tafl.runs.run import Run


@dataclass(frozen=True)
class Curve:
    """Scores of the runs of one experiment, at the episodes where all of them were evaluated."""

    name: str
    episodes: list[int]
    values: np.ndarray  # float64[runs, episodes]

    @property
    def means(self) -> list[float]:
        """The mean over runs at each episode."""
        return [float(mean) for mean in self.values.mean(axis=0)]

    @cached_property
    def errors(self) -> list[float]:
        """The standard error at each episode; nan for one run."""
        return [standard_error(column) for column in self.values.T]

    @property
    def last(self) -> np.ndarray:
        """The last value of each run."""
        column: np.ndarray = self.values[:, -1]
        return column


def joined(name: str, runs: Sequence[Mapping[int, float]]) -> Curve:
    """Return the curve of several runs, each of them values by episode.

    >>> joined("two", [{10: 0.0, 20: 0.5}, {10: 1.0}]).means
    [0.5]
    """
    common = sorted(set.intersection(*(set(run) for run in runs)))
    if not common:
        raise InputError(f"the runs of {name} were never evaluated after the same episode")
    return Curve(name, common, np.array([[run[e] for e in common] for run in runs]))


def scores(run: Run, opponent: str, key: str = "mean") -> dict[int, float]:
    """Return the scores of a run against an opponent, by episode."""
    return {
        line["episode"]: result[key]
        for line in run.metrics
        for result in line["results"]
        if result["opponent"] == opponent
    }


def self_play_means(run: Run) -> list[list[float]]:
    """Return the mean final score of each player in self-play since the previous evaluation."""
    means, episode, before = [], 0, np.zeros(1)
    for line in run.metrics:
        scores = np.array(line["scores"])
        means.append(((scores - before) / max(1, line["episode"] - episode)).tolist())
        episode, before = line["episode"], scores
    return means


def still_rising(run: Run) -> bool:
    """Return whether the last third of the evaluations beat the third before, beyond chance."""
    lines = [line["results"][0] for line in run.metrics]
    third = len(lines) // 3
    if third < 2:
        return False
    before, last = (
        [line["mean"] for line in part] for part in (lines[-2 * third : -third], lines[-third:])
    )
    errors = standard_error(before), standard_error(last)
    gained = float(np.mean(last) - np.mean(before))
    return gained > 2 * float(np.hypot(*errors)) and gained > 0
