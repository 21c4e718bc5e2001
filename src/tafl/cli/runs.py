"""`tafl runs`"""

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, against, complain, print_json, print_table
from tafl.errors import InputError
from tafl.numbers import number

COLUMNS = ["run", "game", "algo", "FARL", "seed", "episode", "episodes", "score", "size", "started"]


Folder = Annotated[Path, Parameter(help="Folder to search, including its subfolders.")]


def runs(folder: Folder = Path("runs"), *, json: Json = False) -> None:
    """List the runs in a folder with their latest evaluation."""
    from tafl.runs.run import Run

    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    lines: list[dict[str, Any]] = []
    for path in sorted(file.parent for file in folder.rglob("settings.toml")):
        try:
            lines.append(Run.open(path).listing())
        except InputError as error:  # one that cannot be read does not hide the others
            complain(f"{path}: {error}")
            lines.append({"run": str(path), "error": str(error)})
    if json:
        print_json({"runs": lines})
        return
    readable = [line for line in lines if "error" not in line]
    if not readable:
        print(f"no runs found in {folder}")
        return
    print_table(COLUMNS, [_row(line) for line in readable])


def _row(line: dict[str, Any]) -> list[Any]:
    scores = [f"{number(r['mean'])}{against(r['opponent'])}" for r in line["results"]]
    return [
        *(line[name] for name in ("run", "game", "algo", "farl", "seed", "episode", "episodes")),
        ", ".join(scores) or "-",
        f"{line['bytes'] / 1e6:.1f} MB",
        line["started"].replace("T", " ").removesuffix("+00:00"),
    ]
