"""Runs of several, wherever they are computed: `python -m tafl.training.worker`."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tafl.core.compile import insist
from tafl.errors import Diverged, InputError
from tafl.training.progress import ProgressFile
from tafl.training.stop import Stopped
from tafl.training.training import resume


class Outcome(NamedTuple):
    """Why a run failed, or nothing; and whether that was its settings' fault."""

    failure: str = ""
    diverged: bool = False


def finish(folder: Path) -> Outcome:
    """Brings a run to its end."""
    try:
        resume(folder, ProgressFile(folder))
    except Exception as error:
        return outcome_of(error)
    return Outcome()


def outcome_of(error: Exception) -> Outcome:
    """What an error says about a run."""
    if isinstance(error, InputError):
        return Outcome(str(error), isinstance(error, Diverged))
    return Outcome(f"{type(error).__name__}: {error}")


def serve(finish: Callable[[Path], Outcome]) -> None:
    """Finishes what stdin names, one after the other; each is answered when it has ended.

    A line of stdin is a path, a line of stdout an outcome, both as JSON. It takes a second or two
    to start a process, which short runs need not spend each.
    """
    insist()
    answers, sys.stdout = sys.stdout, sys.stderr  # nothing but answers belongs there
    for line in sys.stdin:
        try:
            outcome = finish(Path(json.loads(line)))
        except Stopped as stopped:
            sys.exit(128 + stopped.number)
        print(json.dumps(outcome), file=answers, flush=True)


if __name__ == "__main__":
    serve(finish)
