"""A picture of a tournament: the mean score of each pair of agents, and the ratings."""

from pathlib import Path

import numpy as np

from tafl.arena.tournament import Tournament
from tafl.numbers import number

LONGEST = 36  # characters of a name


def draw(tournament: Tournament, path: Path) -> None:
    """Save a PNG with the table of means as a heat map and the ratings with their intervals."""
    from matplotlib.figure import Figure

    agents, ratings = labels(tournament), tournament.ratings
    height = 1.8 + 0.5 * len(agents)
    figure = Figure(figsize=(4 + 2 * height, height), layout="constrained")
    columns = 1 if ratings is None else 2
    _heat_map(figure.add_subplot(1, columns, 1), tournament)
    if ratings is not None:
        _intervals(figure.add_subplot(1, columns, 2), agents, ratings)
    figure.suptitle(tournament.game.name)
    figure.savefig(path, dpi=150)


def labels(tournament: Tournament) -> list[str]:
    """Return the names of agents; a long one is shortened in the middle."""
    return [
        name if len(name) <= LONGEST else f"{name[: LONGEST // 3]}...{name[-LONGEST // 2 :]}"
        for name in tournament.agents
    ]


def _heat_map(axes, tournament: Tournament) -> None:  # type: ignore[no-untyped-def]
    table = np.array(tournament.table)
    numbers = range(len(tournament.agents))
    axes.imshow(table, cmap="RdYlBu", aspect="auto")
    for i in numbers:
        for j in numbers:
            if not np.isnan(table[i, j]):
                axes.text(j, i, number(table[i, j], 3), ha="center", va="center")
    agents = labels(tournament)
    axes.set_yticks(numbers, agents)
    axes.set_xticks(numbers, agents, rotation=30, ha="right")
    axes.set_title("mean score (row) with (column)", fontsize="medium")


def _intervals(axes, agents, ratings) -> None:  # type: ignore[no-untyped-def]
    order = np.argsort(ratings.elo)
    found = (ratings.elo, ratings.low, ratings.high)
    elo, low, high = (np.array(values)[order] for values in found)
    rows = np.arange(len(order))
    axes.errorbar(elo, rows, xerr=[elo - low, high - elo], fmt="o", capsize=3)
    axes.set_yticks(rows, [agents[i] for i in order])
    axes.set_ylim(-0.5, len(order) - 0.5)
    axes.grid(axis="x", alpha=0.3)
    axes.set_title("rating (Elo), 95 % confidence", fontsize="medium")
