"""`tafl export RUN --csv FILE`"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json
from tafl.errors import InputError
from tafl.files import check_writable


def export(
    folder: Path,
    *,
    table: Annotated[Path | None, Parameter(name="--csv")] = None,
    tensorboard: Path | None = None,
    agent: Path | None = None,
    json: Json = False,
) -> None:
    """Export the evaluations of a run to CSV or TensorBoard, or its agent to a file.

    Parameters
    ----------
    folder
        A run, or an experiment with one subfolder per seed.
    table
        CSV file to write, with one row per evaluation and opponent.
    tensorboard
        Empty folder for TensorBoard logs; several runs get one subfolder each.
    agent
        File for the trained agent alone; `run:FILE` and tafl.load(FILE) read it.
    """
    from tafl.runs.agents import save_agent
    from tafl.runs.comparison import Group
    from tafl.runs.export import write_csv, write_tensorboard

    if table is None and tensorboard is None and agent is None:
        raise InputError("name an output: --csv FILE, --tensorboard DIR or --agent FILE")
    for option, file in (("--csv", table), ("--agent", agent)):
        if file is not None:
            check_writable(file, option)
    group = Group.open(folder)
    if agent is not None and len(group.runs) > 1:
        raise InputError(f"--agent takes one run, but {folder} contains {len(group.runs)}")
    written: dict[str, int] = {}
    if tensorboard is not None:
        written[str(tensorboard)] = write_tensorboard(group, tensorboard)
    if table is not None:
        written[str(table)] = write_csv(group, table)
    if agent is not None:
        save_agent(group.runs[0], agent)
        written[str(agent)] = agent.stat().st_size
    if json:
        print_json({"runs": [str(run.path) for run in group.runs], "written": written})
        return
    for path, count in written.items():
        units = {str(table): "rows", str(agent): "bytes"}
        print(f"{path}: {count:,} {units.get(path, 'points')}")
