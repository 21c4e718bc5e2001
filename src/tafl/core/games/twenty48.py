"""2048: slide the tiles of a 4x4 board; two equal tiles that meet become one, a new one appears."""

from typing import NamedTuple

from tafl.core.games.board import Board, Piece, Target, cells_of_grid
from tafl.core.games.checks import as_word
from tafl.core.games.rules import ORTHOGONAL, Facts, Packed, Table, rules, square_board
from tafl.core.games.twenty48_board import (
    ONES,
    empty_cells,
    occupied,
    slide,
    slides,
    transpose,
    with_tile,
)
from tafl.core.games.twenty48_rows import row_table
from tafl.core.random import below, uniform

UNIT = 1 / 3932156  # the most points a game can give: rewards lie between 0 and 1
STEPS = (-4, 1, 4, -1)  # from a cell to the next one up, right, down, left


@rules
class Twenty48(NamedTuple):
    """state = [board, points];   action: 0 up, 1 right, 2 down, 3 left

    cell = 4 * row + column, row 0 at the top, 4 bits each
    value: exponent of the tile, 0 empty; 14 stands also for 15, the largest (it merges no more)
    """

    table: Table = row_table()

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return slide(self.table, state[0], action)[0] != state[0]

    def play(self, state, action):
        state[0], points = slide(self.table, state[0], action)
        state[1] += points

    def chance(self, state, rng):
        for _ in range(2 if state[0] == 0 else 1):  # a game starts with two tiles
            k = below(rng, empty_cells(state[0]))
            state[0] = with_tile(state[0], k, 1 if uniform(rng) < 0.9 else 2)

    def outcomes(self, state):
        n = 2 * empty_cells(state[0])
        return n if n < 32 else n * (n - 2)

    def outcome(self, state, i):
        probability = 1.0
        for _ in range(2 if state[0] == 0 else 1):
            n = 2 * empty_cells(state[0])
            state[0] = with_tile(state[0], (i % n) >> 1, 1 + (i & 1))
            probability *= (0.1 if i & 1 else 0.9) / (n >> 1)
            i = i // n
        return probability

    def over(self, state):
        full = occupied(state[0]) == ONES
        return full and self.legal_mask(state) == 0

    def score(self, state, player):
        return state[1] * UNIT

    def cell(self, state, c):
        exponent = (state[0] >> (4 * c)) & 15
        return exponent if exponent < 15 else 14

    def changed(self, before, after):
        mask = occupied(before[0] ^ after[0])  # bits 0, 4, 8, ... become bits 0, 1, 2, ...
        mask = (mask | (mask >> 3)) & 0x0303030303030303
        mask = (mask | (mask >> 6)) & 0x000F000F000F000F
        mask = (mask | (mask >> 12)) & 0x000000FF000000FF
        return (mask | (mask >> 24)) & 0xFFFF

    def legal_mask(self, state):
        left, right = slides(state[0])
        up, down = slides(transpose(state[0]))
        return (up != 0) | (right != 0) << 1 | (down != 0) << 2 | (left != 0) << 3

    def facts(self):
        board = square_board(4, ORTHOGONAL)
        there = board["action_symmetries"]  # where each cell goes
        board["action_symmetries"] = [
            [STEPS.index(to[5 + s] - to[5]) for s in STEPS] for to in there
        ]
        board["actions"] = len(STEPS)
        board["packed"] = Packed(bits=4, values=[*range(15), 14])
        return Facts(players=1, values=15, words=2, score_range=(0, 1), score_unit=UNIT, **board)

    def position(self, state, cells, player):
        state[0] = as_word(sum(int(v) << 4 * c for c, v in enumerate(cells)))

    def reached(self, state):
        return 1 << max((int(state[0]) >> 4 * c) & 15 for c in range(16))

    def draw(self, state):
        tiles = [(state[0] >> 4 * c) & 15 for c in range(16)]
        names = [f"{1 << e:5}" if e else "    ." for e in tiles]
        return "\n".join(" ".join(names[r : r + 4]) for r in (0, 4, 8, 12))

    def board(self):
        return Board(
            cells=cells_of_grid(4, 4),
            pieces=[None, *(Piece("tile", f"tile{e}", str(1 << e)) for e in range(1, 15))],
            targets=[Target(towards=self.action_name(a)) for a in range(len(STEPS))],
            look="tray",
        )

    def action_name(self, action):
        return ("up", "right", "down", "left")[action]
