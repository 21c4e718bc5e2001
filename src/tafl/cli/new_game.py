"""`tafl new-game NAME`"""

from pathlib import Path

from tafl.cli.output import Json, print_json


def new_game(name: str, /, *, out: Path | None = None, json: Json = False) -> None:
    """Write a small working game to start your own from.

    Parameters
    ----------
    name
        The name of the game, such as mygame.
    out
        The file to write, NAME.py unless you say otherwise. It must not exist.
    """
    from tafl.boards.template import write_template
    from tafl.errors import place

    file = write_template(name, out)
    if json:
        print_json({"file": str(file)})
        return
    shown = place(file)
    print(f"{shown} is written: a small game of stones in a row. Now try")
    print(f"  tafl check {shown}")
    print(f"  tafl state {shown}")
    print(f"  tafl train {shown}")
