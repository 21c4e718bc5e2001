"""Learning curves as a picture."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tafl.arguments import argument
from tafl.errors import InputError
from tafl.files import check_writable, replacing
from tafl.runs.curves import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
WIDTH, HEIGHT = 6.0, 4.0  # of a panel, in inches


@dataclass(frozen=True)
class Line:
    """A learning curve: the mean with a band of one standard error, or published points."""

    label: str
    curve: Curve
    colour: str | None = None
    single_runs: bool = False  # draw them, too, as thin lines
    points: bool = False  # draw dots instead of a line


@dataclass(frozen=True)
class Panel:
    """Curves over the same episodes; `best` is the score of perfect play."""

    title: str
    measure: str
    lines: list[Line] = field(default_factory=list)
    best: float | None = None


def draw_curves(
    panels: Sequence[Panel], path: Path, title: str = "", one_scale: bool = False
) -> None:
    """Save panels side by side as a picture; `one_scale` is a scale for all of them."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH * len(panels), HEIGHT), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=one_scale)[0]
    for one, panel in zip(axes, panels, strict=True):
        _draw(one, panel)
    axes[-1].legend(loc="best")
    if title:
        figure.suptitle(title)
    save(figure, path)


def save(figure: "Figure", path: Path) -> None:
    """Save a figure; a PNG without the version of Matplotlib, so that its bytes stay the same."""
    about = {"Software": None} if path.suffix == ".png" else None
    with replacing(path, "wb") as file:
        figure.savefig(file, dpi=110, metadata=about, format=path.suffix[1:])


def _draw(axes: "Axes", panel: Panel) -> None:
    for line in panel.lines:
        _draw_line(axes, line)
    axes.set(title=panel.title, xlabel="episodes", ylabel=panel.measure, xlim=(0, None))
    if panel.best is not None:
        axes.axhline(panel.best, color="grey", linestyle=":", label="perfect play")
        axes.set_ylim(0, 1.05 * panel.best)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.locator_params(axis="x", nbins=5)
    axes.grid(alpha=0.3)


def _draw_line(axes: "Axes", line: Line) -> None:
    x, means = line.curve.episodes, np.array(line.curve.means)
    if line.points:
        axes.plot(x, means, ".", color=line.colour, alpha=0.6, markersize=4, label=line.label)
        return
    (drawn,) = axes.plot(x, means, color=line.colour, label=line.label)
    if line.single_runs:
        for one in line.curve.values:
            axes.plot(x, one, color=drawn.get_color(), alpha=0.2, linewidth=0.7)
    band = np.nan_to_num(line.curve.errors)
    axes.fill_between(x, means - band, means + band, color=drawn.get_color(), alpha=0.25)


def check_picture(path: Path) -> Path:
    """Return the path of a picture, or refuse it if it cannot be written."""
    if path.suffix not in FORMATS:
        raise InputError(f"{path} must end in {', '.join(FORMATS)}")
    return check_writable(path, argument("out"))
