"""Games as people use them: loading by name, file or class, positions, and checks of new games."""

from tafl.games.game import Game
from tafl.games.load import load_game
from tafl.games.state import State

__all__ = ["Game", "State", "load_game"]
