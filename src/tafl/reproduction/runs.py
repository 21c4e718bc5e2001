"""Runs of a reproduction: they are trained and evaluated, and each result is a JSON file.

The folder of a run is deleted when its result is stored, unless --keep is given.
"""

import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import with_network
from tafl.arena import evaluate
from tafl.boards import load_game
from tafl.errors import EngineError
from tafl.files import read_sealed, write_sealed
from tafl.reproduction.rows import VARIANTS, Job, Judgement, Number, Row, rows
from tafl.runs.run import Run
from tafl.settings.seeds import EVALUATION, derived
from tafl.settings.tables import Fields
from tafl.training.executors import Outcome, outcome_of
from tafl.training.progress import ProgressFile
from tafl.training.training import create_or_open, resume

Stored = dict[str, Any]
FIELDS = (
    "row", "variant", "seed", "settings", "tuples", "moves", "training_seconds", "judging_seconds",
    "active", "numbers", "curve", "environment",
)  # fmt: skip


def finish(job: Job, folder: Path, result: Path, keep: bool) -> None:
    """Train a run to its end, evaluate the agent and store the result."""
    run = make_run(job, folder)
    if not run.finished:
        run = resume(folder, ProgressFile(folder))
    result.parent.mkdir(parents=True, exist_ok=True)
    write_sealed(result, result_of(job, run))
    if not keep:
        shutil.rmtree(folder)
        with suppress(OSError):  # other runs are still there
            folder.parent.rmdir()
            folder.parent.parent.rmdir()


def make_run(job: Job, folder: Path) -> Run:
    """Open or create the run of a job."""
    return create_or_open(folder, load_game(job.row.game), job.settings(), job.name)


def result_of(job: Job, run: Run) -> Stored:
    """Return the result of a finished run."""
    row, settings = job.row, run.settings
    found = run.checkpoint()
    assert found is not None  # the run is finished
    header = found[1]
    began = time.perf_counter()
    numbers = [_number(job, run, index) for index in range(len(row.numbers))]
    return {
        "row": row.name,
        "variant": job.variant.name,
        "seed": job.seed,
        "settings": settings.tree(),
        "tuples": header.tuples if settings.network.number else None,
        "moves": header.moves,
        "training_seconds": round(header.seconds, 2),
        "judging_seconds": round(time.perf_counter() - began, 2),
        "active": run.metrics[-1]["active"],
        "numbers": numbers,
        "curve": _curve(row, run.metrics),
        "environment": {k: v for k, v in run.environment.items() if k != "command"},
    }


def _number(job: Job, run: Run, index: int) -> Fields:
    """Evaluate an agent for one number of the row, in all ways."""
    number, agent = job.row.numbers[index], with_network(run.agent)
    found: Fields = {"opponent": number.opponent}
    for offset, (name, way) in enumerate(_ways(job, number).items()):
        seed = derived(job.seed, EVALUATION, 10**12 + 10 * index + offset)
        agent.rng[0] = seed
        try:
            found[name] = judge(job.row, agent, way, seed)
        except EngineError as error:
            found["failed"] = str(error)
    return found


def _ways(job: Job, number: Number) -> dict[str, Judgement]:
    """Return the evaluations of a number; a quick one has as few games as the learning curve."""
    if job.quick:
        way = replace(number.as_authors, games=number.curve or number.games)
        return {} if number.slow else {"as_authors": way}
    sharp = {"sharp": number.sharply} if number.sharp else {}
    return {"as_authors": number.as_authors, **sharp}


def judge(row: Row, agent: LearnedAgent, way: Judgement, seed: int) -> Fields:
    """Play the games and return the value in the measure of the row."""
    played = evaluate(agent, way.opponent, way.games, starts=way.starts, roles=way.roles, seed=seed)
    found = played.document()
    value, error = in_measure(row, found["mean"], found["standard_error"])
    return asdict(way) | {
        "games": found["games"],
        "value": value,
        "standard_error": error,
        "by_role": [in_measure(row, mean, 0.0)[0] for mean in found["roles"]],
    }


def in_measure(row: Row, mean: float, error: float | None) -> tuple[float, float]:
    """Return a mean score and its error in the measure of the row, with six digits."""
    both = mean, error or 0.0  # a single round has no error
    if row.measure == "win rate":
        both = (both[0] + 1) / 2, both[1] / 2
    return float(f"{both[0]:.6g}"), float(f"{both[1]:.6g}")


def _curve(row: Row, metrics: list[Fields]) -> dict[str, list[list[float]]]:
    """Return episodes, value and standard error for each opponent."""
    curve: dict[str, list[list[float]]] = {number.opponent: [] for number in row.of_curve}
    for line in metrics:
        for opponent, result in zip(curve, line["results"], strict=True):
            value = in_measure(row, result["mean"], result["standard_error"])
            curve[opponent].append([line["episode"], *value])
    return curve


def load_results(folder: Path) -> list[Stored]:
    """Return all stored results, sorted by row, variant and seed."""
    found = [read_sealed(file, FIELDS) for file in folder.glob("*/*/*.json")]
    row_order, variant_order = list(rows()), list(VARIANTS)
    return sorted(
        found,
        key=lambda r: (row_order.index(r["row"]), variant_order.index(r["variant"]), r["seed"]),
    )


def chosen(results: Iterable[Stored], row: str, variant: str) -> list[Stored]:
    """Return the runs of a row with one variant of learning."""
    return [r for r in results if r["row"] == row and r["variant"] == variant]


def finish_job(job: list[Any], folder: str, result: str, keep: bool) -> Outcome:
    """Finish a run in a worker process; `task` has made the arguments."""
    row, variant, *rest = job
    try:
        finish(Job(rows()[row], VARIANTS[variant], *rest), Path(folder), Path(result), keep)
    except Exception as error:
        return outcome_of(error)
    return Outcome()


def task(job: Job, folder: Path, result: Path, keep: bool) -> tuple[str, Fields]:
    """Return the function that a worker calls for a run, and its arguments."""
    words = [job.row.name, job.variant.name, job.seed, job.quick, job.device]
    paths = {"folder": str(folder.resolve()), "result": str(result.resolve())}
    return f"{__name__}:finish_job", {"job": words, **paths, "keep": keep}
