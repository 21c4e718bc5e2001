"""Runs compared: the seeds of one experiment as a group, learning curves, and statistics."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

from tafl.arena.statistics import Summary, permutation_test, summary, welch_test
from tafl.errors import InputError, check_type
from tafl.runs.curves import Curve, joined, scores
from tafl.runs.run import Run
from tafl.settings.tables import Fields, differences


@dataclass(frozen=True)
class Group:
    """Runs that differ in nothing but their seeds."""

    name: str
    runs: list[Run]

    @classmethod
    def open(cls, path: str | Path) -> "Group":
        """Return a run by its folder, or all runs in a folder of several."""
        check_type("a run", path, str, os.PathLike)
        folder = Path(path)
        found = sorted(path.parent for path in folder.glob("*/settings.toml"))
        if (folder / "settings.toml").exists() or not found:
            return cls(str(folder), [Run.open(folder)])
        runs = sorted((Run.open(path) for path in found), key=lambda run: run.settings.seed)
        for one, other in pairwise(runs):
            same_seed = {**one.settings.tree(), "seed": other.settings.seed}
            if what := next(differences(same_seed, other.settings.tree()), None):
                raise InputError(
                    f"the runs in {folder} differ in more than their seed: {what[0]} is "
                    f"{what[1]} in {one.path.name} and {what[2]} in {other.path.name}"
                )
        return cls(str(folder), runs)

    def curve(self, opponent: str) -> Curve:
        """Return the mean scores against one opponent."""
        return joined(self.name, [scores(run, opponent) for run in self.runs])


@dataclass(frozen=True)
class Comparison:
    """The groups against one opponent; p-values are those of the first two groups."""

    game: str
    opponent: str
    groups: list[Group]
    curves: list[Curve]
    summaries: list[Summary]
    welch: float | None = None
    permutation: float | None = None

    def document(self) -> Fields:
        """Everything, for JSON."""
        groups = []
        for curve, found in zip(self.curves, self.summaries, strict=True):
            line = {"name": curve.name, "episode": curve.episodes[-1], **asdict(found)}
            line["curve"] = {"episodes": curve.episodes, "means": curve.means}
            line["curve"]["standard_errors"] = curve.errors
            groups.append(line)
        p_values = {"welch": self.welch, "permutation": self.permutation}
        return {"opponent": self.opponent, "groups": groups, "p_values": p_values}


def compare(
    *runs: str | Path | Group, opponent: str | None = None, seed: int = 0
) -> list[Comparison]:
    """Compare runs, or folders of several seeds, against each opponent that all of them met.

    The seed is that of bootstrap and permutation test.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     for name, farl in (("farl", True), ("no-farl", False)):
    ...         run = tafl.train("nim", episodes=2000, farl=farl, out=f"{home}/{name}")
    ...     (found,) = tafl.compare(f"{home}/farl", f"{home}/no-farl", opponent="exact")
    >>> found.opponent, found.summaries[0].mean > found.summaries[1].mean
    ('exact', True)
    """
    groups = [run if isinstance(run, Group) else Group.open(run) for run in runs]
    if not groups:
        raise InputError("name at least one folder")
    for one, other in pairwise(groups):
        games = [group.runs[0].settings.game for group in (one, other)]
        if games[0] != games[1]:
            both = f"{one.name} is a run of {games[0]}, but {other.name} is one of {games[1]}"
            raise InputError(both)
    return [_compare(groups, name, seed) for name in _opponents(groups, opponent)]


def _opponents(groups: Sequence[Group], wanted: str | None) -> list[str]:
    named: list[list[str]] = []
    for group in groups:
        lines = [line for run in group.runs for line in run.metrics[:1]]
        if not lines:
            raise InputError(f"{group.name} has no evaluations; train with evaluation.every set")
        named.append([result["opponent"] for result in lines[0]["results"]])
    common = [name for name in dict.fromkeys(named[0]) if all(name in other for other in named)]
    if not common:
        raise InputError("the runs were not evaluated against any common opponent")
    if wanted is not None and wanted not in common:
        raise InputError(
            f"not all runs were evaluated against {wanted}; opponents of all: {', '.join(common)}"
        )
    return common if wanted is None else [wanted]


def _compare(groups: list[Group], opponent: str, seed: int) -> Comparison:
    curves = [group.curve(opponent) for group in groups]
    game = groups[0].runs[0].settings.game
    found = Comparison(game, opponent, groups, curves, [summary(c.last, seed) for c in curves])
    if len(curves) < 2:
        return found
    one, other = (curve.last for curve in curves[:2])
    welch, permutation = welch_test(one, other), permutation_test(one, other, seed)
    return replace(found, welch=welch, permutation=permutation)
