"""`tafl export RUN --csv FILE`, `tafl export RUN RUN --latex FILE`"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tafl.cli.output import Json, print_json
from tafl.errors import InputError
from tafl.files import check_writable, replacing

if TYPE_CHECKING:
    from tafl.runs.comparison import Group
    from tafl.runs.tables import Found


def export(
    *what: Path,
    csv: Path | None = None,
    latex: Path | None = None,
    vs: str | None = None,
    tensorboard: Path | None = None,
    agent: Path | None = None,
    json: Json = False,
) -> None:
    """Export results: as a table for a paper, to CSV or TensorBoard; or an agent to a file.

    Parameters
    ----------
    what
        Runs, or experiments with one subfolder per seed; or the folder of a tournament; or the
        records of a match.
    csv
        CSV file to write: one row per evaluation and opponent of a run, or per agent of a match
        or tournament.
    latex
        File for a table of LaTeX, with mean and standard error: one row per experiment, or agent.
    vs
        In the table, use only the scores of runs against this opponent.
    tensorboard
        Empty folder for TensorBoard logs; several runs get one subfolder each.
    agent
        File for the trained agent alone; `run:FILE` and tafl.load(FILE) read it.
    """
    from tafl.runs.comparison import Group
    from tafl.runs.tables import opened

    if not what:
        raise InputError("name a run, a tournament or the records of a match")
    if csv is None and latex is None and tensorboard is None and agent is None:
        outputs = "--csv FILE, --latex FILE, --tensorboard DIR or --agent FILE"
        raise InputError(f"name an output: {outputs}")
    for option, file in (("--csv", csv), ("--latex", latex), ("--agent", agent)):
        if file is not None:
            check_writable(file, option)
    found = [opened(path) for path in what]
    groups = [one for one in found if isinstance(one, Group)]
    written: list[Written] = []
    if agent is not None or tensorboard is not None:
        written += _export_run(_the_only(groups, len(found)), agent, tensorboard)
    if latex is not None:
        written.append(_write_latex(found, vs, latex))
    if csv is not None:
        written.append(_write_csv(found, groups, csv))
    if json:
        paths = [str(run.path) for group in groups for run in group.runs]
        print_json({"runs": paths, "written": {str(one.path): one.size for one in written}})
        return
    for one in written:
        print(f"{one.path}: {one.size:,} {one.units}")


class Written(NamedTuple):
    """A file, and how much is in it."""

    path: Path
    size: int
    units: str


def _the_only(groups: list["Group"], given: int) -> "Group":
    if given > 1 or not groups:
        raise InputError("--tensorboard and --agent take one run, or one folder of several seeds")
    return groups[0]


def _export_run(group: "Group", agent: Path | None, tensorboard: Path | None) -> Iterator[Written]:
    from tafl.runs.agents import save_agent
    from tafl.runs.export import write_tensorboard

    if agent is not None and len(group.runs) > 1:
        raise InputError(f"--agent takes one run, but {group.name} contains {len(group.runs)}")
    if tensorboard is not None:
        yield Written(tensorboard, write_tensorboard(group, tensorboard), "points")
    if agent is not None:
        save_agent(group.runs[0], agent)
        yield Written(agent, agent.stat().st_size, "bytes")


def _write_latex(found: Sequence["Found"], vs: str | None, file: Path) -> Written:
    from tafl.runs.tables import table

    made = table(*found, opponent=vs)
    with replacing(file) as stream:
        stream.write(made.latex() + "\n")
    return Written(file, len(made.rows), "rows")


def _write_csv(found: Sequence["Found"], groups: list["Group"], file: Path) -> Written:
    from tafl.runs.export import write_csv
    from tafl.runs.tables import table

    if len(groups) == len(found):
        return Written(file, write_csv(groups, file), "rows")
    made = table(*found)
    with replacing(file) as stream:
        stream.write(made.csv() + "\n")
    return Written(file, len(made.rows), "rows")
