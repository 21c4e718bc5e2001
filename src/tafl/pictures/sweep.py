"""A picture of a sweep: the scores of each setting's values, and the variance they explain."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tafl.arena.statistics import standard_error
from tafl.numbers import share
from tafl.pictures.curves import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 3
WIDTH, HEIGHT = 4.2, 3.4  # of a panel, in inches
LONGEST = 14  # characters of a value below its column
SPREAD = 0.3  # of the trials of one value, to either side

Group = Sequence[tuple[Any, float]]  # values of a setting, and scores of trials


@dataclass(frozen=True)
class Panel:
    """One setting: trials in groups of equal or close values, and the share of the variance."""

    name: str
    share: float
    groups: Sequence[Group]
    values: Sequence[Any] | None = None  # None for a range of numbers
    log: bool = False
    best: Sequence[tuple[Any, float, float]] = ()  # value, mean and error of confirmed points


def draw_sweep(
    panels: Sequence[Panel], path: Path, title: str, measure: str, base: float | None
) -> None:
    """Save the panels as a PNG, with a line for the score of the unchanged settings."""
    from matplotlib.figure import Figure

    rows = -(-len(panels) // COLUMNS)
    columns = min(len(panels), COLUMNS)
    # 0.4 inches for the legend
    figure = Figure(figsize=(WIDTH * columns, HEIGHT * rows + 0.4), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True).flat
    for one, panel in zip(axes, panels, strict=False):
        _draw(one, panel)
        if base is not None and not isnan(base):
            one.axhline(base, color="grey", linestyle=":", label="without changes, fresh seeds")
    for empty in list(axes)[len(panels) :]:
        empty.set_axis_off()
    for k in range(0, len(panels), COLUMNS):
        figure.axes[k].set_ylabel(measure)
    figure.suptitle(title)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    save(figure, path)


def _draw(axes: "Axes", panel: Panel) -> None:
    known = "unknown share" if isnan(panel.share) else share(panel.share)
    axes.set_title(f"{panel.name}: {known} of the variance", fontsize="medium")
    axes.grid(alpha=0.3)
    if panel.values is not None:
        texts = [str(value) for value in panel.values]
        shown = [t if len(t) <= LONGEST else f"{t[: LONGEST - 1]}…" for t in texts]
        axes.set_xticks(range(len(texts)), shown)
        axes.set_xlim(-0.5, len(panel.values) - 0.5)
    elif panel.log:
        axes.set_xscale("log")
    if groups := [group for group in panel.groups if group]:  # not all have diverged
        _draw_trials(axes, panel, groups)
    if panel.best:
        at = np.concatenate(_places(panel, [[(value, mean)] for value, mean, _ in panel.best]))
        _, means, errors = zip(*panel.best, strict=True)
        label = "best points, fresh seeds"
        axes.errorbar(at, means, np.nan_to_num(errors), fmt="*", ms=10, color="C3", label=label)


def _draw_trials(axes: "Axes", panel: Panel, groups: Sequence[Group]) -> None:
    x, scores = _places(panel, groups), [[score for _, score in group] for group in groups]
    axes.plot(np.concatenate(x), np.concatenate(scores), ".", color="C0", alpha=0.35, label="trial")
    means = [float(np.mean(values)) for values in scores]
    middles = [float(np.median(places)) for places in x]
    errors = np.nan_to_num([standard_error(values) for values in scores])
    style = "o-" if panel.values is None else "o"
    axes.errorbar(middles, means, errors, fmt=style, color="C0", capsize=3, label="mean of trials")


def _places(panel: Panel, groups: Sequence[Group]) -> list[np.ndarray]:
    """Return the x of trials: their numbers, or places side by side in the column of a value."""
    if panel.values is None:
        return [np.array([value for value, _ in group], float) for group in groups]
    return [
        panel.values.index(group[0][0])
        + (np.linspace(-SPREAD, SPREAD, len(group)) if len(group) > 1 else np.zeros(1))
        for group in groups
    ]
