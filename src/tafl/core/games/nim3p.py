"""Nim for three: taking the last stone gives 0, the next player gets 1, the previous one 0.2."""

from dataclasses import replace
from typing import NamedTuple

from tafl.core.games.multiplayer import next_player
from tafl.core.games.nim import Nim, take_stones
from tafl.core.games.nimnp import place_score
from tafl.core.games.rules import rules_like


@rules_like(Nim)
class Nim3P(NamedTuple):
    """state, actions and cells as in Nim

    At the end the player to move gets 1, and with the extra rule the one after it 0.2.
    """

    heaps: int = 3
    stones: int = 5
    take: int = 5
    extra: bool = True

    def play(self, state, action):
        take_stones(state, action, self.heaps)
        state[self.heaps] = next_player(state[self.heaps], 3)

    def score(self, state, player):
        return place_score(state, player, self.heaps, 3, self.extra)

    def facts(self):
        return replace(Nim.facts(self), players=3, score_range=(0.0, 1.0))
