"""Everything that can pick a move: `act(state) -> int` and `values(state) -> dict[int, float]`."""

from typing import Protocol

from tafl.errors import InputError
from tafl.games.game import Game
from tafl.games.state import State

KINDS = ("random", "exact")


class Agent(Protocol):
    """What a player of any kind can do."""

    def act(self, state: State) -> int: ...

    def values(self, state: State) -> dict[int, float]: ...


def make_agent(spec: str, game: Game, seed: int = 0) -> Agent:
    """An agent by its name: `random`, or `exact` for a small game."""
    if spec == "random":
        from tafl.agents.random import RandomAgent

        return RandomAgent(game, seed)
    if spec == "exact":
        from tafl.agents.exact import ExactAgent

        return ExactAgent(game, seed)
    raise InputError(f"no agent is called {spec!r}; there are: {', '.join(KINDS)}")
