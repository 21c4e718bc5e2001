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


What = Annotated[
    Literal["table1", "fig3", "fig4", "report"],
    Parameter(
        help="table1: all games and learners; fig3: TicTacToe with TD and SARSA; fig4: ConnectFour "
        "against perfect play; report: rewrite the page from stored runs."
    ),
]
LEARNERS = "Only these learners, for example td-farl,q-farl, or td-part-1 for one part of FARL."
KEEP = "Keep the trained agents, too (half a gigabyte for each run of 2048)."
DEVICE = "Device: cpu, or cuda for an NVIDIA GPU; evaluations run on the CPU."


def reproduce(
    what: What,
    *,
    rows: Annotated[str | None, Parameter(help="Only these rows, for example nim3p,hex.")] = None,
    learners: Annotated[str | None, Parameter(help=LEARNERS)] = None,
    seeds: Annotated[
        int | None, Parameter(help="Number of runs per row and learner (default: as in the paper).")
    ] = None,
    quick: Annotated[bool, Parameter(help="Use two seeds and short training, as a test.")] = False,
    keep: Annotated[bool, Parameter(help=KEEP)] = False,
    device: Annotated[Literal["cpu", "cuda"], Parameter(help=DEVICE)] = "cpu",
    out: Annotated[Path, Parameter(help="Folder for results/, docs/ and runs/.")] = Path("."),
    json: Json = False,
) -> int:
    """Reproduce a result of the paper; stored runs are reused."""
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
    """Print the columns of Table 1 that fit a terminal."""
    from tafl.reproduction.report import TABLE_1, table1
    from tafl.reproduction.runs import load_results

    lines = table1(load_results(places.results))
    cells = [[cell.replace("`", "") for cell in line[:7]] for line in lines]
    short = [[shorten(cell, 48, placeholder=" ...") for cell in line] for line in cells]
    print_table(TABLE_1[:7], short, title="Table 1, with / without FARL")


def _make(
    jobs: list["Job"], places: "Places", quick: bool, keep: bool, silent: bool
) -> dict[str, str]:
    """Train the runs that are not stored; return the messages of those that failed."""
    from tafl.processes import cores
    from tafl.reproduction import schedule
    from tafl.training.progress import Progress, duration, progress_for_person

    def progress(unit: str) -> Progress:
        return Progress() if silent else progress_for_person(unit)

    missing = places.missing(jobs)
    if not missing:
        return {}
    shown = progress("core-seconds")
    shown.say(f"{len(jobs) - len(missing)} of {len(jobs)} runs are already stored")
    seconds = [1.0] * len(missing)  # to measure a quick run would take longer than the run
    if missing[0].device == "cuda":
        schedule.train_on_gpu(missing, places, progress("episodes"))
        shown = progress("runs")
    elif not quick:
        shown.say("measuring the speed of this machine")
        seconds = schedule.seconds_needed(missing)
        shown.say(f"about {duration(sum(seconds) / cores())} on {cores()} cores")
    ordered = schedule.in_order(missing, seconds)
    return schedule.carry_out_jobs(*ordered, places, keep, shown)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",")]
