"""Agents, which pick moves: `act(state) -> int` and `values(state) -> dict[int, float]`."""

from tafl.agents.agent import Agent
from tafl.agents.spec import make_agent

__all__ = ["Agent", "make_agent"]
