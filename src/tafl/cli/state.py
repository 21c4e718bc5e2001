"""`tafl state GAME --moves "3 3 2"`"""

from tafl.cli.moves import Moves, Seed, after_moves
from tafl.cli.output import Json, print_json


def state(game: str, /, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show a position: player, legal actions, scores, cells and a drawing.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    """
    from tafl.agents.human import listed
    from tafl.games import load_game

    loaded = load_game(game)
    position = after_moves(loaded, moves, seed)
    if json:
        print_json(
            {
                "game": loaded.name,
                "player": position.player,
                "legal_actions": position.legal_actions,
                "over": position.over,
                "scores": position.scores,
                "cells": position.cells,
                "drawing": str(position),
            }
        )
        return
    print(position)
    print()
    print("player        ", "none, the game is over" if position.over else position.player)
    print("legal actions ", listed(position))
    print("scores        ", " ".join(f"{score:g}" for score in position.scores))
    print("cells         ", " ".join(map(str, position.cells)))
