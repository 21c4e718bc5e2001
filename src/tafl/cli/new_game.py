"""`tafl new-game NAME`"""

from pathlib import Path

from tafl.cli.output import Json, print_json


def new_game(name: str, /, *, out: Path | None = None, json: Json = False) -> None:
    """Write a small working game as a start for your own.

    Parameters
    ----------
    name
        Name of the game, such as mygame.
    out
        New file to write (default: NAME.py).
    """
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
