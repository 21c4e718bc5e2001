"""Nim for three: whoever takes the last stone gets 0, the next player 1, the previous one 0.2."""

from dataclasses import replace
from typing import NamedTuple

from tafl.core.games.nim import Nim, heap_and_taken
from tafl.core.games.rules import rules


@rules
class Nim3P(NamedTuple):
    """state, actions and cells as in Nim

    At the end the player to move gets 1, and with the extra rule the one after it 0.2.
    """

    heaps: int = 3
    stones: int = 5
    take: int = 5
    extra: bool = True

    start = Nim.start
    player = Nim.player
    legal = Nim.legal
    over = Nim.over
    cell = Nim.cell
    validate = Nim.validate
    position = Nim.position
    draw = Nim.draw
    board = Nim.board
    action_name = Nim.action_name

    def play(self, state, action):
        heap, taken = heap_and_taken(action, self.heaps)
        state[heap] -= taken
        state[self.heaps] = state[self.heaps] + 1 if state[self.heaps] < 2 else 0
        state[self.heaps + 1] -= taken

    def score(self, state, player):
        if state[self.heaps + 1] != 0:
            return 0.0
        to_move = state[self.heaps]
        if player == to_move:
            return 1.0
        return 0.2 if self.extra and player == (to_move + 1) % 3 else 0.0

    def facts(self):
        return replace(Nim.facts(self), players=3, score_range=(0.0, 1.0))
