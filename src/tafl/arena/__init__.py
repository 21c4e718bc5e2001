"""Measuring playing strength: matches and tournaments in all roles, from chosen starts."""

from tafl.arena.contest import play_on
from tafl.arena.match import evaluate, match
from tafl.arena.result import Result, Standing
from tafl.arena.tournament import Tournament, tournament

__all__ = ["Result", "Standing", "Tournament", "evaluate", "match", "play_on", "tournament"]
