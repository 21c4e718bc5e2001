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
    """Export results (LaTeX, CSV, TensorBoard), or an agent to a file.

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
    outputs = Outputs(csv, latex, tensorboard, agent)
    outputs.check()
    found = [opened(path) for path in what]
    groups = [one for one in found if isinstance(one, Group)]
    written = list(outputs.write(found, groups, vs))
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


class Outputs(NamedTuple):
    """The files that are wanted."""

    csv: Path | None
    latex: Path | None
    tensorboard: Path | None
    agent: Path | None

    def check(self) -> None:
        """Refuse to start without an output, or with one that cannot be written."""
        if not any(self):
            outputs = "--csv FILE, --latex FILE, --tensorboard DIR or --agent FILE"
            raise InputError(f"name an output: {outputs}")
        for option in ("csv", "latex", "agent"):
            if (file := getattr(self, option)) is not None:
                check_writable(file, f"--{option}")

    def write(
        self, found: Sequence["Found"], groups: list["Group"], vs: str | None
    ) -> Iterator[Written]:
        """Write them all."""
        from tafl.runs.export import write_csv
        from tafl.runs.tables import table

        if self.agent is not None or self.tensorboard is not None:
            yield from _export_run(_the_only(groups, len(found)), self.agent, self.tensorboard)
        if self.latex is not None:
            made = table(*found, opponent=vs)
            yield _write_text(self.latex, made.latex(), len(made.rows))
        if self.csv is not None and len(groups) == len(found):
            yield Written(self.csv, write_csv(groups, self.csv), "rows")
        elif self.csv is not None:
            made = table(*found)
            yield _write_text(self.csv, made.csv(), len(made.rows))


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


def _write_text(file: Path, text: str, rows: int) -> Written:
    with replacing(file) as stream:
        stream.write(text + "\n")
    return Written(file, rows, "rows")
