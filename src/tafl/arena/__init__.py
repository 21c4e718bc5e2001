"""Who is how strong: games in all roles, from chosen start positions."""

from tafl.arena.evaluate import evaluate, first_positions, play_game, start_positions

__all__ = ["evaluate", "first_positions", "play_game", "start_positions"]
