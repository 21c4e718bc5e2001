"""`tafl demo`"""

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, complain, print_json, print_table

if TYPE_CHECKING:
    from tafl.reproduction.tour import Learned

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
    from tafl.reproduction.tour import duel, plot
    from tafl.runs.folder import new_folder, unique_folder
    from tafl.training.stop import Stopped

    began = time.monotonic()
    folder = unique_folder(Path("runs/demo")) if out is None else new_folder(out)
    try:
        learned = _learn(folder, share=0.1 if quick else 1.0, silent=json)
    except Stopped as stopped:
        complain(f"stopped; what was learned is in {folder}")
        return 128 + stopped.number
    farl, no_farl = (runs[0] for runs in learned[-1].runs.values())
    won, played = duel(farl, no_farl)
    plot(learned, folder / "demo.png")
    if json:
        print_json(_document(learned, won, played, folder))
        return 0
    _show(learned)
    print(f"{farl.game.name}, FARL against no FARL: {won:g} of {played} games, half in each role.")
    print(f"{time.monotonic() - began:.0f} seconds; the plot is {folder / 'demo.png'}")
    # the program as it was called, unless it is found by its name
    print(NEXT_STEPS.format(tafl="tafl" if shutil.which("tafl") else sys.argv[0], run=farl.path))
    return 0


def _learn(folder: Path, share: float, silent: bool) -> list["Learned"]:
    from rich.console import Console

    from tafl.reproduction.tour import LESSONS, learn_both_ways

    console = Console(stderr=True, quiet=silent, highlight=False)
    learned = []
    for lesson in LESSONS:
        episodes = int(lesson.episodes * share)
        text = f"{lesson.game}: {episodes:,} episodes with FARL and without, seeds: {lesson.seeds}"
        if not sys.stderr.isatty():
            console.print(text)
        with console.status(text):
            learned.append(learn_both_ways(lesson, folder, share))
    return learned


def _show(learned: list["Learned"]) -> None:
    rows = []
    for one in learned:
        lesson = one.lesson
        for way, curve in one.curves.items():
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


def _document(learned: list["Learned"], won: float, played: int, folder: Path) -> dict[str, Any]:
    games = [
        {
            "game": one.lesson.game,
            "opponent": one.lesson.opponent,
            "measure": one.lesson.measure,
            "perfect": one.lesson.best,
            "learned": {
                way: {
                    "episodes": curve.episodes,
                    "means": curve.means,
                    "standard_errors": curve.errors,
                    "runs": [str(run.path) for run in one.runs[way]],
                }
                for way, curve in one.curves.items()
            },
        }
        for one in learned
    ]
    duel = {"game": learned[-1].lesson.game, "won": won, "played": played}
    return {"games": games, "duel": duel, "plot": str(folder / "demo.png")}
