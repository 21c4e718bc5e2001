"""`tafl demo`"""

import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, complain, print_json, print_table
from tafl.numbers import number, score
from tafl.terminal import raw

if TYPE_CHECKING:
    from tafl.reproduction.tour import Learned

BARS = "▁▂▃▄▅▆▇█"

NEXT_STEPS = """
Try next:
  {tafl} values {run} --moves "3 3"    the value of every move
  {tafl} eval {run} --vs random        its strength, moving first and second
  {tafl} train connectfour --episodes 1000000 --out runs/c4    train a stronger agent
  {tafl} new-game mygame    start your own game"""


def demo(
    *,
    out: Annotated[
        Path | None, Parameter(help="Folder for runs and plot (default: runs/demo).")
    ] = None,
    quick: Annotated[bool, Parameter(negative=(), help="Use a tenth of the episodes.")] = False,
    json: Json = False,
) -> int:
    """Train three games with and without FARL, and show the difference."""
    from tafl.reproduction.tour import duel, plot
    from tafl.runs.folder import new_folder, unique_folder
    from tafl.training.stop import Stopped

    began = time.monotonic()
    folder = unique_folder(Path("runs/demo")) if out is None else new_folder(out)
    try:
        learned = _learn(folder, share=0.1 if quick else 1.0, silent=json)
    except Stopped as stopped:
        complain(f"stopped; partial results are in {folder}")
        return 128 + stopped.number
    farl, no_farl = (runs[0] for runs in learned[-1].runs.values())
    won, played = duel(farl, no_farl)
    plot(learned, folder / "demo.png")
    if json:
        print_json(_document(learned, won, played, folder))
        return 0
    _show(learned)
    won_by = f"{farl.game.name}: the agent with FARL won {number(won)} of {played} games"
    print(f"{won_by} against the one without, each moving first in half of them")
    print(f"done in {time.monotonic() - began:.0f} seconds; plot saved to {folder / 'demo.png'}")
    # the program as it was called, unless it is found by its name
    print(NEXT_STEPS.format(tafl="tafl" if shutil.which("tafl") else sys.argv[0], run=farl.path))
    return 0


def _learn(folder: Path, share: float, silent: bool) -> list["Learned"]:
    from rich.console import Console

    from tafl.reproduction.tour import LESSONS, learn_both_ways

    console = Console(file=raw(sys.stderr), quiet=silent, highlight=False, markup=False)
    learned = []
    for lesson in LESSONS:
        episodes = int(lesson.episodes * share)
        length = f"{lesson.game}: {episodes:,} episodes each with and without FARL"
        text = f"{length}, {lesson.seeds} seed{'s' if lesson.seeds > 1 else ''}"
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
            end = score(curve.means[-1], curve.errors[-1] if lesson.seeds > 1 else None)
            best = lesson.measure.best
            bars = _bars(curve.means, best)
            rows.append([lesson.game, lesson.measure.text, number(best), way, end, bars])
    columns = ["game", "measure", "perfect", "trained with", "final", "during training"]
    print_table(columns, rows)


def _bars(values: list[float], best: float) -> str:
    """Return a curve between 0 and the best as a row of bars."""
    top = len(BARS) - 1
    return "".join(BARS[round(top * min(max(value / best, 0.0), 1.0))] for value in values)


def _document(learned: list["Learned"], won: float, played: int, folder: Path) -> dict[str, Any]:
    games = [
        {
            "game": one.lesson.game,
            "opponent": one.lesson.opponent,
            "measure": one.lesson.measure.text,
            "perfect": one.lesson.measure.best,
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
