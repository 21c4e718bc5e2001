"""What matches and tournaments share on the command line."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tafl.errors import InputError

Starts = Annotated[
    int | str,
    Parameter(
        help="Where games begin: start, first-moves, start-or-first, half-board, all:K for all "
        "sequences of K moves, or K for K random moves."
    ),
]
Workers = Annotated[
    int | None,
    Parameter(help="How many processes play; all cores without it. The result is the same."),
]


def check_record(record: Path | None) -> None:
    """Refuses a file that could not be written after all games."""
    if record is not None and (record.is_dir() or not record.parent.is_dir()):
        raise InputError(f"--record {record}: this is a folder, or lies in none")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0))


def say_progress(text: str) -> None:
    """Shows on a terminal how far the games are, in a line that the next one overwrites."""
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def say_repeated(document: dict[str, Any]) -> None:
    """Says that errors are too small where agents without chance repeated their games."""
    games, different = document["games"], document["different_games"]
    if different < games / 2:
        print(f"only {different:,} of {games:,} games differ; more --starts make more of them")
