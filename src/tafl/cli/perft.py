"""`tafl perft GAME DEPTH`"""

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError


def perft(game: str, depth: int, /, *, json: Json = False) -> None:
    """Count the move sequences of each length: a test of rules, and of their speed.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    depth
        The length of the longest sequences.
    """
    from tafl.boards import load_game
    from tafl.core.play.perft import perft as count

    if depth < 1:
        raise InputError(f"DEPTH must be at least 1, not {depth}")
    loaded = load_game(game)
    if loaded.has_chance:
        raise InputError(f"{loaded.name} has chance: its move sequences cannot be counted")
    counts = count(loaded.rules, loaded.facts, depth)
    if json:
        print_json({"game": loaded.name, "depth": depth, "counts": counts})
    else:
        print_table(["moves", "sequences"], enumerate(counts, start=1), title=loaded.name)
