"""`tafl reproduce fig3`"""

import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError


def reproduce(
    what: Literal["fig3"],
    *,
    seeds: int | None = None,
    out: Annotated[Path, Parameter(help="Folder of the runs and the picture.")] = Path("runs"),
    quick: bool = False,
    json: Json = False,
) -> None:
    """Make a result of the paper anew; what is already there is not made again.

    Parameters
    ----------
    what
        fig3: TicTacToe, TD and SARSA, with and without FARL, against perfect play.
    seeds
        Runs of each curve; 25, as in the paper, without it.
    quick
        Two seeds and 2,000 episodes, to see that it works.
    """
    from rich.progress import Progress

    from tafl.experiments import figure3

    if seeds is not None and seeds < 1:
        raise InputError(f"--seeds must be at least 1, not {seeds}")
    seeds = seeds or (2 if quick else figure3.SEEDS)
    episodes = 2_000 if quick else figure3.EPISODES
    path = out / ("fig3-quick.jsonl" if quick else "fig3.jsonl")
    total = len(figure3.missing(figure3.stored(path), seeds, episodes))
    with Progress(disable=json) as progress:
        task = progress.add_task("figure 3", total=total)
        for _ in figure3.reproduce(path, seeds, episodes, os.cpu_count() or 1):
            progress.advance(task)
    runs = [run for run in figure3.stored(path) if run["seed"] < seeds]
    image = path.with_suffix(".png")
    figure3.picture(runs, image)
    rows = figure3.table(runs)
    if json:
        keys = ["curve", "ours", "authors", "runs"]
        results = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"curves": results, "picture": str(image), "runs": str(path)})
        return
    columns = ["curve", "score at the end", "the authors'", "runs"]
    print_table(columns, rows, title=f"Figure 3, after {episodes:,} episodes")
    print(f"picture: {image}\nruns: {path}")
