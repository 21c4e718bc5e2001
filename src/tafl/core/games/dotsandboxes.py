"""Dots and Boxes: draw lines between dots; who closes a box has it, and draws another line."""

from math import dist
from typing import NamedTuple

from tafl.core.compile import popcount
from tafl.core.games.board import Board, Cell, Label, Piece, Target, stones
from tafl.core.games.checks import bitboard, check_whole
from tafl.core.games.dotsandboxes_lines import closed, closed_by, places
from tafl.core.games.rules import Facts, inverse, mirror_images, rules, sign_of_player, start_empty

LARGEST = 5  # its 60 lines are one word
GAP = 1.4  # between two dots of the picture


@rules
class DotsAndBoxes(NamedTuple):
    """state = [lines, first player's boxes, second player's, player to move];   action = line

    lines: those across first, row by row, then the upright ones; a bit each
    cell: a line, then a box, then who is to move
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
        shapes = {(True, False): "across", (False, True): "upright", (True, True): "square"}
        cells = [Cell(GAP * x, GAP * y, shapes[x % 1 > 0, y % 1 > 0]) for x, y in where]
        lines = len(where) - self.rows * self.cols
        dots = [(x, y) for y in range(self.rows + 1) for x in range(self.cols + 1)]
        return Board(
            cells=[*cells, Cell(GAP * self.cols + 1.2, 0, "hole")],
            pieces=[*stones(("red", "blue"), signs="xo"), Piece("cell", "black")],
            targets=[Target(cells=[a]) for a in range(lines)],
            labels=[
                *(Label(GAP * x, GAP * y, "\N{BULLET}") for x, y in dots),
                Label(GAP * self.cols + 1.2, 0.85, "turn"),
            ],
        )

    def action_name(self, action):
        x, y = places(self.rows, self.cols)[action]
        return f"{'-' if x % 1 else '|'}{'abcdef'[int(x)]}{int(y) + 1}"

    sign = sign_of_player
