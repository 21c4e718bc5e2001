"""`tafl state GAME --moves "3 3 2"`"""

from typing import Any

from tafl.cli.options import AsPlayer, GameText, Moves, Seed, checked_view, position_after
from tafl.cli.output import Json, print_json, print_lines
from tafl.numbers import points


def state(
    game: GameText,
    /,
    *,
    moves: Moves = "",
    seed: Seed = 0,
    as_player: AsPlayer = None,
    json: Json = False,
) -> None:
    """Show a position: board, legal actions, scores and cells."""
    from tafl.boards import load_game
    from tafl.boards.state import listed

    loaded = load_game(game)
    checked_view(loaded, as_player)
    position = position_after(loaded, moves, seed)
    seen = position.cells if as_player is None else position.seen_by(as_player)
    drawing = position.drawn(as_player)
    # what is legal for another player may depend on what it holds, its score as well
    own = not loaded.hides or as_player in (None, position.player) or position.over
    all_scores = not loaded.hides or as_player is None or position.over
    legal = position.legal_actions if own else None
    scores = [s if all_scores or p == as_player else None for p, s in enumerate(position.scores)]
    if json:
        about: dict[str, Any] = {"player": position.player, "legal_actions": legal}
        about |= {"over": position.over, "scores": scores, "cells": seen, "drawing": drawing}
        print_json({"game": loaded.name, **about})
        return
    print(f"{drawing}\n")
    print_lines("player", "none (game over)" if position.over else str(position.player + 1))
    print_lines("legal actions", listed(position) if own else "not shown to this player")
    print_lines("scores", " ".join("?" if s is None else points([s]) for s in scores))
    print_lines("cells", " ".join(map(str, seen)))
    if loaded.hides and as_player is None:
        print("\nthis shows everything; --as-player shows what one player sees")
