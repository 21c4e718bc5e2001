"""2048: slide the tiles of a 4x4 board; two equal tiles that meet become one, a new one appears."""

from typing import NamedTuple

from tafl.core.games.board import Board, Piece, Target, cells_of_grid
from tafl.core.games.checks import as_word
from tafl.core.games.grid import ORTHOGONAL, square_board
from tafl.core.games.rules import Facts, Packed, Table, rules, start_empty
from tafl.core.games.twenty48_board import (
    ONES,
    empty_cells,
    occupied,
    put,
    row_table,
    slide,
    slides,
    tile,
    transpose,
    where,
    with_tile,
)
from tafl.core.random import below, uniform

UNIT = 1 / 3932156  # the most points a game can give: rewards lie between 0 and 1
STEPS = (-4, 1, 4, -1)  # from a cell to the next one up, right, down, left
SMALLEST_FOLD = 512


@rules
class Twenty48(NamedTuple):
    """state = [board, points];   action: 0 up, 1 right, 2 down, 3 left

    cell = 4 * row + column, row 0 at the top, 4 bits each
    value: exponent of the tile, 0 empty; 14 stands also for 15, the largest (it merges no more)
    fold: networks see boards with this tile or a larger one as a similar board with smaller tiles
    (`folded`), if there is one; then state = [what networks see, points, board]
    """

    fold: int = 0
    table: Table = row_table()
    quiet = ("fold",)

    start = start_empty

    def player(self, state):
        return 0

    def legal(self, state, action):
        board = state[where(self.fold)]
        return slide(self.table, board, action)[0] != board

    def play(self, state, action):
        board, points = slide(self.table, state[where(self.fold)], action)
        put(state, board, self.fold)
        state[1] += points

    def chance(self, state, rng):
        board = state[where(self.fold)]
        for _ in range(2 if board == 0 else 1):  # a game starts with two tiles
            k = below(rng, empty_cells(board))
            board = with_tile(board, k, 1 if uniform(rng) < 0.9 else 2)
        put(state, board, self.fold)

    def outcomes(self, state):
        n = 2 * empty_cells(state[where(self.fold)])
        return n if n < 32 else n * (n - 2)

    def outcome(self, state, i):
        board, probability = state[where(self.fold)], 1.0
        for _ in range(2 if board == 0 else 1):
            n = 2 * empty_cells(board)
            board = with_tile(board, (i % n) >> 1, 1 + (i & 1))
            probability *= (0.1 if i & 1 else 0.9) / (n >> 1)
            i = i // n
        put(state, board, self.fold)
        return probability

    def over(self, state):
        full = occupied(state[where(self.fold)]) == ONES
        return full and self.legal_mask(state) == 0

    def score(self, state, player):
        return state[1] * UNIT

    def cell(self, state, c):
        return tile(state[where(self.fold)], c)

    def input(self, state, c):
        return tile(state[0], c)

    def changed(self, before, after):
        mask = occupied(before[0] ^ after[0])  # bits 0, 4, 8, ... become bits 0, 1, 2, ...
        mask = (mask | (mask >> 3)) & 0x0303030303030303
        mask = (mask | (mask >> 6)) & 0x000F000F000F000F
        mask = (mask | (mask >> 12)) & 0x000000FF000000FF
        return (mask | (mask >> 24)) & 0xFFFF

    def legal_mask(self, state):
        board = state[where(self.fold)]
        left, right = slides(board)
        up, down = slides(transpose(board))
        return (up != 0) | (right != 0) << 1 | (down != 0) << 2 | (left != 0) << 3

    def facts(self):
        board = square_board(4, ORTHOGONAL)
        there = board["action_symmetries"]  # where each cell goes
        board["action_symmetries"] = [
            [STEPS.index(to[5 + s] - to[5]) for s in STEPS] for to in there
        ]
        board["actions"] = len(STEPS)
        board["packed"] = Packed(bits=4, values=[*range(15), 14])
        words = 3 if self.fold else 2
        score = {"score_range": (0, 1), "score_unit": UNIT}
        return Facts(players=1, values=15, words=words, **score, **board)

    def validate(self):
        if self.fold and self.fold not in (SMALLEST_FOLD << k for k in range(7)):
            raise ValueError(f"fold is a tile from {SMALLEST_FOLD} to 32768, or 0: no folding")

    def position(self, state, cells, player):
        board = as_word(sum(int(v) << 4 * c for c, v in enumerate(cells)))
        put(state, board, self.fold)

    def reached(self, state):
        return 1 << max((int(state[where(self.fold)]) >> 4 * c) & 15 for c in range(16))

    def draw(self, state):
        tiles = [(state[where(self.fold)] >> 4 * c) & 15 for c in range(16)]
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
