"""Everything that can pick a move: `act(state) -> int` and `values(state) -> dict[int, float]`."""

from tafl.agents.spec import Agent, make_agent, register

__all__ = ["Agent", "make_agent", "register"]
