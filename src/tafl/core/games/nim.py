"""Nim: take stones from one heap; taking the last one wins, or loses if it is misère."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Label, Piece, Tally, Target
from tafl.core.games.checks import check_whole
from tafl.core.games.rules import Facts, rules

MOST_HEAPS, MOST_STONES = 16, 255
# action // heaps as a multiplication: exact while action * heaps < 2**16
RECIPROCAL = (0, *((1 << 16) // heaps + 1 for heaps in range(1, MOST_HEAPS + 1)))


@inline
def heap_and_taken(action, heaps):
    """Return the heap that an action takes from, and the number of stones."""
    before = (action * RECIPROCAL[heaps]) >> 16
    return action - before * heaps, before + 1


@inline
def take_stones(state, action, heaps):
    """Take stones from a heap."""
    heap, taken = heap_and_taken(action, heaps)
    state[heap] -= taken
    state[heaps + 1] -= taken


@rules
class Nim(NamedTuple):
    """state = [heap 0, heap 1, ..., player, stones left];   action = (taken - 1) * heaps + heap

    cell = heap; value: its stones
    """

    heaps: int = 3
    stones: int = 5
    take: int = 5
    misere: bool = False

    def start(self, state):
        state[: self.heaps] = self.stones
        state[self.heaps] = 0
        state[self.heaps + 1] = self.heaps * self.stones

    def player(self, state):
        return state[self.heaps]

    def legal(self, state, action):
        heap, taken = heap_and_taken(action, self.heaps)
        return taken <= state[heap]

    def play(self, state, action):
        take_stones(state, action, self.heaps)
        state[self.heaps] = 1 - state[self.heaps]

    def over(self, state):
        return state[self.heaps + 1] == 0

    def score(self, state, player):
        if state[self.heaps + 1] != 0:
            return 0.0
        # the player to move did not take the last stone
        return 1.0 if (player == state[self.heaps]) == self.misere else -1.0

    def cell(self, state, c):
        return state[c]

    def facts(self):
        heaps = range(self.heaps)
        return Facts(
            players=2,
            actions=self.heaps * min(self.take, self.stones),
            cells=self.heaps,
            values=self.stones + 1,
            words=self.heaps + 2,
            neighbours=[[other for other in heaps if other != heap] for heap in heaps],
        )

    def validate(self):
        check_whole("heaps", self.heaps, 1, MOST_HEAPS)
        check_whole("stones", self.stones, 1, MOST_STONES)
        check_whole("take", self.take, 1, MOST_STONES)

    def position(self, state, cells, player):
        state[:] = [*cells, player, sum(cells)]

    def draw(self, state):
        return "\n".join(f"{heap}: " + "o" * self.cell(state, heap) for heap in range(self.heaps))

    def board(self):
        most = self.heaps * min(self.take, self.stones)
        taken = [Target(cells=[a % self.heaps], part=a // self.heaps + 1) for a in range(most)]
        return Board(
            cells=[Cell(1.4 * heap, 0, "base") for heap in range(self.heaps)],
            pieces=[None, *(Piece("stone", "yellow", count=n) for n in range(1, self.stones + 1))],
            targets=taken,
            labels=[Label(1.4 * heap, 0.8, str(heap)) for heap in range(self.heaps)],
            tall=round(0.62 * self.stones, 2),
            tally=Tally("stones left", words=[[self.heaps + 1]]),
        )

    def action_name(self, action):
        return f"{action // self.heaps + 1} from heap {action % self.heaps}"
