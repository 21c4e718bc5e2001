"""Games as people use them: loading by name, file or class, positions, and checks of new games."""

from tafl.boards.game import Game
from tafl.boards.load import load_game
from tafl.boards.state import State

__all__ = ["Game", "State", "load_game"]
