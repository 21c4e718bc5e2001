"""Nim for any number of players: taking the last stone gives 0, the next player gets 1."""

from dataclasses import replace
from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.checks import check_whole
from tafl.core.games.multiplayer import next_player
from tafl.core.games.nim import Nim, take_stones
from tafl.core.games.rules import rules_like


@inline
def place_score(state, player, heaps, players, extra):
    """Return 1 for the player to move at the end; with the extra rule 0.2 for the one before."""
    if state[heaps + 1] != 0:
        return 0.0
    to_move = state[heaps]
    if player == to_move:
        return 1.0
    return 0.2 if extra and player == (to_move + players - 2) % players else 0.0


@rules_like(Nim)
class NimNP(NamedTuple):
    """state, actions and cells as in Nim

    At the end the player to move gets 1, and with the extra rule the one before the last mover 0.2:
    for three players that is Nim3P.
    """

    heaps: int = 3
    stones: int = 5
    take: int = 5
    extra: bool = True
    players: int = 4

    def play(self, state, action):
        take_stones(state, action, self.heaps)
        state[self.heaps] = next_player(state[self.heaps], self.players)

    def score(self, state, player):
        return place_score(state, player, self.heaps, self.players, self.extra)

    def facts(self):
        return replace(Nim.facts(self), players=self.players, score_range=(0.0, 1.0))

    def validate(self):
        Nim.validate(self)
        check_whole("players", self.players, 2, 8)
