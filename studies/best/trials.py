"""Trials of games that are judged by playing: trained, judged in games, and stored.

Runs are kept in runs/champions/GAME/NAME and not trained again. On a GPU several seeds learn side
by side; they are judged on all cores.
"""

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

import tafl
from studies.best.judges import GAMES, judged
from studies.best.plan import setup
from studies.records import (
    HOME,
    Measurement,
    append,
    assignments,
    game_of,
    machine,
    marked,
    settings_of,
)
from tafl.files import checksum
from tafl.processes import cores
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.training.executors import carry_out
from tafl.training.gpu_executor import GpuExecutor
from tafl.training.stop import StopSignal

__all__ = ["GAMES", "begun", "planned", "trained", "trials"]

RUNS = HOME.parent / "runs" / "champions"
SHORTER = {"connectfour": 1_500_000}  # episodes of as-run with changes
LONG = 150  # letters of a folder's name


def trials(
    name: str,
    seeds: range,
    changes: Sequence[str],
    device: str,
    threads: int | None,
    store: Path,
) -> None:
    """Train agents with changes, or with the preset `best`; measure and store each."""
    wanted = [planned(name, seed, changes, device, threads) for seed in seeds]
    if device == "cuda":
        train_side_by_side(wanted)
        wanted = [replace(one, side_by_side=len(wanted)) for one in wanted]
    workers = max(1, cores() // len(wanted))  # of each
    with ProcessPoolExecutor(cores(), get_context("spawn"), end_with_parent) as pool:
        for found in pool.map(partial(measured, workers), wanted):
            append(store, found)
            print(*((one.metric, one.value) for one in found), flush=True)


def planned(
    name: str,
    seed: int,
    changes: Sequence[str],
    device: str = "cpu",
    threads: int | None = None,
) -> Measurement:
    """Return the record of a trial, without its value; as-run is shorter in ConnectFour."""
    made = setup(" ".join(changes))
    shorter = SHORTER.get(name) if made["preset"] == "as-run" else None
    return Measurement(
        study="best",
        game=name,
        metric="score",
        value=0.0,
        **made,
        seed=seed,
        device=device,
        threads=threads,
        episodes=None if "episodes" in made["overrides"] else shorter,
        **machine(),
    )


def train_side_by_side(wanted: list[Measurement]) -> None:
    """Train on a GPU what has not come to its end."""
    runs = [begun(one) for one in wanted]
    executor, stop = GpuExecutor(), StopSignal()
    executor.start([run.path for run in runs if not run.finished])
    if failed := carry_out(executor, stop, lambda: None, print):
        sys.exit(str(failed))
    print("all trained", flush=True)


def begun(one: Measurement) -> Run:
    """Return the run, made now if it does not exist."""
    where = ["cuda"] if one.device == "cuda" else []
    changed = assignments(one.overrides)
    if one.episodes and "episodes" not in one.overrides and one.preset == "as-run":
        changed = [f"episodes={one.episodes}", *changed]
    which = ["best"] if one.preset == "best" and changed else []
    changes = "-".join(changed)
    if len(changes) > LONG:  # of a list of n-tuples
        changes = checksum({"changes": changes})
    folder = "-".join(filter(None, [*which, changes, *where, f"seed-{one.seed}"]))
    path = RUNS / one.game / folder
    if not (path / "settings.toml").exists():
        with claimed(new_folder(path)):
            Run.create(path, game_of(one), settings_of(one))
    return Run.open(path)


def trained(one: Measurement) -> Run:
    """Return the run, trained now if it has not come to its end."""
    run = begun(one)
    return run if run.finished else tafl.resume(run.path)


def measured(workers: int, one: Measurement) -> list[Measurement]:
    """Return the measurements of a trial."""
    run = trained(one)
    about = {key: run.summary()[key] for key in ("episodes", "moves", "seconds")}
    threads = run.settings.threads if one.device == "cuda" else one.threads
    done = marked(replace(one, **about, threads=threads))
    return [replace(done, **fields) for fields in judged(run, seed=1, workers=workers)]


def end_with_parent() -> None:
    """Let this process end when the one that has started it does, whatever ends that."""
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    Thread(target=follow, daemon=True).start()
