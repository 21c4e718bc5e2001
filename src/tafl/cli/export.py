"""`tafl export RUN --csv FILE`"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json
from tafl.errors import InputError


def export(
    folder: Path,
    *,
    table: Annotated[Path | None, Parameter(name="--csv")] = None,
    tensorboard: Path | None = None,
    json: Json = False,
) -> None:
    """Write the evaluations of a run for other programs.

    Parameters
    ----------
    folder
        A run, or a folder with the seeds of one experiment.
    table
        A file of comma-separated values, one row for each evaluation and opponent.
    tensorboard
        An empty folder for TensorBoard, with one folder a run where there are several.
    """
    from tafl.experiments.comparison import Group
    from tafl.experiments.export import write_csv, write_tensorboard

    if table is None and tensorboard is None:
        raise InputError("export as what? use --csv FILE, --tensorboard DIR, or both")
    group = Group.open(folder)
    written: dict[str, int] = {}
    if tensorboard is not None:
        written[str(tensorboard)] = write_tensorboard(group, tensorboard)
    if table is not None:
        written[str(table)] = write_csv(group, table)
    if json:
        print_json({"runs": [str(run.path) for run in group.runs], "written": written})
        return
    for path, count in written.items():
        print(f"{path}: {count:,} {'rows' if path == str(table) else 'points of curves'}")
