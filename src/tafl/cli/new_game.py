"""`tafl new-game NAME`"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json

Name = Annotated[str, Parameter(help="Name of the game, such as mygame.")]
Out = Annotated[Path | None, Parameter(help="New file to write (default: NAME.py).")]


def new_game(name: Name, /, *, out: Out = None, json: Json = False) -> None:
    """Write a small working game, to be changed into your own."""
    from tafl.boards.template import write_template
    from tafl.errors import place

    file = write_template(name, out)
    if json:
        print_json({"file": str(file)})
        return
    shown = place(file)
    print(f"wrote {shown}, a small game of stones in a row; now try")
    for command in ("check", "state", "train"):
        print(f"  tafl {command} {shown}")
