"""`tafl games`"""

from tafl.cli.output import Json, print_json, print_table


def games(*, json: Json = False) -> None:
    """List the games with their numbers of players, actions and cells, and their parameters."""
    from tafl.boards.load import games as all_games

    loaded = all_games()
    if json:
        print_json(
            [
                {
                    "game": name,
                    "parameters": game.parameters,
                    "players": game.facts.players,
                    "actions": game.facts.actions,
                    "cells": game.facts.cells,
                    "values": game.facts.values,
                    "symmetries": len(game.facts.symmetries),
                }
                for name, game in loaded.items()
            ]
        )
        return
    rows = [
        (
            name,
            game.facts.players,
            game.facts.actions,
            game.facts.cells,
            game.facts.values,
            game.name.removeprefix(name).strip("()").replace(",", ", "),
        )
        for name, game in loaded.items()
    ]
    print_table(["game", "players", "actions", "cells", "cell values", "parameters"], rows)
