"""`tafl new-game NAME`"""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, print_json

Name = Annotated[str, Parameter(help="Name of the game, such as mygame.")]
Out = Annotated[Path | None, Parameter(help="New file to write (default: NAME.py).")]


Kind = Annotated[
    Literal["line", "dice", "pieces", "cards"],
    Parameter(
        help="line: stones in a row; dice: a race with a die; pieces: moves from cell to cell; "
        "cards: hidden cards and bets."
    ),
]


def new_game(name: Name, /, *, kind: Kind = "line", out: Out = None, json: Json = False) -> None:
    """Write a small working game, to be changed into your own."""
    from tafl.boards.template import TEMPLATES, write_template
    from tafl.errors import place

    file = write_template(name, out, kind)
    if json:
        print_json({"file": str(file)})
        return
    shown = place(file)
    print(f"wrote {shown}, {TEMPLATES[kind].about}; now try")
    for command in ("check", "state", "train"):
        print(f"  tafl {command} {shown}")
