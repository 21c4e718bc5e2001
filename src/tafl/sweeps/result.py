"""What a sweep has found: its trials, the best points with fresh seeds, and what mattered."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import isnan, nan
from typing import Any

import numpy as np

from tafl.arena.statistics import standard_error, variance_share
from tafl.files import to_json
from tafl.settings.tables import Fields
from tafl.sweeps.space import Point, Range, Space

BINS = 5  # of a range, to see what it does to scores
LEAST = 4  # trials in a bin


@dataclass(frozen=True)
class Score:
    """What a run scored at its end, with the error of its games; or that it diverged."""

    mean: float | None
    standard_error: float | None = None

    @property
    def diverged(self) -> bool:
        """Did its weights grow beyond all bounds?"""
        return self.mean is None


@dataclass(frozen=True)
class Trial:
    """A point, a seed, and what came of it."""

    number: int
    point: Point
    seed: int
    score: Score

    def document(self) -> Fields:
        """For JSON."""
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
        """The scores of the seeds that did not diverge."""
        return [score.mean for score in self.scores if score.mean is not None]

    @property
    def mean(self) -> float:
        """Over seeds."""
        return float(np.mean(self.means)) if self.means else nan

    @property
    def error(self) -> float:
        """The standard error over seeds."""
        return standard_error(self.means)

    @property
    def diverged(self) -> int:
        """The number of seeds that did."""
        return len(self.scores) - len(self.means)

    def document(self) -> Fields:
        """For JSON."""
        return {
            "trial": self.trial,
            "point": self.point,
            "search": self.search,
            "mean": self.mean,
            "standard_error": self.error,
            "diverged": self.diverged,
            "scores": [score.mean for score in self.scores],
        }


@dataclass(frozen=True)
class Sweep:
    """What a sweep has found; scores are in points, against `opponent`.

    `confirmed` are the best points, the best first by their fresh seeds; `base` is the same for
    the settings without changes.

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
        """For each setting, how much of the variance of the trials' scores it explains alone."""
        return {
            key: variance_share([[score for _, score in group] for group in self.groups(key)])
            for key in self.space
        }

    def groups(self, key: str) -> list[list[tuple[Any, float]]]:
        """The values of a setting with the scores of their trials, close ones together.

        Each value of a list is a group; a range is cut into parts with equally many trials.
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
        """All of it, for JSON."""
        return {
            "game": self.game,
            "opponent": self.opponent,
            "trials": [trial.document() for trial in self.trials],
            "confirmed": [one.document() for one in self.confirmed],
            "base": self.base.document() if self.base else None,
            "shares": self.shares,
        }


def best_points(trials: Iterable[Trial], number: int) -> list[tuple[Trial, float]]:
    """The points with the highest means, each with its first trial; early ones win ties."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(to_json(trial.point), []).append(trial)
    means = [(group[0], _mean(group)) for group in groups.values()]
    sound = [(first, mean) for first, mean in means if not isnan(mean)]
    return sorted(sound, key=lambda pair: -pair[1])[:number]


def _mean(trials: list[Trial]) -> float:
    """The mean score of trials of one point; nan if one of them diverged."""
    means = [trial.score.mean for trial in trials]
    return nan if None in means else float(np.mean([m for m in means if m is not None]))
