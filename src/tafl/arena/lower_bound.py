"""A lower bound of exploitability by games, where a game is too large for an exact best response.

A player who knows the agents of all others deals again what it cannot see, tries each action in
those worlds, and lets the agents, in its own role, too, play each game to its end. It plays the
action with the highest mean. What it scores more than the agent in its place is an unbiased
estimate of what this way to play gains; a best response gains at least as much.
"""

from collections.abc import Sequence

import numpy as np

from tafl.agents import Agent
from tafl.arena.contest import begin, derived_seeds, play_on
from tafl.boards.game import Game
from tafl.boards.state import State


class Responder:
    """An agent that tries each action in worlds in which the given agents play on."""

    def __init__(self, agents: Sequence[Agent], worlds: int):
        self.agents, self.worlds = agents, worlds
        self.rng = np.zeros(1, np.uint64)  # a contest seeds it before each game
        self.moves = 0

    def act(self, state: State) -> int:
        """Return the action with the highest mean score."""
        values = self.values(state)
        return max(values, key=values.__getitem__)

    def values(self, state: State) -> dict[int, float]:
        """Return the mean score of each action over worlds."""
        player, seeds = state.player, derived_seeds(int(self.rng[0]), self.moves, self.worlds)
        self.moves += 1
        sums = dict.fromkeys(state.legal_actions, 0.0)
        for seed in seeds:
            world = state.redealt(player, seed)
            for action in sums:
                after = world.copy()
                after.play(action)
                sums[action] += play_on(self.agents, after).scores[player]
        return {action: total / self.worlds for action, total in sums.items()}


def paired_scores(
    game: Game, agents: Sequence[Agent], player: int, games: int, worlds: int, seed: int
) -> np.ndarray:
    """Return the scores of an agent, and of a responder in its place, game by game."""
    responder = Responder(agents, worlds)
    others = [responder if p == player else agent for p, agent in enumerate(agents)]
    scores = np.zeros((games, 2))
    for number in range(games):
        deal, *own = derived_seeds(seed, number, 1 + len(agents))
        for k, players in enumerate((agents, others)):
            for agent, first in zip(players, own, strict=True):
                begin(agent, first)
            responder.moves = 0
            scores[number, k] = play_on(players, game.start(deal)).scores[player]
    return scores
