"""Measurements in several processes, each stored as soon as it is there."""

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from studies.records import Measurement, append
from tafl.errors import InputError

Job = tuple[Callable[..., list[Measurement]], tuple[Any, ...]]  # a function and its arguments


def processes_of(arguments: list[str], usage: str) -> int:
    """Return the number of processes that a command names, 1 if it names none."""
    if len(arguments) > 1 or not all(one.isdecimal() and int(one) for one in arguments):
        raise InputError(f"usage: {usage}")
    return int(*arguments or ["1"])


def measure(path: Path, jobs: Sequence[Job], processes: int) -> None:
    """Call all functions and store what they return; one that fails leaves the others alone."""
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        started = {pool.submit(kind, *given): given for kind, given in jobs}
        for number, future in enumerate(as_completed(started), start=1):
            try:
                append(path, found := future.result())
            except Exception as error:
                print(f"{started[future]} failed: {error!r}", file=sys.stderr, flush=True)
                continue
            for one in found:
                about = f"{one.game}, {one.condition or one.overrides}, seed {one.seed}"
                result = f"{one.metric} {one.value:.4f} {one.against}"
                print(f"{number}/{len(jobs)} {about}: {result}", flush=True)
