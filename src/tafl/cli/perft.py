"""`tafl perft GAME DEPTH`"""

from typing import Annotated

from cyclopts import Parameter

from tafl.cli.options import GameText
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

MOST_PLIES = 1_000
Depth = Annotated[int, Parameter(help="Length of the longest sequences, in moves.")]


def perft(game: GameText, depth: Depth, /, *, json: Json = False) -> None:
    """Count the move sequences of each length, to test rules and speed."""
    from tafl.boards import load_game
    from tafl.core.play.perft import perft as count

    if not 1 <= depth <= MOST_PLIES:
        raise InputError(f"DEPTH must be from 1 to {MOST_PLIES:,}, not {depth}")
    loaded = load_game(game)
    if loaded.has_chance:
        raise InputError(f"perft cannot count the moves of a game of chance such as {loaded.name}")
    counts = count(loaded.rules, loaded.facts, depth)
    if json:
        print_json({"game": loaded.name, "depth": depth, "counts": counts})
    else:
        print_table(["moves", "sequences"], enumerate(counts, start=1), title=loaded.name)
