"""`tafl state GAME --moves "3 3 2"`"""

from tafl.cli.options import GameText, Moves, Seed, position_after
from tafl.cli.output import Json, print_json, print_lines
from tafl.numbers import points


def state(game: GameText, /, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show a position: board, legal actions, scores and cells."""
    from tafl.boards import load_game
    from tafl.boards.state import listed

    loaded = load_game(game)
    position = position_after(loaded, moves, seed)
    if json:
        names = ("player", "legal_actions", "over", "scores", "cells")
        about = {name: getattr(position, name) for name in names}
        print_json({"game": loaded.name, **about, "drawing": str(position)})
        return
    print(f"{position}\n")
    print_lines("player", "none (game over)" if position.over else str(position.player + 1))
    print_lines("legal actions", listed(position))
    print_lines("scores", points(position.scores))
    print_lines("cells", " ".join(map(str, position.cells)))
