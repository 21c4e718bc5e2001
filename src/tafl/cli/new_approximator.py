"""`tafl new-approximator NAME`"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json

Name = Annotated[str, Parameter(help="Name of the approximator, such as mynet.")]
Out = Annotated[Path | None, Parameter(help="New file to write (default: NAME.py).")]


def new_approximator(name: Name, /, *, out: Out = None, json: Json = False) -> None:
    """Write a small working approximator, to be changed into your own."""
    from tafl.boards.template import APPROXIMATOR, write_from
    from tafl.errors import place

    file = write_from(APPROXIMATOR, name, out)
    if json:
        print_json({"file": str(file)})
        return
    shown = place(file)
    print(f"wrote {shown}, a small approximator; now try")
    print(f"  tafl check {shown}")
    print(f"  tafl train connectfour --approximator {shown}")
