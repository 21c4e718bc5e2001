"""Who is how strong: games in all roles, from chosen start positions; matches and tournaments."""

from tafl.arena.contest import play_on
from tafl.arena.evaluate import evaluate
from tafl.arena.match import Match, match
from tafl.arena.starts import first_positions, start_positions
from tafl.arena.tournament import Tournament, tournament

__all__ = [
    "Match",
    "Tournament",
    "evaluate",
    "first_positions",
    "match",
    "play_on",
    "start_positions",
    "tournament",
]
