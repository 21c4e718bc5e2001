"""Learning curves of a reproduction, ours beside the authors'."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tafl.arena.statistics import standard_error
from tafl.experiments.reproduction.rows import (
    FIGURE_3,
    MAIN,
    VARIANTS,
    Number,
    Row,
    authors_curves,
    rows,
)
from tafl.experiments.reproduction.runs import Result, chosen

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {True: "tab:red", False: "tab:blue"}  # FARL, no FARL
FILES = {"connectfour": "fig4.png"}


def draw_curves(results: list[Result], folder: Path) -> dict[str, str]:
    """A picture for each row of which there are runs; returns the names of the files."""
    from matplotlib.figure import Figure

    drawn: dict[str, str] = {}
    for row in rows().values():
        panels = [(algo, number) for algo in _algorithms(row) for number in row.of_curve]
        if not any(chosen(results, row.name, name) for name in _variants(panels[0][0])):
            continue
        figure = Figure(figsize=(6 * len(panels), 4), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        for panel, (algo, number) in zip(axes, panels, strict=True):
            _draw(panel, results, row, algo, number)
            name = number.label or f"against {number.opponent}"
            panel.set_title(f"{row.title}, {algo.upper()}, {name}")
        axes[0].set_ylabel(row.measure)
        axes[-1].legend(loc="best")
        drawn[row.name] = FILES.get(row.name, f"{row.name}.png")
        figure.savefig(folder / drawn[row.name], dpi=110, metadata={"Software": None})
    return drawn


def _algorithms(row: Row) -> tuple[str, ...]:
    return ("td", "sarsa") if row.name == FIGURE_3 else ("td",)


def _variants(algo: str) -> list[str]:
    return [name.replace("td", algo) for name in MAIN]


def _draw(panel: "Axes", results: list[Result], row: Row, algo: str, number: Number) -> None:
    theirs = number.sarsa_log_curves if algo == "sarsa" else number.log_curves
    for k, name in enumerate(_variants(algo)):
        farl = VARIANTS[name].farl
        label, colour = "FARL" if farl else "no FARL", COLOURS[farl]
        curves = [np.array(r["curve"][number.opponent]) for r in chosen(results, row.name, name)]
        if curves:
            points = np.array(curves)  # run, point, (episodes, value, error)
            episodes, reached = points[0, :, 0], points[:, :, 1]
            for one in reached:
                panel.plot(episodes, one, color=colour, alpha=0.2, linewidth=0.7)
            middle = reached.mean(axis=0)
            text = f"{label} ({len(curves)} runs)"
            panel.plot(episodes, middle, color=colour, label=text)
            if len(curves) > 1:
                band = np.array([standard_error(column) for column in reached.T])
                low, high = middle - band, middle + band
                panel.fill_between(episodes, low, high, color=colour, alpha=0.25)
        if theirs:
            x, y, _ = np.array(authors_curves()[theirs[k]]).T
            panel.plot(x, y, ".", color=colour, alpha=0.6, markersize=4, label=f"{label}, authors")
    panel.set(xlabel="episodes", xlim=(0, None))
    panel.xaxis.set_major_formatter("{x:,.0f}")
    panel.locator_params(axis="x", nbins=5)
    panel.grid(alpha=0.3)
