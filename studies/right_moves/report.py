"""Writes docs/science/right_moves.md and its picture from the stored measurements."""

from collections.abc import Iterable
from pathlib import Path
from statistics import mean

import numpy as np

from studies.pages import DOCS, write_page
from studies.records import Measurement, by_training, read, results, where
from studies.right_moves.plan import FARL_OFF, Measure, Plan, plans
from tafl.reproduction.cells import markdown_table

COLUMNS = ["game", "measure", "ideal", "FARL", "no FARL", "paper, FARL / no FARL"]
COLUMNS += ["seeds", "episodes"]
WAYS: list[tuple[str, dict[str, bool], str]] = [
    ("FARL", {}, "tab:blue"),
    ("no FARL", FARL_OFF, "tab:orange"),
]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page and its picture; return their paths."""
    found = read(results("right_moves"))
    active = {
        name: mean(one.value for one in where(found, game="connectfour", **how))
        for name, how in (
            ("active", {"metric": "active_weights", "overrides": {}}),
            ("inactive", {"metric": "active_weights", "overrides": FARL_OFF}),
        )
    }
    rows = (_row(plan, one, found) for plan in plans().values() for one in plan.measures)
    values = {name: f"{100 * share:.1f} %" for name, share in active.items()}
    page = write_page(
        docs / "science" / "right_moves.md",
        Path(__file__).with_name("page.md"),
        "python -m studies right_moves report",
        values | {"table": markdown_table(COLUMNS, rows)},
    )
    return [page, draw(found, docs / "img" / "connectfour.png")]


def _row(plan: Plan, one: Measure, found: Iterable[Measurement]) -> list[str]:
    """Return a measure of a game, with FARL and without, at the end of training."""
    last = where(found, game=plan.name, metric=one.metric, episode=plan.episodes)
    if one.states:
        last = where(last, states=one.states)
    on, off = (
        [each.value for each in where(last, overrides=overrides)] for overrides in ({}, FARL_OFF)
    )
    cells = [f"{plan.name} (`{plan.preset}`)", one.text, one.ideal]
    cells += [_mean_and_error(on), _mean_and_error(off), one.paper]
    return [*cells, str(len(on)), f"{plan.episodes:,}"]


def _mean_and_error(values: list[float]) -> str:
    """Return mean and standard error over seeds, and the worst seed."""
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{np.mean(values):.3f} ± {error:.3f} (worst {min(values):.3f})"


def draw(found: list[Measurement], path: Path) -> Path:
    """Draw the learning curves of ConnectFour."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    path.parent.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    curves = where(found, game="connectfour", metric="right_moves")
    for label, overrides, colour in WAYS:
        for i, run in enumerate(by_training(where(curves, overrides=overrides))):
            points = [(one.condition["episode"] / 1000, one.value) for one in run]
            shown = label if i == 0 else None
            axes.plot(*zip(*points, strict=True), color=colour, marker=".", label=shown)
    axes.set(xlabel="thousand episodes", ylabel="right moves", ylim=(0, 1), title="ConnectFour")
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return path
