"""Experiments: settings and presets, the run folder, checkpoints, and the training loop."""

from tafl.agents import make_agent, register
from tafl.arena.match import match
from tafl.arena.tournament import tournament

__all__ = ["make_agent", "match", "tournament"]

register("run", "tafl.experiments.agents:trained")
