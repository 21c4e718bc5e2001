"""Experiments: settings and presets, the run folder, checkpoints, and the training loop."""

from tafl.agents import make_agent, register

__all__ = ["make_agent"]

register("run", "tafl.experiments.agents:trained")
