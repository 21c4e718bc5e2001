"""`tafl settings GAME`"""

from tafl.cli.options import GameText
from tafl.cli.output import Json, print_json
from tafl.errors import InputError


def settings(
    game: GameText | None = None,
    *,
    preset: str | None = None,
    algo: str | None = None,
    schema: bool = False,
    json: Json = False,
) -> None:
    """Print all settings of a game as TOML, ready for `tafl train --settings`.

    Parameters
    ----------
    preset
        Which preset: paper (the paper's appendix) or as-run (what its authors ran).
    algo
        Learning algorithm: td, sarsa or q.
    schema
        Print the JSON Schema of all settings instead.
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
