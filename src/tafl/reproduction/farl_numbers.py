"""What the stored runs say about FARL: its worth, what is kept without it, and a rule for that."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import hypot, isnan, nan, sqrt
from pathlib import Path
from statistics import mean

from tafl.arena.statistics import standard_error
from tafl.files import read_sealed, replacing, sealed, to_json
from tafl.reproduction.farl import Subject
from tafl.reproduction.farl_rule import Known
from tafl.settings.tables import Fields

PREDICTIONS = "farl_predictions.json"
ALGOS = ("td", "sarsa", "q")
FEWEST = 3  # points of a line
UNSURE = 0.25  # a share with a larger error says nothing: hardly anything was learned


def values(lines: Iterable[Fields], name: str, way: str) -> list[float]:
    """What the runs of a way to learn have reached, by seed."""
    found = [line for line in lines if (line["game"], line["way"]) == (name, way)]
    return [line["value"] for line in sorted(found, key=lambda line: int(line["seed"]))]


@dataclass(frozen=True)
class Share:
    """Of what is learned with FARL, what is learned without it, and its standard error."""

    value: float
    error: float


def kept(lines: Sequence[Fields], name: str, algo: str, way: str = "no-farl") -> Share | None:
    """What a way to learn keeps of what is learned with FARL; None where it says nothing.

    0 is a player that has learned nothing, 1 is one that has learned with FARL.
    """
    first = "td" if algo == "td" else "q"
    base, on, off = (
        values(lines, name, way) for way in (f"{first}-untrained", f"{algo}-farl", f"{algo}-{way}")
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
    """What is known of a game from its rules, and what was measured."""

    subject: Subject
    algo: str
    known: Known
    kept: Share


def points(
    lines: Sequence[Fields], known: dict[tuple[str, str], Known], subjects: Iterable[Subject]
) -> list[Point]:
    """All games and algorithms of which both are stored."""
    found = []
    for subject in subjects:
        for algo in ALGOS:
            computed = known.get((subject.name, "td" if algo == "td" else "q"))
            measured = kept(lines, subject.name, algo)
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
        """The share that a game keeps without FARL."""
        return self.at(known.share)

    def at(self, x: float) -> float:
        """Where the line is."""
        return self.intercept + self.slope * x


def fitted(found: Sequence[Point], x: Callable[[Point], float] = lambda p: p.known.share) -> Rule:
    """The straight line with the least squares; nan where there are too few points for one."""
    if len(found) < FEWEST:
        return Rule(nan, nan, nan, nan, len(found))
    xs, ys = [x(point) for point in found], [point.kept.value for point in found]
    middle, usual = mean(xs), mean(ys)
    slope = sum((a - middle) * (b - usual) for a, b in zip(xs, ys, strict=True))
    slope /= sum((a - middle) ** 2 for a in xs) or 1.0  # a constant explains nothing
    rest = [b - usual - slope * (a - middle) for a, b in zip(xs, ys, strict=True)]
    return Rule(usual - slope * middle, slope, root_mean_square(rest), usual, len(found))


def root_mean_square(values: Sequence[float]) -> float:
    """How far from 0 values are.

    >>> root_mean_square([3.0, -3.0])
    3.0
    """
    return sqrt(mean(value**2 for value in values))


def store_predictions(
    results: Path,
    lines: Sequence[Fields],
    known: dict[tuple[str, str], Known],
    subjects: Sequence[Subject],
) -> None:
    """Writes down what the rule says of new games that nobody has learned yet.

    The rule is fitted once, to the other games; what is written down is never changed.
    """
    before = load_predictions(results)
    rule, said = before or (fitted(points(lines, known, [s for s in subjects if not s.new])), {})
    if isnan(rule.slope):
        return
    learned = {line["game"] for line in lines}
    unheard = [s for s in subjects if s.new and s.name not in learned and s.name not in said]
    for subject in unheard:
        shares = {
            algo: known[key] for algo in ("td", "q") if (key := (subject.name, algo)) in known
        }
        if shares:
            predicted = {algo: round(rule.predicted(share), 3) for algo, share in shares.items()}
            said[subject.name] = predicted
    if unheard:
        content: Fields = {"rule": asdict(rule), "kept": said}
        with replacing(results / PREDICTIONS) as file:
            file.write(to_json(sealed(content), indent=1) + "\n")


def load_predictions(results: Path) -> tuple[Rule, dict[str, dict[str, float]]] | None:
    """The rule and what it said, if that is stored."""
    path = results / PREDICTIONS
    if not path.exists():
        return None
    found = read_sealed(path, ("rule", "kept"))
    return Rule(**found["rule"]), found["kept"]
