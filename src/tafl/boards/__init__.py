"""Games for users: loading by name, file or class; positions; checks of new games."""

from tafl.boards.game import Game
from tafl.boards.load import load_game
from tafl.boards.state import State

__all__ = ["Game", "State", "load_game"]
