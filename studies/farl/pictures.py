"""Draw what is kept without FARL, measured and predicted."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tafl.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MARKS = {"td": ("o", "tab:red"), "sarsa": ("^", "tab:green"), "q": ("s", "tab:blue")}
LONGEST = (-0.6, 1.6)  # shares beyond are drawn at the edge


@dataclass(frozen=True)
class Dot:
    """A game: where it is expected, where it was found, and how sure that is."""

    label: str
    algo: str
    x: float
    y: float
    error: float


@dataclass(frozen=True)
class Panel:
    """Games around a line: slope, intercept, and how far off games may be."""

    title: str
    x: str
    line: tuple[float, float, float]
    dots: list[Dot] = field(default_factory=list)


@dataclass(frozen=True)
class Bar:
    """A game and what each way to learn reaches: 0 is nothing learned, 1 is FARL."""

    label: str
    shares: dict[str, tuple[float, float]]  # and its error


def draw_rule(panels: Sequence[Panel], path: Path) -> None:
    """Save panels side by side."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2 * len(panels), 6.0), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for one, panel in zip(axes, panels, strict=True):
        _draw_panel(one, panel)
    axes[0].set_ylabel("kept without FARL, measured")
    axes[0].legend(loc="upper left")
    _save(figure, path)


def _draw_panel(axes: "Axes", panel: Panel) -> None:
    intercept, slope, spread = panel.line
    ends = (-0.3, 1.2)
    middle = [intercept + slope * x for x in ends]
    axes.plot(ends, middle, color="grey")
    low, high = ([y + sign * spread for y in middle] for sign in (-1, 1))
    axes.fill_between(ends, low, high, color="grey", alpha=0.15)
    for algo, (mark, colour) in MARKS.items():
        dots = [dot for dot in panel.dots if dot.algo == algo]
        at, found = [dot.x for dot in dots], [_within(dot.y) for dot in dots]
        errors = [dot.error for dot in dots]
        name = algo.upper()
        axes.errorbar(at, found, errors, fmt=mark, color=colour, ms=5, label=name, alpha=0.8)
    for dot in panel.dots:
        if dot.algo == "td":
            place = (dot.x, _within(dot.y))
            axes.annotate(dot.label, place, (4, 3), textcoords="offset points", fontsize=7)
    axes.set_title(panel.title)
    axes.set_xlabel(panel.x)
    axes.set_xlim(*ends)
    axes.set_ylim(*LONGEST)
    axes.grid(alpha=0.3)


def draw_ways(bars: Sequence[Bar], path: Path) -> None:
    """Save the games below each other, with a dot for each way to learn."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 1.0 + 0.27 * len(bars)), layout="constrained")
    axes = figure.subplots()
    names = list(dict.fromkeys(name for bar in bars for name in bar.shares))
    for k, name in enumerate(names):
        rows = [(i, bar.shares[name]) for i, bar in enumerate(bars) if name in bar.shares]
        at = [_within(share) for _, (share, _) in rows]
        errors = [error for _, (_, error) in rows]
        height = [i + 0.16 * (k - (len(names) - 1) / 2) for i, _ in rows]
        axes.errorbar(at, height, xerr=errors, fmt="o", ms=4, label=name)
    axes.axvline(0, color="grey", linewidth=0.8)
    axes.axvline(1, color="grey", linewidth=0.8)
    axes.set_yticks(range(len(bars)), [bar.label for bar in bars], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlim(*LONGEST)
    axes.set_xlabel("share of what TD learns with FARL (0: nothing learned)")
    axes.grid(alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.06), ncols=len(names), fontsize=8)
    _save(figure, path)


def _within(share: float) -> float:
    return min(max(share, LONGEST[0]), LONGEST[1])


def _save(figure: "Figure", path: Path) -> None:
    with replacing(path, "wb") as file:
        figure.savefig(file, dpi=110, metadata={"Software": None}, format="png")
