"""`tafl reproduce table1`"""

from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, complain, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.reproduction.rows import Job
    from tafl.reproduction.schedule import Places
    from tafl.training.progress import Progress


def reproduce(
    what: Literal["table1", "fig3", "fig4", "farl", "report"],
    *,
    rows: str | None = None,
    learners: str | None = None,
    seeds: int | None = None,
    quick: bool = False,
    keep: bool = False,
    out: Annotated[
        Path, Parameter(help="Folder in which results/, docs/ and runs/ are, or will be.")
    ] = Path("."),
    json: Json = False,
) -> int:
    """Make a result of the paper anew; what is stored is not made again.

    Parameters
    ----------
    what
        table1: every game, with and without FARL, and with SARSA and Q; fig3: TicTacToe, TD and
        SARSA; fig4: ConnectFour against perfect play; farl: each part of FARL alone; report: only
        the page of what is stored.
    rows
        Only these rows, for example nim3p,hex.
    learners
        Only these ways to learn, for example td-farl,q-farl.
    seeds
        Runs of each kind; without it as many as the paper has, and fewer of what it has not and
        takes long.
    quick
        Two seeds and a shortened training, to see that it works.
    keep
        Keep the trained agents, too; those of 2048 have half a gigabyte each.
    """
    from tafl.reproduction.last_mover import store_last_movers
    from tafl.reproduction.report import summary_table, write_report
    from tafl.reproduction.rows import jobs_of
    from tafl.reproduction.runs import load_results
    from tafl.reproduction.schedule import Places
    from tafl.training.progress import Progress, progress_for_person
    from tafl.training.several import MOST_SEEDS
    from tafl.training.stop import Stopped

    if seeds is not None and not 1 <= seeds <= MOST_SEEDS:
        raise InputError(f"--seeds {seeds}: should be from 1 to {MOST_SEEDS:,}")
    jobs = jobs_of(what, _names(rows), seeds, quick, _names(learners))
    places = Places(out, quick)
    progress = Progress() if json else progress_for_person("seconds of work")
    try:
        failed = _make(jobs, places, quick, keep, progress)
    except Stopped as stopped:
        complain("stopped; the same command goes on from here")
        return 128 + stopped.number
    if what == "farl":
        store_last_movers(places.results)
    page = write_report(places.results, places.docs, quick)
    for name, message in failed.items():
        complain(f"{name} failed: {message}")
    if json:
        rows_made = summary_table(load_results(places.results))
        print_json({"rows": rows_made, "failed": failed, "page": str(page)})
    else:
        _print_table(places)
        print(f"everything else, and pictures: {page}")
    return 1 if failed else 0


def _print_table(places: "Places") -> None:
    """Table 1 as far as it fits a terminal."""
    from tafl.reproduction.report import TABLE_1, table1
    from tafl.reproduction.runs import load_results

    lines = table1(load_results(places.results))
    cells = [[cell.replace("`", "") for cell in line[:7]] for line in lines]
    short = [[shorten(cell, 48, placeholder=" ...") for cell in line] for line in cells]
    print_table(TABLE_1[:7], short, title="Table 1, with FARL / without it")


def _make(
    jobs: list["Job"], places: "Places", quick: bool, keep: bool, progress: "Progress"
) -> dict[str, str]:
    """Makes the runs that are not stored; returns why some failed."""
    from tafl.arena.workers import cores
    from tafl.reproduction.schedule import carry_out_jobs, in_order, seconds_needed
    from tafl.training.progress import duration

    missing = places.missing(jobs)
    if not missing:
        return {}
    progress.say(f"{len(jobs) - len(missing)} of {len(jobs)} runs are stored")
    if quick:
        seconds = [1.0] * len(missing)  # to measure how long it takes would take longer
    else:
        progress.say("measuring how fast this machine is")
        seconds = seconds_needed(missing)
        progress.say(f"about {duration(sum(seconds) / cores())} on {cores()} cores")
    return carry_out_jobs(*in_order(missing, seconds), places, keep, progress)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
