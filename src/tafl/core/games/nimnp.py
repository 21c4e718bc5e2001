"""Nim for any number of players: whoever takes the last stone gets 0, the next player 1."""

from dataclasses import replace
from typing import NamedTuple

from tafl.core.games.checks import check_whole
from tafl.core.games.nim import Nim, heap_and_taken
from tafl.core.games.rules import rules
from tafl.core.games.several import next_player


@rules
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

    start = Nim.start
    player = Nim.player
    legal = Nim.legal
    over = Nim.over
    cell = Nim.cell
    position = Nim.position
    draw = Nim.draw
    board = Nim.board
    action_name = Nim.action_name

    def play(self, state, action):
        heap, taken = heap_and_taken(action, self.heaps)
        state[heap] -= taken
        state[self.heaps] = next_player(state[self.heaps], self.players)
        state[self.heaps + 1] -= taken

    def score(self, state, player):
        if state[self.heaps + 1] != 0:
            return 0.0
        to_move = state[self.heaps]
        if player == to_move:
            return 1.0
        before_last = (to_move + self.players - 2) % self.players
        return 0.2 if self.extra and player == before_last else 0.0

    def facts(self):
        return replace(Nim.facts(self), players=self.players, score_range=(0.0, 1.0))

    def validate(self):
        Nim.validate(self)
        check_whole("players", self.players, 2, 8)
