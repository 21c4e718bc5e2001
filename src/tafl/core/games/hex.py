"""Hex: the first player connects top and bottom, the second left and right."""

from typing import NamedTuple

from tafl.core.compile import inline
from tafl.core.games.board import (
    Board,
    Cell,
    Edge,
    Label,
    cell_name,
    on_cells,
    path,
    stones,
    text_rows,
)
from tafl.core.games.checks import check_whole, place_in_turn
from tafl.core.games.grid import grid_neighbours, square_board
from tafl.core.games.multiplayer import score_of_win
from tafl.core.games.rules import Facts, rules, sign_of_player, start_empty

LARGEST = 7  # a board is one word
COLUMNS = "abcdefg"
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))
LEFT = tuple(sum(1 << size * r for r in range(size)) for size in range(LARGEST + 1))
FIRST, LAST, PLAYED, WON = 2, 4, 6, 7  # where in the state


@inline
def around(stones, size):
    """Return the cells next to some stones, and a few beyond the edge of the board."""
    not_left = stones & ~LEFT[size]
    not_right = stones & ~(LEFT[size] << (size - 1))
    near = (not_left >> 1) | (not_right << 1) | (stones << size) | (stones >> size)
    return near | (not_left << (size - 1)) | (not_right >> (size - 1))


@inline
def connected(seed, stones, size):
    """Return the seed and all stones connected with it."""
    while True:
        grown = seed | (around(seed, size) & stones)
        if grown == seed:
            return seed
        seed = grown


@inline
def edges(player, size):
    """Return the two edges that a player connects."""
    if player == 0:
        top = (1 << size) - 1
        return top, top << (size * (size - 1))
    return LEFT[size], LEFT[size] << (size - 1)


def borders(n):
    """Return the four sides of a board, each in the colour of the player who connects it."""
    low = 0.85 * (n - 1)
    top, left = [], []
    for i in range(n):
        top += [(i - 0.5, -0.31), (i, -0.62)]
        left += [(i / 2 - 0.53, 0.85 * i - 0.28), (i / 2 - 0.53, 0.85 * i + 0.3)]
    top.append((n - 0.5, -0.31))
    far, edges = (n - 1) * 1.5, []
    for colour, side in (("red", top), ("blue", left)):
        for line in (side, [(far - x, low - y) for x, y in side]):
            edges.append(Edge(path(line), colour))
    return edges


@rules
class Hex(NamedTuple):
    """state = [2 words of stones, 2 of stones connected with the first edge, 2 last, played, won]

    action = cell = size * row + column, bit = cell; values: 0 empty, 1 first player, 2 second
    """

    size: int = 6

    start = start_empty

    def player(self, state):
        return state[PLAYED] & 1

    def legal(self, state, action):
        return (((state[0] | state[1]) >> action) & 1) == 0

    def play(self, state, action):
        p = state[PLAYED] & 1
        stone = 1 << action
        stones, first, last = state[p], state[FIRST + p], state[LAST + p]
        first_edge, last_edge = edges(p, self.size)
        near = around(stone, self.size)
        to_first = ((near & first) | (stone & first_edge)) != 0
        to_last = ((near & last) | (stone & last_edge)) != 0
        # a group that was connected with neither edge comes along
        if to_first or to_last:
            group = connected(stone, stones & ~(first | last), self.size)
            if to_first and to_last:
                group |= first | last  # either edge leads to the other now
                state[WON] = 1
            if to_first:
                state[FIRST + p] = first | group
            if to_last:
                state[LAST + p] = last | group
        state[p] = stones | stone
        state[PLAYED] += 1

    def over(self, state):
        return state[WON] == 1

    def score(self, state, player):
        return score_of_win(state[WON], state[PLAYED] & 1, player)

    def cell(self, state, c):
        return ((state[0] >> c) & 1) + 2 * ((state[1] >> c) & 1)

    def changed(self, before, after):
        return (before[0] ^ after[0]) | (before[1] ^ after[1])

    def legal_mask(self, state):
        return ~(state[0] | state[1]) & ((1 << self.size**2) - 1)

    def facts(self):
        cells = list(range(self.size**2))
        board = square_board(self.size, STEPS, [cells, cells[::-1]])
        return Facts(players=2, values=3, words=8, **board)

    def validate(self):
        check_whole("size", self.size, 2, LARGEST)

    def position(self, state, cells, player):
        place_in_turn(self, state, cells, player)

    def draw(self, state):
        n = self.size
        lines = [" " * r + f"{r + 1} {row}" for r, row in enumerate(text_rows(self, state, n))]
        return "\n".join(["  " + " ".join(COLUMNS[:n]), *lines])

    def board(self):
        n = self.size
        cells = [
            Cell(c % n + c // n / 2, round(0.85 * (c // n), 3), "hexagon") for c in range(n * n)
        ]
        return Board(
            cells=cells,
            pieces=stones(("red", "blue"), "hexagon"),
            targets=on_cells(n * n),
            labels=[
                *(Label(x - 0.45, -0.95, name) for x, name in enumerate(COLUMNS[:n])),
                *(Label(y / 2 - 1, round(0.85 * y, 3), str(y + 1)) for y in range(n)),
            ],
            edges=borders(n),
            sides=[
                [list(range(n)), list(range(n * n - n, n * n))],
                [list(range(0, n * n, n)), list(range(n - 1, n * n, n))],
            ],
            near=grid_neighbours(n, n, STEPS),
        )

    def action_name(self, action):
        return cell_name(self.size, action)

    sign = sign_of_player
