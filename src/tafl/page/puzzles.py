"""Puzzles: positions in which exactly one move wins. studies/make/puzzles.py made them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from tafl.boards import Game

FILE = Path(__file__).parent / "puzzles.json"


@cache
def all_puzzles() -> dict[str, list[dict[str, Any]]]:
    """Return the puzzles of each game that has some."""
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def puzzles(game: Game) -> list[dict[str, Any]]:
    """Return the puzzles of a game with these parameters."""
    from tafl.boards import load_game

    name = game.name.partition("(")[0]
    known = all_puzzles().get(name, [])
    return known if known and load_game(name) == game else []
