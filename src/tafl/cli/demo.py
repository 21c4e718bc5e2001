"""`tafl demo`"""

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, complain, print_json, print_table

if TYPE_CHECKING:
    from tafl.experiments.tour import Outcome

BARS = "▁▂▃▄▅▆▇█"

NEXT_STEPS = """
Try next:
  {tafl} values {run} --moves "3 3"    what every move is worth to the agent
  {tafl} eval {run} --vs random        how strong it is, in both roles
  {tafl} train connectfour --episodes 1000000 --out runs/c4    a stronger one
  {tafl} new-game mygame    a game of your own"""


def demo(
    *,
    out: Annotated[Path | None, Parameter(help="Where runs and plot go, else runs/demo.")] = None,
    quick: Annotated[bool, Parameter(negative=(), help="A tenth of the episodes.")] = False,
    json: Json = False,
) -> int:
    """Learn three games with FARL and without, and show the difference: the tour of the README."""
    from tafl.experiments.run import new_folder, unique_folder
    from tafl.experiments.stop import Stopped
    from tafl.experiments.tour import duel, plot

    began = time.monotonic()
    folder = unique_folder(Path("runs/demo")) if out is None else new_folder(out)
    try:
        outcomes = _learn(folder, share=0.1 if quick else 1.0, silent=json)
    except Stopped as stopped:
        complain(f"stopped; what was learned is in {folder}")
        return 128 + stopped.number
    farl, no_farl = (curve.runs[0] for curve in outcomes[-1].curves.values())
    won, played = duel(farl, no_farl)
    plot(outcomes, folder / "demo.png")
    if json:
        print_json(_document(outcomes, won, played, folder))
        return 0
    _show(outcomes)
    print(f"{farl.game.name}, FARL against no FARL: {won:g} of {played} games, half in each role.")
    print(f"{time.monotonic() - began:.0f} seconds; the plot is {folder / 'demo.png'}")
    # the program as it was called, unless it is found by its name
    print(NEXT_STEPS.format(tafl="tafl" if shutil.which("tafl") else sys.argv[0], run=farl.path))
    return 0


def _learn(folder: Path, share: float, silent: bool) -> list["Outcome"]:
    from rich.console import Console

    from tafl.experiments.progress import Progress
    from tafl.experiments.tour import LESSONS, learn_both_ways

    console = Console(stderr=True, quiet=silent, highlight=False)
    outcomes = []
    for lesson in LESSONS:
        episodes = int(lesson.episodes * share)
        text = f"{lesson.game}: {episodes:,} episodes with FARL and without, seeds: {lesson.seeds}"
        if not sys.stderr.isatty():
            console.print(text)
        with console.status(text):
            outcomes.append(learn_both_ways(lesson, folder, share, Progress()))
    return outcomes


def _show(outcomes: list["Outcome"]) -> None:
    rows = []
    for outcome in outcomes:
        lesson = outcome.lesson
        for way, curve in outcome.curves.items():
            error = f" ± {curve.errors[-1]:.2f}" if lesson.seeds > 1 else ""
            end = f"{curve.means[-1]:.2f}{error}"
            bars = _bars(curve.means, lesson.best)
            rows.append([lesson.game, lesson.measure, f"{lesson.best:g}", way, end, bars])
    columns = ["game", "measure", "perfect", "learned with", "at the end", "on the way"]
    print_table(columns, rows)


def _bars(values: list[float], best: float) -> str:
    """A curve between 0 and the best as a row of bars."""
    top = len(BARS) - 1
    return "".join(BARS[round(top * min(max(value / best, 0.0), 1.0))] for value in values)


def _document(outcomes: list["Outcome"], won: float, played: int, folder: Path) -> dict[str, Any]:
    games = [
        {
            "game": outcome.lesson.game,
            "opponent": outcome.lesson.opponent,
            "measure": outcome.lesson.measure,
            "perfect": outcome.lesson.best,
            "learned": {
                way: {
                    "episodes": curve.episodes,
                    "means": curve.means,
                    "standard_errors": curve.errors,
                    "runs": [str(run.path) for run in curve.runs],
                }
                for way, curve in outcome.curves.items()
            },
        }
        for outcome in outcomes
    ]
    duel = {"game": outcomes[-1].lesson.game, "won": won, "played": played}
    return {"games": games, "duel": duel, "plot": str(folder / "demo.png")}
