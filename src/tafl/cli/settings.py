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
    """Print all settings of a game as a file that `tafl train --settings` takes.

    Parameters
    ----------
    preset
        Which settings: paper, or as-run (what the paper's authors ran).
    algo
        How to learn: td, sarsa or q.
    schema
        Print instead which settings there are, as JSON Schema.
    """
    from tafl.boards import load_game
    from tafl.settings import model
    from tafl.settings.presets import compose
    from tafl.training.plan import option_tree

    if schema:
        if game or preset or algo:
            raise InputError("--schema is the same for all games; leave the others out")
        print_json(model.schema())
        return
    if game is None:
        raise InputError("which game? name it, or use --schema")
    found = compose(load_game(game), preset, overrides=option_tree(algo=algo))
    if json:
        print_json(found.tree())
    else:
        print(found.toml(), end="")
