"""`tafl games`"""

from tafl.cli.output import Json, print_json, print_table

FACTS = ("players", "actions", "cells", "values")
COLUMNS = ["game", "players", "actions", "cells", "cell values", "parameters"]


def games(*, json: Json = False) -> None:
    """List the games: players, actions, cells and parameters."""
    from tafl.boards.load import games as all_games

    documents, rows = [], []
    for name, game in all_games().items():
        facts = {fact: getattr(game.facts, fact) for fact in FACTS}
        about = {"parameters": game.parameters, **facts, "symmetries": len(game.facts.symmetries)}
        documents.append({"game": name, **about})
        parameters = game.name.removeprefix(name).strip("()").replace(",", ", ")
        rows.append([name, *facts.values(), parameters])
    if json:
        print_json(documents)
    else:
        print_table(COLUMNS, rows)
