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


def reproduce(
    what: Literal["table1", "fig3", "fig4", "report"],
    *,
    rows: str | None = None,
    learners: str | None = None,
    seeds: int | None = None,
    quick: bool = False,
    keep: bool = False,
    device: Literal["cpu", "cuda"] = "cpu",
    out: Annotated[
        Path, Parameter(help="Folder with results/, docs/ and runs/; they are created if missing.")
    ] = Path("."),
    json: Json = False,
) -> int:
    """Reproduce a result of the paper. Runs that are stored are not repeated.

    Parameters
    ----------
    what
        table1: every game with and without FARL, and with SARSA and Q-learning; fig3: TicTacToe
        with TD and SARSA; fig4: ConnectFour against perfect play; report: only rewrite the page
        from stored runs.
    rows
        Only these rows, for example nim3p,hex.
    learners
        Only these learners, for example td-farl,q-farl; of table1 also td-part-1,td-part-2: each
        part of FARL alone.
    seeds
        Number of runs per row and learner (default: as in the paper; fewer for slow ones that the
        paper does not have).
    quick
        Two seeds and short training, as a smoke test.
    keep
        Also keep the trained agents; each one for 2048 takes half a gigabyte.
    device
        Where to learn: cpu, or cuda (a GPU), where all runs of a row learn side by side; their
        games against others are played on the CPU.
    """
    from tafl.reproduction.report import write_report
    from tafl.reproduction.rows import jobs_of
    from tafl.reproduction.schedule import Places
    from tafl.training.seed_runs import MOST_SEEDS
    from tafl.training.stop import Stopped

    if seeds is not None and not 1 <= seeds <= MOST_SEEDS:
        raise InputError(f"--seeds must be 1 to {MOST_SEEDS:,}, not {seeds}")
    jobs = jobs_of(what, _names(rows), seeds, quick, _names(learners), device)
    places = Places(out, quick)
    try:
        failed = _make(jobs, places, quick, keep, silent=json)
    except Stopped as stopped:
        complain("stopped; run the same command to continue")
        return 128 + stopped.number
    page = write_report(places.results, places.docs, quick)
    for name, message in failed.items():
        complain(f"{name} failed: {message}")
    if json:
        _print_json(places, failed, page)
    else:
        _print_table(places)
        print(f"all results and figures: {page}")
    return 1 if failed else 0


def _print_json(places: "Places", failed: dict[str, str], page: Path) -> None:
    """Print all means."""
    from tafl.reproduction.report import summary_table
    from tafl.reproduction.runs import load_results

    rows = summary_table(load_results(places.results))
    print_json({"rows": rows, "failed": failed, "page": str(page)})


def _print_table(places: "Places") -> None:
    """Print Table 1 as far as it fits a terminal."""
    from tafl.reproduction.report import TABLE_1, table1
    from tafl.reproduction.runs import load_results

    lines = table1(load_results(places.results))
    cells = [[cell.replace("`", "") for cell in line[:7]] for line in lines]
    short = [[shorten(cell, 48, placeholder=" ...") for cell in line] for line in cells]
    print_table(TABLE_1[:7], short, title="Table 1, with / without FARL")


def _make(
    jobs: list["Job"], places: "Places", quick: bool, keep: bool, silent: bool
) -> dict[str, str]:
    """Make the runs that are not stored; return why some failed."""
    from tafl.processes import cores
    from tafl.reproduction.schedule import (
        carry_out_jobs,
        in_order,
        seconds_needed,
        train_on_gpu,
    )
    from tafl.training.progress import Progress, duration, progress_for_person

    def progress(unit: str) -> Progress:
        return Progress() if silent else progress_for_person(unit)

    missing = places.missing(jobs)
    if not missing:
        return {}
    shown = progress("core-seconds")
    shown.say(f"{len(jobs) - len(missing)} of {len(jobs)} runs are already stored")
    seconds = [1.0] * len(missing)  # to measure how long a quick look takes would take longer
    if missing[0].device == "cuda":
        train_on_gpu(missing, places, progress("episodes"))
        shown = progress("runs")
    elif not quick:
        shown.say("measuring the speed of this machine")
        seconds = seconds_needed(missing)
        shown.say(f"about {duration(sum(seconds) / cores())} on {cores()} cores")
    return carry_out_jobs(*in_order(missing, seconds), places, keep, shown)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
