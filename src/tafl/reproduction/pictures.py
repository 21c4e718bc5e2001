"""Learning curves of the reproduction, beside those of the authors."""

from pathlib import Path

import numpy as np

from tafl.pictures.curves import Line, Panel, draw_curves
from tafl.reproduction.rows import FIGURE_3, MAIN, VARIANTS, Number, Row, authors_curves, rows
from tafl.reproduction.runs import Stored, chosen
from tafl.runs.curves import Curve, joined

COLOURS = {True: "tab:red", False: "tab:blue"}  # FARL, no FARL
FILES = {"connectfour": "fig4.png"}


def draw_all(results: list[Stored], folder: Path) -> dict[str, str]:
    """Draw a picture for each row that has runs; return the names of the files."""
    drawn: dict[str, str] = {}
    for row in rows().values():
        algorithms = ("td", "sarsa") if row.name == FIGURE_3 else ("td",)
        panels = [_panel(results, row, a, n) for a in algorithms for n in row.of_curve]
        if any(not line.points for line in panels[0].lines):
            drawn[row.name] = FILES.get(row.name, f"{row.name}.png")
            draw_curves(panels, folder / drawn[row.name], one_scale=True)
    return drawn


def _panel(results: list[Stored], row: Row, algo: str, number: Number) -> Panel:
    """Return the curves of one number, with and without FARL, and the authors' points."""
    theirs = number.sarsa_log_curves if algo == "sarsa" else number.log_curves
    lines = []
    for k, main in enumerate(MAIN):
        variant = VARIANTS[main.replace("td", algo)]
        label, colour = "FARL" if variant.farl else "no FARL", COLOURS[variant.farl]
        runs = [r["curve"][number.opponent] for r in chosen(results, row.name, variant.name)]
        if runs:
            ours = joined(label, [{int(at): value for at, value, _ in run} for run in runs])
            lines.append(Line(f"{label} ({len(runs)} runs)", ours, colour, single_runs=True))
        if theirs:
            at, values, _ = np.array(authors_curves()[theirs[k]]).T
            points = Curve(label, [int(episode) for episode in at], values[None])
            lines.append(Line(f"{label}, authors", points, colour, points=True))
    name = number.label or f"against {number.opponent}"
    return Panel(f"{row.title}, {algo.upper()}, {name}", row.measure, lines)
