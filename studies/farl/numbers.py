"""From scores of runs to what is kept without FARL, and to a rule for that."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import hypot, nan, sqrt
from statistics import mean

from studies.farl.known import Known
from studies.farl.subjects import Subject
from studies.records import Measurement
from tafl.arena.statistics import standard_error

ALGOS = ("td", "sarsa", "q")
FEWEST = 3  # points of a line
UNSURE = 0.25  # a share with a larger error says nothing: hardly anything was learned


def learner_of(run: Measurement) -> str:
    """Return the way in which a run learned: td-farl, td-part-1, ..."""
    return str(run.condition["learner"])


def runs_of(runs: Iterable[Measurement], name: str, learner: str) -> list[Measurement]:
    """Return the runs of a game that learned in one way, by seed."""
    found = [run for run in runs if (run.game, learner_of(run)) == (name, learner)]
    return sorted(found, key=lambda run: run.seed or 0)


def values(runs: Iterable[Measurement], name: str, learner: str) -> list[float]:
    """Return what the runs of a way to learn have reached, by seed."""
    return [run.value for run in runs_of(runs, name, learner)]


@dataclass(frozen=True)
class Share:
    """Of what is learned with FARL, what is learned without it, and its standard error."""

    value: float
    error: float


def kept(runs: Sequence[Measurement], name: str, algo: str, way: str = "no-farl") -> Share | None:
    """Return what a way to learn keeps of what is learned with FARL; None where it says nothing.

    0 is a player that has learned nothing, 1 is one that has learned with FARL.
    """
    first = "td" if algo == "td" else "q"
    base, on, off = (
        values(runs, name, way) for way in (f"{first}-untrained", f"{algo}-farl", f"{algo}-{way}")
    )
    if min(len(base), len(on), len(off)) < 2:
        return None
    span = mean(on) - mean(base)
    share = (mean(off) - mean(base)) / span
    of_base, of_on, of_off = map(standard_error, (base, on, off))
    error = hypot(of_off, share * of_on, (share - 1) * of_base) / abs(span)
    return Share(share, error) if span > 0 and error <= UNSURE else None


@dataclass(frozen=True)
class Point:
    """A game with one learner: the known share from its rules, and the measured kept share."""

    subject: Subject
    algo: str
    known: Known
    kept: Share


def points(
    runs: Sequence[Measurement], known: dict[tuple[str, str], Known], subjects: Iterable[Subject]
) -> list[Point]:
    """Return all games and algorithms of which both are stored."""
    found = []
    for subject in subjects:
        for algo in ALGOS:
            computed = known.get((subject.name, "td" if algo == "td" else "q"))
            measured = kept(runs, subject.name, algo)
            if computed is not None and measured is not None:
                found.append(Point(subject, algo, computed, measured))
    return found


@dataclass(frozen=True)
class Rule:
    """Kept share = intercept + slope * known share; `spread` is how far off it was."""

    intercept: float
    slope: float
    spread: float  # root of the mean square
    usual: float  # the mean of what was kept
    points: int

    def predicted(self, known: Known) -> float:
        """Return the share that a game keeps without FARL."""
        return self.at(known.share)

    def at(self, x: float) -> float:
        """Return the height of the line."""
        return self.intercept + self.slope * x


def fitted(found: Sequence[Point], x: Callable[[Point], float] = lambda p: p.known.share) -> Rule:
    """Return the straight line with the least squares; nan where there are too few points."""
    if len(found) < FEWEST:
        return Rule(nan, nan, nan, nan, len(found))
    xs, ys = [x(point) for point in found], [point.kept.value for point in found]
    middle, usual = mean(xs), mean(ys)
    slope = sum((a - middle) * (b - usual) for a, b in zip(xs, ys, strict=True))
    slope /= sum((a - middle) ** 2 for a in xs) or 1.0  # a constant explains nothing
    rest = [b - usual - slope * (a - middle) for a, b in zip(xs, ys, strict=True)]
    return Rule(usual - slope * middle, slope, root_mean_square(rest), usual, len(found))


def root_mean_square(values: Sequence[float]) -> float:
    """Return how far from 0 values are.

    >>> root_mean_square([3.0, -3.0])
    3.0
    """
    return sqrt(mean(value**2 for value in values))
