"""Runs of a reproduction: trained, judged, stored.

When the result of a run is stored, in a JSON file of its own, the folder of the run is deleted,
unless it is to be kept.
"""

import json
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tafl.agents.learned import LearnedAgent
from tafl.arena import evaluate
from tafl.boards import load_game
from tafl.errors import EngineError
from tafl.files import read_sealed, replacing, sealed, to_json
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
    """Trains a run in its folder to its end, judges the agent and stores the result."""
    run = make_run(job, folder)
    if not run.finished:
        run = resume(folder, ProgressFile(folder))
    store(result, result_of(job, run))
    if not keep:
        shutil.rmtree(folder)
        with suppress(OSError):  # other runs are still there
            folder.parent.rmdir()
            folder.parent.parent.rmdir()


def make_run(job: Job, folder: Path) -> Run:
    """Return a run, created now if it does not exist."""
    return create_or_open(folder, load_game(job.row.game), job.settings(), job.name)


def result_of(job: Job, run: Run) -> Stored:
    """Everything about a finished run that is worth keeping."""
    row, settings = job.row, run.settings
    found = run.checkpoint()
    assert found is not None  # the run is finished
    header = found[1]
    last = run.metrics[-1]
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
        "active": last["active"],
        "numbers": numbers,
        "curve": _curve(row, run.metrics),
        "environment": {k: v for k, v in run.environment.items() if k != "command"},
    }


def _number(job: Job, run: Run, index: int) -> Fields:
    """What one number of the row is for this agent, judged in all ways."""
    number, agent = job.row.numbers[index], run.agent
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
    """How a number is judged; in a quick look with as few games as the learning curve."""
    if job.quick:
        way = replace(number.as_authors, games=number.curve or number.games)
        return {} if number.slow else {"as_authors": way}
    sharp = {"sharp": number.sharply} if number.sharp else {}
    return {"as_authors": number.as_authors, **sharp}


def judge(row: Row, agent: LearnedAgent, way: Judgement, seed: int) -> Fields:
    """Plays the games; the value is in the measure of the row."""
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
    """A mean score and its error in what the row counts: points, reward, or win rate."""
    sure = 0.0 if error is None else error  # a single round says nothing about chance
    if row.measure == "win rate":
        return _short((mean + 1) / 2), _short(sure / 2)
    return _short(mean), _short(sure)


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _curve(row: Row, metrics: list[Fields]) -> dict[str, list[list[float]]]:
    """For each opponent: episodes, value, standard error."""
    curve: dict[str, list[list[float]]] = {number.opponent: [] for number in row.of_curve}
    for line in metrics:
        for opponent, result in zip(curve, line["results"], strict=True):
            value = in_measure(row, result["mean"], result["standard_error"])
            curve[opponent].append([line["episode"], *value])
    return curve


def store(path: Path, result: Stored) -> None:
    """Writes a result; nobody ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as file:
        file.write(to_json(sealed(json.loads(to_json(result)))) + "\n")


def load_results(folder: Path) -> list[Stored]:
    """All stored results, by row, way to learn and seed."""
    found = [read_sealed(file, FIELDS) for file in folder.glob("*/*/*.json")]
    row_order, variant_order = list(rows()), list(VARIANTS)
    return sorted(
        found,
        key=lambda r: (row_order.index(r["row"]), variant_order.index(r["variant"]), r["seed"]),
    )


def chosen(results: Iterable[Stored], row: str, variant: str) -> list[Stored]:
    """The runs of a row that learned in one way."""
    return [r for r in results if r["row"] == row and r["variant"] == variant]


def finish_job(job: list[Any], folder: str, result: str, keep: bool) -> Outcome:
    """Make a run in a worker, from its `task`."""
    row, variant, *rest = job
    try:
        finish(Job(rows()[row], VARIANTS[variant], *rest), Path(folder), Path(result), keep)
    except Exception as error:
        return outcome_of(error)
    return Outcome()


def task(job: Job, folder: Path, result: Path, keep: bool) -> tuple[str, Fields]:
    """Return what a worker has to do for a run."""
    words = [job.row.name, job.variant.name, job.seed, job.quick, job.device]
    paths = {"folder": str(folder.resolve()), "result": str(result.resolve())}
    return f"{__name__}:finish_job", {"job": words, **paths, "keep": keep}
