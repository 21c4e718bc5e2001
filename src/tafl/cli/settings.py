"""`tafl settings GAME`"""

from typing import Annotated

from cyclopts import Parameter

from tafl.cli.options import Algorithm, GameText, Preset
from tafl.cli.output import Json, print_json
from tafl.errors import InputError


def settings(
    game: GameText | None = None,
    *,
    preset: Preset = None,
    algo: Algorithm = None,
    schema: Annotated[bool, Parameter(help="Print the JSON Schema of all settings.")] = False,
    json: Json = False,
) -> None:
    """Print all settings of a game as TOML.

    `tafl train --settings FILE` reads them from a file.
    """
    from tafl.boards import load_game
    from tafl.settings import model
    from tafl.settings.presets import compose
    from tafl.training.plan import option_tree

    if schema:
        if game or preset or algo:
            raise InputError("--schema is the same for all games; use it alone")
        print_json(model.schema())
        return
    if game is None:
        raise InputError("name a game, or use --schema")
    found = compose(load_game(game), preset, overrides=option_tree(algo=algo))
    if json:
        print_json(found.tree())
    else:
        print(found.toml(), end="")
