"""Peg solitaire: jump over a peg, which is removed; as few as possible are to be left."""

from typing import NamedTuple

from tafl.core.compile import inline, popcount
from tafl.core.games.board import Board, Cell, Tally, Target, beside_grid, stones
from tafl.core.games.checks import bitboard
from tafl.core.games.grid import ORTHOGONAL, inverse, mirror_images
from tafl.core.games.rules import Facts, rules

# The English board: a cross of 33 holes, (x, y) row by row.
HOLES = tuple((x, y) for y in range(7) for x in range(7) if 2 <= x <= 4 or 2 <= y <= 4)
NUMBER = {hole: c for c, hole in enumerate(HOLES)}
FULL, CENTRE = (1 << len(HOLES)) - 1, 1 << NUMBER[3, 3]


def jumps():
    """Yield all jumps: from which hole, over which and to which."""
    for c, (x, y) in enumerate(HOLES):
        for dy, dx in ORTHOGONAL:
            over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
            if to in NUMBER:
                yield c, NUMBER[over], NUMBER[to]


JUMPS = tuple(jumps())
PEGS = tuple(1 << a | 1 << over for a, over, _ in JUMPS)  # which a jump needs
CHANGES = tuple(1 << a | 1 << over | 1 << to for a, over, to in JUMPS)


@inline
def possible(pegs, action):
    """Return whether a jump has two pegs and then an empty hole."""
    return pegs & CHANGES[action] == PEGS[action]


@rules
class Solitaire(NamedTuple):
    """state = [pegs, a bit for each hole];   action = jump;   cell = hole, 1 with a peg"""

    def start(self, state):
        state[0] = FULL ^ CENTRE

    def player(self, state):
        return 0

    def legal(self, state, action):
        return possible(state[0], action)

    def play(self, state, action):
        state[0] ^= CHANGES[action]

    def over(self, state):
        for action in range(len(JUMPS)):
            if possible(state[0], action):
                return False
        return True

    def score(self, state, player):
        return (len(HOLES) - 1 - popcount(state[0])) / (len(HOLES) - 2)

    def cell(self, state, c):
        return (state[0] >> c) & 1

    def changed(self, before, after):
        return before[0] ^ after[0]

    def facts(self):
        symmetries = mirror_images(HOLES)
        ends = {(a, to): action for action, (a, _, to) in enumerate(JUMPS)}
        return Facts(
            players=1,
            actions=len(JUMPS),
            cells=len(HOLES),
            values=2,
            words=1,
            score_range=(0, 1),
            score_unit=1 / (len(HOLES) - 2),
            symmetries=symmetries,
            action_symmetries=[
                [ends[there[a], there[to]] for a, _, to in JUMPS] for there in inverse(symmetries)
            ],
            neighbours=[
                [NUMBER[x + dx, y + dy] for dy, dx in ORTHOGONAL if (x + dx, y + dy) in NUMBER]
                for x, y in HOLES
            ],
        )

    def position(self, state, cells, player):
        state[0] = bitboard(cells, 1)
        if not 0 < popcount(state[0]) < len(HOLES):
            raise ValueError("there must be a peg, and an empty hole")

    def draw(self, state):
        rows = [[" "] * 7 for _ in range(7)]
        for c, (x, y) in enumerate(HOLES):
            rows[y][x] = ".o"[self.cell(state, c)]
        return "\n".join(" ".join(row).rstrip() for row in rows)

    def board(self):
        return Board(
            cells=[Cell(x, y, "hole") for x, y in HOLES],
            pieces=stones(("red",)),
            targets=[Target() for _ in JUMPS],
            labels=beside_grid("abcdefg", "1234567"),
            tally=Tally("pegs left", values=[[1]]),
        )

    def action_name(self, action):
        (a, _, to) = JUMPS[action]
        return "-".join("abcdefg"[x] + str(y + 1) for x, y in (HOLES[a], HOLES[to]))
