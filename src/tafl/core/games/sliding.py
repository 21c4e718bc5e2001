"""The sliding puzzle: tiles slide into the gap, in as few moves as possible into their order."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import Board, Piece, Target, cells_of_grid
from tafl.core.games.checks import as_word, check_whole
from tafl.core.games.grid import ORTHOGONAL, grid_neighbours
from tafl.core.games.rules import Facts, rules, start_empty
from tafl.core.random import below

SMALLEST, LARGEST = 2, 4  # a board is one word, four bits for each cell
LONGEST = 10_000
WAYS = ("up", "right", "down", "left")
ORDERED = 0x0FEDCBA987654321  # tile 1 on cell 0, tile 2 on cell 1, ...


@inline
def ordered(cells):
    """Return the board with all tiles in order, and the gap at the end."""
    return ORDERED & ((1 << 4 * (cells - 1)) - 1)


@inline
def dealt(cells, number):
    """Return a solvable board with the gap at the end, by its number; number 0 is in order.

    Tile after tile is the k-th of those that are left. All k together are the inversions, which
    have to be even: that leaves no choice for the last two tiles.
    """
    left, board, odd = ordered(cells), 0, 0
    for c in range(cells - 1):
        n = cells - 1 - c
        k = number % n if n > 2 else odd if n == 2 else 0
        number = number // n
        odd ^= k & 1
        board |= ((left >> 4 * k) & 15) << 4 * c
        low = (1 << 4 * k) - 1
        left = (left & low) | ((left >> 4) & ~low)
    return board


@inline
def deals(cells):
    """Return the number of such boards, without the ordered one."""
    number = 1
    for n in range(3, cells):
        number *= n
    return number - 1


@inline
def source(action, gap, rows, cols):
    """Return the cell whose tile an action slides into the gap; -1 if there is none."""
    if action == 0:
        return gap + cols if gap + cols < rows * cols else -1
    if action == 1:
        return gap - 1 if gap % cols > 0 else -1
    if action == 2:
        return gap - cols if gap >= cols else -1
    return gap + 1 if (gap + 1) % cols > 0 else -1


@rules
class Sliding(NamedTuple):
    """state = [board, gap, moves];   action: a tile slides 0 up, 1 right, 2 down, 3 left

    cell = cols * row + column, four bits each; value: the number of the tile, 0 the gap
    """

    rows: int = 3
    cols: int = 3
    limit: int = 100

    start = start_empty

    def player(self, state):
        return 0

    def legal(self, state, action):
        return source(action, state[1], self.rows, self.cols) >= 0

    def play(self, state, action):
        gap, cell = state[1], source(action, state[1], self.rows, self.cols)
        tile = (state[0] >> 4 * cell) & 15
        state[0] ^= (tile << 4 * cell) | (tile << 4 * gap)
        state[1] = cell
        state[2] += 1

    def chance(self, state, rng):
        if state[0] == 0:
            number = 0
            while number == 0:
                for n in range(3, self.rows * self.cols):
                    number = number * n + below(rng, n)
            self.outcome(state, number - 1)

    def scramble(self, state, moves, rng):
        state[0], state[1] = ordered(self.rows * self.cols), self.rows * self.cols - 1
        last = -1
        for _ in range(moves):
            action = below(rng, len(WAYS))
            # a tile that has just moved stays; up undoes down, right undoes left
            while action == (last ^ 2) or not self.legal(state, action):
                action = below(rng, len(WAYS))
            self.play(state, action)
            last = action
        state[2] = 0

    def outcomes(self, state):
        return deals(self.rows * self.cols) if state[0] == 0 else 1

    def outcome(self, state, i):
        number = self.outcomes(state)
        if state[0] == 0:
            state[0] = dealt(self.rows * self.cols, i + 1)
            state[1] = self.rows * self.cols - 1
        return 1 / number

    def over(self, state):
        return state[0] == ordered(self.rows * self.cols) or state[2] == self.limit

    def score(self, state, player):
        return -state[2] / self.limit

    def cell(self, state, c):
        return (state[0] >> 4 * c) & 15

    def changed(self, before, after):
        return (1 << before[1]) | (1 << after[1]) if before[0] != 0 else -1

    def facts(self):
        cells = self.rows * self.cols
        return Facts(
            players=1,
            actions=len(WAYS),
            cells=cells,
            values=cells,
            words=3,
            score_range=(-1, 0),
            score_unit=1 / self.limit,
            neighbours=grid_neighbours(self.rows, self.cols, ORTHOGONAL),
        )

    def validate(self):
        check_whole("rows", self.rows, SMALLEST, LARGEST)
        check_whole("cols", self.cols, SMALLEST, LARGEST)
        check_whole("limit", self.limit, 1, LONGEST)

    def position(self, state, cells, player):
        if sorted(cells) != list(range(len(cells))):
            raise ValueError("each tile must be there once, and one gap")
        state[0] = as_word(sum(int(v) << 4 * c for c, v in enumerate(cells)))
        state[1] = cells.index(0)

    def draw(self, state):
        tiles = [f"{self.cell(state, c) or '.':>2}" for c in range(self.rows * self.cols)]
        return "\n".join(
            " ".join(tiles[r : r + self.cols]) for r in range(0, len(tiles), self.cols)
        )

    def board(self):
        tiles = range(1, self.rows * self.cols)
        return Board(
            cells=cells_of_grid(self.rows, self.cols),
            pieces=[None, *(Piece("tile", f"tile{n}", str(n)) for n in tiles)],
            targets=[Target(towards=way) for way in WAYS],
            look="tray",
        )

    def action_name(self, action):
        return WAYS[action]
