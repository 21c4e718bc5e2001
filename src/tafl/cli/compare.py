"""`tafl compare DIR DIR ...`"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.cli.output import Json, complain, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.experiments.comparison import Comparison

COLUMNS = ["runs", "seeds", "episodes", "mean", "standard error", "t interval (95 %)", "worst"]
COLUMNS += ["interquartile mean", "bootstrap (95 %)"]


def compare(
    *folders: Path,
    vs: str | None = None,
    out: Path = Path("compare.png"),
    seed: int = 0,
    json: Json = False,
) -> None:
    """Compare the scores of runs: a table, tests of the first two, and learning curves.

    Parameters
    ----------
    folders
        Each a run, or a folder with the seeds of one experiment.
    vs
        Compare only the scores against this opponent.
    out
        Where the learning curves go: a file that ends in .png, .svg or .pdf.
    seed
        Where the chance of bootstrap and permutation test comes from.
    """
    from tafl.experiments.comparison import Group, check_picture, plot
    from tafl.experiments.comparison import compare as compared

    if not folders:
        raise InputError("which runs? name one folder or more")
    check_picture(out)
    comparisons = compared([Group.open(folder) for folder in folders], vs, seed)
    plot(comparisons, out)
    if json:
        print_json({"comparisons": [c.document() for c in comparisons], "plot": str(out)})
        return
    for comparison in comparisons:
        _show(comparison)
    for curve in comparisons[0].curves:
        if not curve.complete:
            of = curve.group.runs[0].settings.episodes
            complain(f"{curve.group.name}: only {curve.episodes[-1]:,} of {of:,} episodes compared")
    print(f"the learning curves are in {out}")


def _show(comparison: "Comparison") -> None:
    from tafl.cli.chart import chart

    rows: list[list[Any]] = []
    for curve, found in zip(comparison.curves, comparison.summaries, strict=True):
        rows.append([curve.group.name, found.runs, curve.episodes[-1], found.mean])
        rows[-1] += [found.standard_error, _interval(found.t_interval), found.worst]
        rows[-1] += [found.interquartile_mean, _interval(found.interquartile_interval)]
    against = "" if comparison.opponent == "alone" else f" against {comparison.opponent}"
    print_table(COLUMNS, rows, title=f"score{against} at the end")
    if comparison.welch is not None:
        one, other = (curve.group.name for curve in comparison.curves[:2])
        p_values = f"Welch p = {comparison.welch:.3g}, permutation p = {comparison.permutation:.3g}"
        print(f"{one} and {other}: {p_values}")
    print(f"\n{chart(comparison.curves)}\n")


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.4g} to {ends[1]:.4g}"
