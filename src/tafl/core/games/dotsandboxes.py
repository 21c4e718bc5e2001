"""Dots and Boxes: draw lines between dots; closing a box wins it and gives another move."""

from math import dist
from typing import NamedTuple

from tafl.core.compile import inline, popcount
from tafl.core.games.board import Board, Cell, Edge, Piece, Tally, on_cells, path, stones
from tafl.core.games.checks import bitboard, check_whole
from tafl.core.games.grid import inverse, mirror_images
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty

LARGEST = 5  # its 60 lines are one word
GAP = 1.4  # between two dots of the picture


@inline
def closed(lines, rows, cols, row, col):
    """Return the bit of a box if all four sides are drawn; 0 if not, or outside the board."""
    if not (0 <= row < rows and 0 <= col < cols):
        return 0
    box = cols * row + col
    sides = (1 << box) | (1 << (box + cols)) | (3 << ((rows + 1) * cols + box + row))
    return 1 << box if lines & sides == sides else 0


@inline
def closed_by(lines, rows, cols, line):
    """Return the boxes, at most two, that a line closed."""
    upright = line - (rows + 1) * cols
    if upright < 0:
        row, col = line // cols, line % cols
        return closed(lines, rows, cols, row - 1, col) | closed(lines, rows, cols, row, col)
    row, col = upright // (cols + 1), upright % (cols + 1)
    return closed(lines, rows, cols, row, col - 1) | closed(lines, rows, cols, row, col)


def places(rows, cols):
    """Return (x, y) of all lines and boxes; dots are at whole numbers."""
    across = [(c + 0.5, r) for r in range(rows + 1) for c in range(cols)]
    upright = [(c, r + 0.5) for r in range(rows) for c in range(cols + 1)]
    return across + upright + [(c + 0.5, r + 0.5) for r in range(rows) for c in range(cols)]


@rules
class DotsAndBoxes(NamedTuple):
    """state = [lines, first player's boxes, second player's, player to move];   action = line

    lines: those across first, row by row, then the upright ones; a bit each
    cell: a line, then a box, then the player to move
    values: 0 nothing, 1 the first player (has the box, is to move), 2 the second, 3 a line
    """

    rows: int = 3
    cols: int = 3

    start = start_empty

    def player(self, state):
        return state[3]

    def legal(self, state, action):
        return (state[0] >> action) & 1 == 0

    def play(self, state, action):
        lines = state[0] | (1 << action)
        boxes = closed_by(lines, self.rows, self.cols, action)
        state[0] = lines
        if boxes != 0:
            state[1 + state[3]] |= boxes
        else:
            state[3] = 1 - state[3]

    def over(self, state):
        return popcount(state[1] | state[2]) == self.rows * self.cols

    def score(self, state, player):
        lead = (popcount(state[1]) - popcount(state[2])) / (self.rows * self.cols)
        return lead if player == 0 else -lead

    def cell(self, state, c):
        box = c - self.rows * (self.cols + 1) - self.cols * (self.rows + 1)
        if box < 0:
            return 3 * ((state[0] >> c) & 1)
        if box < self.rows * self.cols:
            return ((state[1] >> box) & 1) + 2 * ((state[2] >> box) & 1)
        return 1 + state[3]

    def legal_mask(self, state):
        return ~state[0] & ((1 << (2 * self.rows * self.cols + self.rows + self.cols)) - 1)

    def facts(self):
        where = places(self.rows, self.cols)
        boxes, turn = self.rows * self.cols, len(where)
        lines = turn - boxes
        symmetries = mirror_images(where)
        near = [
            [turn, *(d for d, there in enumerate(where) if 0 < dist(here, there) <= 1)]
            for here in where
        ]
        return Facts(
            players=2,
            actions=lines,
            cells=turn + 1,
            values=4,
            words=4,
            score_unit=1 / boxes,
            symmetries=[[*image, turn] for image in symmetries],
            action_symmetries=[image[:lines] for image in inverse(symmetries)],
            neighbours=[*near, list(range(turn))],
        )

    def validate(self):
        check_whole("rows", self.rows, 1, LARGEST)
        check_whole("cols", self.cols, 1, LARGEST)

    def position(self, state, cells, player):
        rows, cols = self.rows, self.cols
        boxes = len(cells) - 1 - rows * cols
        state[0], state[3] = bitboard(cells[:boxes], 3), player
        state[1], state[2] = bitboard(cells[boxes:-1], 1), bitboard(cells[boxes:-1], 2)
        fenced = sum(closed(state[0], rows, cols, r, c) for r in range(rows) for c in range(cols))
        if state[1] | state[2] != fenced:
            raise ValueError("boxes belong to a player once all four sides are drawn, not before")

    def draw(self, state):
        lines = (2 * self.rows + 1) * ["+" + "   +" * self.cols]
        lines[1::2] = self.rows * [" " + "    " * self.cols]
        grid = [list(line) for line in lines]
        for c, (x, y) in enumerate(places(self.rows, self.cols)):
            value, row, col = self.cell(state, c), int(2 * y), int(4 * x)
            if value and x % 1 and y % 1:
                grid[row][col] = "xo"[value - 1]
            elif value and x % 1:
                grid[row][col - 1 : col + 2] = "---"
            elif value:
                grid[row][col] = "|"
        return "\n".join("".join(line) for line in grid)

    def board(self):
        where = places(self.rows, self.cols)
        shapes = {(True, False): "across", (False, True): "upright", (True, True): "box"}
        cells = [Cell(GAP * x, GAP * y, shapes[x % 1 > 0, y % 1 > 0]) for x, y in where]
        lines = len(where) - self.rows * self.cols
        dots = [(GAP * x, GAP * y) for y in range(self.rows + 1) for x in range(self.cols + 1)]
        return Board(
            cells=[*cells, Cell(0, 0, kind="off")],
            pieces=[*stones(("red", "blue"), "box", signs="xo"), Piece("cell", "ink")],
            targets=on_cells(lines),
            edges=[Edge(path((dot, dot)), "ink", 0.34, above=True) for dot in dots],
            tally=Tally("boxes", values=[[1], [2]], decides=True),
        )

    def action_name(self, action):
        x, y = places(self.rows, self.cols)[action]
        return f"{'-' if x % 1 else '|'}{'abcdef'[int(x)]}{int(y) + 1}"

    sign = sign_of_player
