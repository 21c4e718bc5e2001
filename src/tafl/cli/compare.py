"""`tafl compare DIR DIR ...`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, against, complain, print_json, print_table
from tafl.errors import InputError
from tafl.numbers import number

if TYPE_CHECKING:
    from tafl.runs.comparison import Comparison

COLUMNS = ["runs", "seeds", "episodes", "mean", "standard error", "t interval (95%)", "worst"]
COLUMNS += ["interquartile mean", "bootstrap (95%)"]


Folders = Annotated[Path, Parameter(help="Runs, or experiments with one subfolder per seed.")]
Plot = Annotated[Path, Parameter(help="File for the learning curves (.png, .svg or .pdf).")]


def compare(
    *folders: Folders,
    vs: Annotated[str | None, Parameter(help="Use only scores against this opponent.")] = None,
    out: Plot = Path("compare.png"),
    seed: Annotated[int, Parameter(help="Random seed of bootstrap and permutation test.")] = 0,
    json: Json = False,
) -> None:
    """Compare runs: scores, significance tests and learning curves."""
    from tafl.pictures.curves import check_picture
    from tafl.runs.comparison import compare as compared

    if not 0 <= seed < 2**64:
        raise InputError(f"--seed must be from 0 to 2**64 - 1, not {seed}")
    check_picture(out)
    comparisons = compared(*folders, opponent=vs, seed=seed)
    _draw(comparisons, out)
    if json:
        print_json({"comparisons": [c.document() for c in comparisons], "plot": str(out)})
        return
    for comparison in comparisons:
        _show(comparison)
    for curve, group in zip(comparisons[0].curves, comparisons[0].groups, strict=True):
        episodes = group.runs[0].settings.episodes
        if curve.episodes[-1] < episodes:  # some runs of the group are not finished
            reached = f"{curve.episodes[-1]:,} of {episodes:,} episodes"
            complain(f"{curve.name}: compared after {reached}")
    print(f"learning curves saved to {out}")


def _draw(comparisons: list["Comparison"], out: Path) -> None:
    from tafl.pictures.curves import Line, Panel, draw_curves

    panels = []
    for found in comparisons:
        labels = [f"{group.name} ({len(group.runs)})" for group in found.groups]
        lines = [Line(*pair) for pair in zip(labels, found.curves, strict=True)]
        panels.append(Panel("", f"mean score{against(found.opponent)}", lines))
    draw_curves(panels, out, comparisons[0].game)


def _show(comparison: "Comparison") -> None:
    from tafl.pictures.chart import chart

    rows: list[list[Any]] = []
    for curve, found in zip(comparison.curves, comparison.summaries, strict=True):
        rows.append([curve.name, found.runs, curve.episodes[-1], found.mean])
        rows[-1] += [found.standard_error, _interval(found.t_interval), found.worst]
        rows[-1] += [found.interquartile_mean, _interval(found.interquartile_interval)]
    print_table(COLUMNS, rows, title=f"final score{against(comparison.opponent)}")
    if comparison.welch is not None:
        one, other = (curve.name for curve in comparison.curves[:2])
        p_values = f"Welch p = {comparison.welch:.3g}, permutation p = {comparison.permutation:.3g}"
        print(f"{one} and {other}: {p_values}")
    print(f"\n{chart(comparison.curves)}\n")


def _interval(ends: tuple[float, float]) -> str:
    return f"{number(ends[0])} to {number(ends[1])}"
