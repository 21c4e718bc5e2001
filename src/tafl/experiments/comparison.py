"""Runs compared: the seeds of one experiment as a group, learning curves, and statistics."""

from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from tafl.arena.statistics import (
    Summary,
    permutation_test,
    standard_error,
    summary,
    welch_test,
)
from tafl.errors import InputError
from tafl.experiments.run import Run, difference
from tafl.experiments.settings import Tree

PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Group:
    """Runs that differ in nothing but their seeds."""

    name: str
    runs: list[Run]

    @classmethod
    def open(cls, folder: Path) -> "Group":
        """A run by its folder, or all runs in a folder of several."""
        found = sorted(path.parent for path in folder.glob("*/settings.toml"))
        if (folder / "settings.toml").exists() or not found:
            return cls(str(folder), [Run.open(folder)])
        runs = sorted((Run.open(path) for path in found), key=lambda run: run.settings.seed)
        for one, other in pairwise(runs):
            same_seed = {**one.settings.tree(), "seed": other.settings.seed}
            if what := difference(same_seed, other.settings.tree()):
                raise InputError(
                    f"the runs in {folder} are not seeds of one experiment: "
                    f"{one.path.name} has {what[0]} = {what[1]}, {other.path.name} has {what[2]}"
                )
        return cls(str(folder), runs)


@dataclass(frozen=True)
class Curve:
    """What the runs of a group scored, at the episodes where all of them were evaluated."""

    group: Group
    episodes: list[int]
    scores: np.ndarray  # run, episode

    @property
    def means(self) -> list[float]:
        """The mean over runs at each episode."""
        return [float(mean) for mean in self.scores.mean(axis=0)]

    @cached_property
    def errors(self) -> list[float]:
        """The standard error at each episode; nan for one run."""
        return [standard_error(column) for column in self.scores.T]

    @property
    def last(self) -> np.ndarray:
        """The last score of each run."""
        column: np.ndarray = self.scores[:, -1]
        return column

    @property
    def complete(self) -> bool:
        """Have all runs of the group come to their end?"""
        return self.episodes[-1] == self.group.runs[0].settings.episodes


def learning_curve(group: Group, opponent: str) -> Curve:
    """The mean scores of a group against one opponent, in the game's own points."""
    scores: list[dict[int, float]] = []
    for run in group.runs:
        unit = run.game.facts.score_unit
        scores.append(
            {
                line["episode"]: result["mean"] / unit
                for line in run.metrics
                for result in line["results"]
                if result["opponent"] == opponent
            }
        )
    common = sorted(set.intersection(*(set(one) for one in scores)))
    if not common:
        raise InputError(
            f"the runs of {group.name} have no evaluation against {opponent} in common"
        )
    return Curve(group, common, np.array([[one[e] for e in common] for one in scores]))


@dataclass(frozen=True)
class Comparison:
    """The groups against one opponent; p values are those of the first two groups."""

    opponent: str
    curves: list[Curve]
    summaries: list[Summary]
    welch: float | None = None
    permutation: float | None = None

    def document(self) -> Tree:
        """Everything, for JSON."""
        groups = []
        for curve, found in zip(self.curves, self.summaries, strict=True):
            line = {"name": curve.group.name, "episode": curve.episodes[-1], **asdict(found)}
            line["curve"] = {"episodes": curve.episodes, "means": curve.means}
            line["curve"]["standard_errors"] = curve.errors
            groups.append(line)
        p_values = {"welch": self.welch, "permutation": self.permutation}
        return {"opponent": self.opponent, "groups": groups, "p_values": p_values}


def compare(groups: list[Group], opponent: str | None = None, seed: int = 0) -> list[Comparison]:
    """Compares groups against each opponent that all of them were evaluated against."""
    for one, other in pairwise(groups):
        games = [group.runs[0].game.name for group in (one, other)]
        if games[0] != games[1]:
            raise InputError(f"{one.name} plays {games[0]}, but {other.name} plays {games[1]}")
    return [_compare(groups, name, seed) for name in _opponents(groups, opponent)]


def _opponents(groups: list[Group], wanted: str | None) -> list[str]:
    named: list[list[str]] = []
    for group in groups:
        lines = [line for run in group.runs for line in run.metrics[:1]]
        if not lines:
            raise InputError(f"{group.name} has no evaluation yet; set evaluation.every")
        named.append([result["opponent"] for result in lines[0]["results"]])
    common = [name for name in dict.fromkeys(named[0]) if all(name in other for other in named)]
    if not common:
        raise InputError("the runs were not evaluated against any common opponent")
    if wanted is not None and wanted not in common:
        raise InputError(
            f"not all runs were evaluated against {wanted}; they were against: {', '.join(common)}"
        )
    return common if wanted is None else [wanted]


def _compare(groups: list[Group], opponent: str, seed: int) -> Comparison:
    curves = [learning_curve(group, opponent) for group in groups]
    summaries = [summary(curve.last, seed) for curve in curves]
    if len(curves) < 2:
        return Comparison(opponent, curves, summaries)
    one, other = (curve.last for curve in curves[:2])
    welch, permutation = welch_test(one, other), permutation_test(one, other, seed)
    return Comparison(opponent, curves, summaries, welch, permutation)


def plot(comparisons: list[Comparison], path: Path) -> None:
    """Saves the learning curves, with bands of one standard error, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6 * len(comparisons), 4), layout="constrained")
    panels = figure.subplots(1, len(comparisons), squeeze=False)[0]
    for panel, comparison in zip(panels, comparisons, strict=True):
        for curve in comparison.curves:
            means, errors = np.array(curve.means), np.nan_to_num(curve.errors)
            label = f"{curve.group.name} ({len(curve.group.runs)})"
            (line,) = panel.plot(curve.episodes, means, label=label)
            band = (means - errors, means + errors)
            panel.fill_between(curve.episodes, *band, color=line.get_color(), alpha=0.25)
        against = "" if comparison.opponent == "alone" else f" against {comparison.opponent}"
        panel.set(xlabel="episodes", ylabel=f"mean score{against}", xlim=(0, None))
        panel.xaxis.set_major_formatter("{x:,.0f}")
        panel.locator_params(axis="x", nbins=5)
        panel.grid(alpha=0.3)
    figure.suptitle(comparisons[0].curves[0].group.runs[0].game.name)
    panels[-1].legend(loc="lower right")
    figure.savefig(path, dpi=120)


def check_picture(path: Path) -> Path:
    """A path for a picture, if it can be written there."""
    if path.suffix not in PICTURES:
        raise InputError(f"{path}: a picture ends in {', '.join(PICTURES)}")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")
    return path
