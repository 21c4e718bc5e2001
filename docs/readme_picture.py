"""Draw docs/img/readme.png: a position with the champion's values, beside two learning curves.

    python docs/readme_picture.py

The curves are the stored runs of ConnectFour in results/, the values those of the champion.
"""

import json
from pathlib import Path
from statistics import mean

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch

import tafl

HOME = Path(__file__).resolve().parent.parent
POSITION = "connectfour: d c d d c c b"
OPPONENT = "ab-dl(blind=8)"
COLOURS = {"td-farl": ("with FARL", "#1f6feb"), "td-no-farl": ("without FARL", "#c2410c")}
ROWS, COLUMNS = 6, 7


def draw_board(axes: Axes) -> None:
    """Draw the position, with the value of each move above its column."""
    state = tafl.position(POSITION)
    values = tafl.agent("champion", state.game).values(state)
    box = FancyBboxPatch((-0.5, -0.5), COLUMNS, ROWS, boxstyle="round,pad=0.08", color="#2f5fb3")
    axes.add_patch(box)
    for cell, value in enumerate(state.cells):
        row, column = divmod(cell, COLUMNS)
        colour = {1: "#f2c230", 2: "#d9432f"}.get(value, "#ffffff")
        axes.add_patch(Circle((column, row), 0.4, color=colour))
    best = max(values.values())
    for column, value in values.items():
        axes.text(
            column,
            ROWS - 0.05,
            f"{value:+.2f}",
            ha="center",
            fontsize=11,
            color="#1a7f37" if value == best else "#57606a",
            fontweight="bold" if value == best else "normal",
        )
    axes.set(xlim=(-0.7, COLUMNS - 0.3), ylim=(-0.7, ROWS + 0.4), aspect="equal")
    axes.set_title("The value of each move for red (ConnectFour champion)")
    axes.axis("off")


def draw_curves(axes: Axes) -> None:
    """Draw mean and standard error of the stored runs, with FARL and without."""
    for variant, (label, colour) in COLOURS.items():
        files = (HOME / "results" / "connectfour" / variant).glob("*.json")
        curves = [json.loads(file.read_bytes())["curve"][OPPONENT] for file in files]
        episodes = [point[0] / 1e6 for point in curves[0]]
        shares = 100 * np.array([[point[1] for point in curve] for curve in curves])
        means = np.array([mean(column) for column in shares.T])
        errors = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
        axes.plot(episodes, means, color=colour, label=f"{label} ({len(curves)} runs)")
        axes.fill_between(episodes, means - errors, means + errors, color=colour, alpha=0.25)
    axes.set(
        xlabel="million games of self-play",
        ylabel="win rate, % (draws count half)",
        ylim=(-3, 103),
        xlim=(0, None),
    )
    axes.set_title("Moving first against a perfect player")
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")


def main() -> None:
    """Write the picture."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    board, curves = figure.subplots(1, 2)
    draw_board(board)
    draw_curves(curves)
    figure.savefig(HOME / "docs" / "img" / "readme.png", dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
