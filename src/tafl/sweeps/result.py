"""The result of a sweep: trials, best points with fresh seeds, and shares of the variance."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import nan
from typing import Any

import numpy as np

from tafl.arena.statistics import standard_error, variance_share
from tafl.files import to_json
from tafl.settings.tables import Fields
from tafl.sweeps.space import Point, Range, Space

BINS = 5  # of a range
LEAST = 4  # trials in a bin


@dataclass(frozen=True)
class Score:
    """The score of a run at its end, with the error of its games; None if it diverged."""

    mean: float | None
    standard_error: float | None = None

    @property
    def diverged(self) -> bool:
        """Tell whether the weights diverged."""
        return self.mean is None


@dataclass(frozen=True)
class Trial:
    """A point, a seed, and the score."""

    number: int
    point: Point
    seed: int
    score: Score

    def document(self) -> Fields:
        """Return the trial for JSON."""
        place = {"trial": self.number, "point": self.point, "seed": self.seed}
        return {**place, **asdict(self.score), "diverged": self.score.diverged}


@dataclass(frozen=True)
class Confirmed:
    """A point with fresh seeds; `trial` is the first that tried it, or None for the base."""

    trial: int | None
    point: Point
    search: float  # the mean of its trials; nan for the base
    scores: list[Score]

    @property
    def means(self) -> list[float]:
        """Return the scores of the seeds that did not diverge."""
        return [score.mean for score in self.scores if score.mean is not None]

    @property
    def mean(self) -> float:
        """Return the mean over seeds."""
        return float(np.mean(self.means)) if self.means else nan

    @property
    def error(self) -> float:
        """Return the standard error over seeds."""
        return standard_error(self.means)

    @property
    def diverged(self) -> int:
        """Return the number of seeds that diverged."""
        return len(self.scores) - len(self.means)

    def document(self) -> Fields:
        """Return the point for JSON."""
        place = {"trial": self.trial, "point": self.point, "search": self.search}
        found = {"mean": self.mean, "standard_error": self.error, "diverged": self.diverged}
        return {**place, **found, "scores": [score.mean for score in self.scores]}


@dataclass(frozen=True)
class Sweep:
    """The result of a sweep; scores are in points, against `opponent`.

    `confirmed` are the best points with fresh seeds, the best first; `base` has the unchanged
    settings with the same seeds.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     found = tafl.sweep("nim", {"td.alpha": [0.01, 0.5]}, episodes=500, vs="exact",
    ...                        confirm=1, fresh=2, out=f"{home}/sweep")
    >>> len(found.trials), len(found.confirmed[0].scores), found.base.point
    (2, 2, {'td.alpha': 0.5})
    """

    game: str
    opponent: str
    space: Space
    trials: list[Trial]
    confirmed: list[Confirmed]
    base: Confirmed | None

    @property
    def shares(self) -> dict[str, float]:
        """Return the share of the variance of scores that each setting explains."""
        return {
            key: variance_share([[score for _, score in group] for group in self.groups(key)])
            for key in self.space
        }

    def groups(self, key: str) -> list[list[tuple[Any, float]]]:
        """Return pairs of value and score: a group per value of a list, or per part of a range.

        The parts of a range have equally many trials.
        """
        pairs = [(t.point[key], t.score.mean) for t in self.trials if t.score.mean is not None]
        tried = self.space[key]
        if not isinstance(tried, Range):
            return [[pair for pair in pairs if pair[0] == value] for value in tried.values]
        pairs.sort()
        bins = max(1, min(BINS, len(pairs) // LEAST))
        ends = [len(pairs) * k // bins for k in range(bins + 1)]
        return [pairs[a:b] for a, b in pairwise(ends)]

    def document(self) -> Fields:
        """Return the result for JSON."""
        return {
            "game": self.game,
            "opponent": self.opponent,
            "trials": [trial.document() for trial in self.trials],
            "confirmed": [one.document() for one in self.confirmed],
            "base": self.base.document() if self.base else None,
            "shares": self.shares,
        }


def best_points(trials: Iterable[Trial], number: int) -> list[tuple[Trial, float]]:
    """Return the first trials of the points with the highest means; early ones win ties.

    A point of which a trial diverged does not count.
    """
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(to_json(trial.point), []).append(trial)
    found = []
    for group in groups.values():
        means = [trial.score.mean for trial in group if trial.score.mean is not None]
        if len(means) == len(group):
            found.append((group[0], float(np.mean(means))))
    return sorted(found, key=lambda pair: -pair[1])[:number]
