"""Games between agents, the same in whatever process they are played.

A game of a match has a number, and all its chance comes from the seed of the match and this number.
In game `number` of n players agent i sits on seat (i + number) % n, so that n games in a row, a
round, are one start position in all rotations.
"""

from collections.abc import Sequence

import numpy as np

from tafl.agents import Agent
from tafl.arena.records import Record
from tafl.arena.starts import Moves, after
from tafl.errors import AgentError, InputError
from tafl.games.game import Game
from tafl.games.state import State


class Contest:
    """Agents that play games of a match by their numbers."""

    def __init__(self, game: Game, agents: Sequence[Agent], names: Sequence[str], seed: int):
        self.game, self.agents, self.names, self.seed = game, agents, names, seed

    def play(self, number: int, start: Moves) -> Record:
        """Plays a game from a start position and records it."""
        players = len(self.agents)
        chance, *own = derived_seeds(self.seed, number, 1 + players)
        for agent, seed in zip(self.agents, own, strict=True):
            begin(agent, seed)
        order = [(seat - number) % players for seat in range(players)]
        names = [self.names[i] for i in order]
        position = after(self.game.start(chance), start)
        try:
            moves, end = play_on([self.agents[i] for i in order], position, names)
        except AgentError as error:
            raise AgentError(f"game {number}, {error}") from error.__cause__
        return Record(self.game.name, number, chance, names, start, moves, end.scores)


def play_on(seats: Sequence[Agent], state: State, names: Sequence[str] = ()) -> tuple[Moves, State]:
    """Plays on from a position, one agent a seat: the moves, and the position at the end."""
    state, moves = state.copy(), Moves()
    while not state.over:
        player = state.player
        try:
            action = seats[player].act(state)
            state.play(action)
        except Exception as error:
            name = names[player] if names else type(seats[player]).__name__
            raise AgentError(f"move {len(moves) + 1}: {name}: {said(error)}") from error
        moves.append(int(action))
    return moves, state


def said(error: Exception) -> str:
    """What an error says: one of ours in its own words, any other with its type."""
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"


def begin(agent: Agent, seed: int) -> None:
    """Lets an agent draw from this seed on; what else it remembers does not change its moves."""
    rng = getattr(agent, "rng", None)
    if isinstance(rng, np.ndarray):
        rng[0] = seed


def derived_seeds(seed: int, number: int, count: int) -> list[int]:
    """Seeds that depend on a seed and a number alone; close ones give unrelated streams."""
    found = np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(count)
    return [int(word) for word in found]
