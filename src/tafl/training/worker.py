"""One run of several, wherever it is computed: `python -m tafl.training.worker FOLDER`."""

import sys
from pathlib import Path

from tafl.core.compile import insist
from tafl.errors import InputError
from tafl.training.progress import ProgressFile
from tafl.training.stop import Stopped
from tafl.training.training import resume


def finish(folder: Path) -> str:
    """Brings a run to its end; returns why that failed, or nothing."""
    try:
        resume(folder, ProgressFile(folder))
    except InputError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def main() -> None:
    """Finishes the run in the folder that the command line names."""
    insist()
    try:
        failure = finish(Path(sys.argv[1]))
    except Stopped as stopped:
        sys.exit(128 + stopped.number)
    sys.exit(failure or 0)


if __name__ == "__main__":
    main()
