"""`tafl export RUN --csv FILE`, `tafl export RUN RUN --latex FILE`, `tafl export GAME --js DIR`"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Parameter

from tafl.cli.output import Json, print_json
from tafl.errors import InputError
from tafl.files import check_writable, replacing

if TYPE_CHECKING:
    from tafl.runs.comparison import Group
    from tafl.runs.tables import Found


Written = dict[Path, tuple[int, str]]  # the size of each file, and its unit


@Parameter(name="*")
@dataclass(frozen=True)
class Outputs:
    """The files to write."""

    csv: Path | None = None
    """CSV file to write: one row per evaluation of a run, or per agent."""
    latex: Path | None = None
    """LaTeX table to write, with standard errors: one row per experiment or agent."""
    vs: str | None = None
    """Use only the scores of runs against this opponent in the LaTeX table."""
    tensorboard: Path | None = None
    """Empty folder for TensorBoard logs; several runs get one subfolder each."""
    agent: Path | None = None
    """File for the trained agent; `run:FILE` and tafl.load(FILE) read it."""
    js: Path | None = None
    """Folder for a module of JavaScript: a game with its agents for other web pages."""

    def check(self) -> None:
        """Refuse to start without an output, or with one that cannot be written."""
        others = self.csv or self.latex or self.tensorboard or self.agent
        if not (others or self.js):
            outputs = "--csv FILE, --latex FILE, --tensorboard DIR, --agent FILE or --js DIR"
            raise InputError(f"name an output: {outputs}")
        if self.js and others:
            raise InputError("--js writes a folder: leave out the other outputs")
        for option in ("csv", "latex", "agent"):
            if (file := getattr(self, option)) is not None:
                check_writable(file, f"--{option}")

    def write(self, found: list["Found"], groups: list["Group"]) -> Written:
        """Write all files; return the size of each with its unit."""
        from tafl.runs.export import write_csv
        from tafl.runs.tables import table

        written: Written = {}
        if self.agent is not None or self.tensorboard is not None:
            if len(found) > 1 or not groups:
                one = "one run, or one folder of several seeds"
                raise InputError(f"--tensorboard and --agent take {one}")
            written |= self._write_group(groups[0])
        if self.latex is not None:
            made = table(*found, opponent=self.vs)
            _write_text(self.latex, made.latex())
            written[self.latex] = len(made.rows), "rows"
        if self.csv is not None and len(groups) == len(found):
            written[self.csv] = write_csv(groups, self.csv), "rows"
        elif self.csv is not None:
            made = table(*found)
            _write_text(self.csv, made.csv())
            written[self.csv] = len(made.rows), "rows"
        return written

    def _write_group(self, group: "Group") -> Written:
        """Write logs and the trained agent, which only runs have."""
        from tafl.runs.export import write_tensorboard
        from tafl.runs.trained_agents import save_agent

        written: Written = {}
        if self.agent is not None and len(group.runs) > 1:
            raise InputError(f"--agent takes one run, but {group.name} contains {len(group.runs)}")
        if self.tensorboard is not None:
            written[self.tensorboard] = write_tensorboard(group, self.tensorboard), "points"
        if self.agent is not None:
            save_agent(group.runs[0], self.agent)
            written[self.agent] = self.agent.stat().st_size, "bytes"
        return written


def export(*what: Path, outputs: Outputs | None = None, json: Json = False) -> None:
    """Export results (LaTeX, CSV, TensorBoard), an agent to a file, or a bot for a web page.

    Parameters
    ----------
    what
        Folders of runs or experiments, a tournament's folder, or the records of a match; with --js
        a game or the file of your own game, and its agents: runs, agent files, champion.
    """
    from tafl.runs.comparison import Group
    from tafl.runs.tables import opened

    if not what:
        raise InputError("name a run, a tournament or the records of a match")
    outputs = outputs or Outputs()
    outputs.check()
    if outputs.js is not None:
        _write_bot(what, outputs.js, json=json)
        return
    found = [opened(path) for path in what]
    groups = [one for one in found if isinstance(one, Group)]
    written = outputs.write(found, groups)
    if json:
        paths = [str(run.path) for group in groups for run in group.runs]
        print_json({"runs": paths, "written": {str(file): n for file, (n, _) in written.items()}})
        return
    for file, (size, unit) in written.items():
        print(f"{file}: {size:,} {unit}")


def _write_bot(what: tuple[Path, ...], folder: Path, *, json: bool) -> None:
    """Write a module of JavaScript; print its files."""
    from tafl.cli.page import named
    from tafl.page.bot import write_bot

    if folder.exists() and not folder.is_dir():
        raise InputError(f"--js {folder}: this is a file; name a folder")
    written = write_bot(*named([str(path) for path in what]), folder)
    if json:
        print_json({"folder": str(folder), "written": written})
        return
    for file, size in written.items():
        print(f"{folder / file}: {size:,} bytes")


def _write_text(file: Path, text: str) -> None:
    with replacing(file) as stream:
        stream.write(text + "\n")
