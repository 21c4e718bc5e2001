"""Shared parts of tafl games: moves, captures, and the king; men as bits of two words a side.

Every piece moves like a rook. A man is captured between two enemies in line, or between an enemy
and a hostile place: a corner of Brandubh, or the empty throne in the middle of Tablut. The king
captures, too. He is captured like a man, but on the throne of Tablut or next to it only by
attackers on all sides that are not the throne.
"""

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.board import Board, Cell, Piece, Target, beside_grid
from tafl.core.games.grid import inverse, square_symmetries

ATTACKERS, DEFENDERS, KING, PLAYER, WINNER, MOVES, WORDS = 0, 2, 4, 5, 6, 7, 8  # in the state
ATTACKER, DEFENDER, ROYAL = 1, 2, 3  # values of cells
# Kinds of places: only the king stops on those from SEAT to CORNER; THRONE and CORNER are hostile,
# and the king wins on CORNER and EDGE.
PLAIN, SEAT, THRONE, CORNER, EDGE = 0, 1, 2, 3, 4
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))  # up, left, right, down
LETTERS = "abcdefghi"


def line_table(size):
    """Return the cells in each direction of each cell, nearest first, padded with -1."""
    table = np.full((size * size, 4, size - 1), -1)
    for cell in range(size * size):
        for way, (down, right) in enumerate(STEPS):
            for far in range(1, size):
                row, col = cell // size + down * far, cell % size + right * far
                if 0 <= row < size and 0 <= col < size:
                    table[cell, way, far - 1] = size * row + col
    return table


def place_table(size, corners):
    """Return the kind of each place; with `corners` the king has to reach one, else an edge."""
    table = np.zeros((size, size), np.int64)
    if not corners:
        table[[0, -1], :] = table[:, [0, -1]] = EDGE
    else:
        table[0, 0] = table[0, -1] = table[-1, 0] = table[-1, -1] = CORNER
    table[size // 2, size // 2] = SEAT if corners else THRONE
    return table.ravel()


def setup_table(rows):
    """Return the value of each cell at the start, from rows of text: `x` and `o`, the king `K`."""
    return np.array([".xoK".index(sign) for row in rows for sign in row])


@inline
def stands(state, side, cell):
    """Return whether a man of a side, ATTACKERS or DEFENDERS, stands on a cell."""
    return (state[side + (cell >> 6)] >> (cell & 63)) & 1 == 1


@inline
def value(state, cell):
    """Return the value of a cell."""
    if cell == state[KING]:
        return ROYAL
    return 1 * stands(state, ATTACKERS, cell) + 2 * stands(state, DEFENDERS, cell)


@inline
def belongs(state, player, cell):
    """Return whether a piece of the player stands on a cell."""
    if player == 0:
        return stands(state, ATTACKERS, cell)
    return stands(state, DEFENDERS, cell) or cell == state[KING]


@inline
def flip(state, side, cell):
    """Put a man on a cell, or take it away."""
    state[side + (cell >> 6)] ^= np.int64(1) << (cell & 63)


@inline
def may_stop(places, piece, cell):
    """Return whether a piece may stop on a cell."""
    return piece == ROYAL or not SEAT <= places[cell] <= CORNER


@inline
def list_from(lines, places, state, cell, out, n):
    """Write the moves of a piece from place n of `out` on; return how many are there then."""
    piece, longest = value(state, cell), lines.shape[2]
    for way in range(4):
        for far in range(longest):
            to = lines[cell, way, far]
            if to < 0 or value(state, to) != 0:
                break
            if may_stop(places, piece, to):
                out[n] = (4 * cell + way) * longest + far
                n += 1
    return n


@inline
def can_step(lines, places, state, cell):
    """Return whether a piece has a move: to a cell beside it, or over the empty throne."""
    piece = value(state, cell)
    for way in range(4):
        to = lines[cell, way, 0]
        if to >= 0 and SEAT <= places[to] <= THRONE and piece != ROYAL and value(state, to) == 0:
            to = lines[cell, way, 1]
        if to >= 0 and value(state, to) == 0 and may_stop(places, piece, to):
            return True
    return False


@inline
def can_move(lines, places, state, player):
    """Return whether a player has a move."""
    for cell in range(places.size):
        if belongs(state, player, cell) and can_step(lines, places, state, cell):
            return True
    return False


@inline
def hostile(places, state, player, cell):
    """Return whether a place captures for a player: a piece there, a corner, the empty throne."""
    if belongs(state, player, cell) or places[cell] == CORNER:
        return True
    return places[cell] == THRONE and value(state, cell) == 0


@inline
def beset(lines, places, state, opposite):
    """Return whether the king is captured; `opposite` is the cell beyond him, -1 off the board."""
    king, near_throne, sides = state[KING], places[state[KING]] == THRONE, 0
    for way in range(4):
        cell = lines[king, way, 0]
        if cell >= 0:
            near_throne = near_throne or places[cell] == THRONE
            sides += stands(state, ATTACKERS, cell) or places[cell] == THRONE
    if near_throne:
        return sides == 4
    return opposite >= 0 and hostile(places, state, 0, opposite)


@inline
def capture(lines, places, state, to):
    """Take what the player to move captures by a move to a cell."""
    p = state[PLAYER]
    for way in range(4):
        near, beyond = lines[to, way, 0], lines[to, way, 1]
        if near >= 0 and belongs(state, 1 - p, near):
            if near == state[KING]:
                if beset(lines, places, state, beyond):
                    state[WINNER], state[KING] = 1, -1
            elif beyond >= 0 and hostile(places, state, p, beyond):
                flip(state, DEFENDERS if p == 0 else ATTACKERS, near)


@inline
def make_move(lines, places, state, action):
    """Move a piece, capture, and see whether that ends the game."""
    p, longest = state[PLAYER], lines.shape[2]
    cell = action // (4 * longest)
    to = lines[cell, action // longest % 4, action % longest]
    if cell == state[KING]:
        state[KING] = to
        if places[to] >= CORNER:
            state[WINNER] = 2
    else:
        flip(state, ATTACKERS if p == 0 else DEFENDERS, cell)
        flip(state, ATTACKERS if p == 0 else DEFENDERS, to)
    capture(lines, places, state, to)
    state[PLAYER] = 1 - p
    state[MOVES] += 1
    if state[WINNER] == 0 and not can_move(lines, places, state, 1 - p):
        state[WINNER] = 1 + p


def turned_actions(size):
    """Return, for each symmetric board, the action there that corresponds to each action."""
    lines, ways = line_table(size), range(4)
    found = []
    for where in inverse(square_symmetries(size)):
        moved = []
        for cell in range(size * size):
            for way in ways:
                # off the board a direction is turned as in the middle, where it has cells
                ahead = lines[size * size // 2, way, 0]
                middle = where[size * size // 2]
                new = next(w for w in ways if lines[middle, w, 0] == where[ahead])
                first = (4 * where[cell] + new) * (size - 1)
                moved += range(first, first + size - 1)
        found.append(moved)
    return found


def named(size, cell):
    """Return the name of a cell: a letter for the column, a number for the row from the bottom."""
    return f"{LETTERS[cell % size]}{size - cell // size}"


def picture(size, lines, places):
    """Return the board in pictures; the throne and the corners are round."""
    shapes = ["square" if kind in (PLAIN, EDGE) else "hole" for kind in places]
    targets = []
    for number in range(4 * size * size * (size - 1)):
        cell, way, far = np.unravel_index(number, lines.shape)
        to = int(lines[cell, way, far])
        targets.append(Target() if to < 0 else Target(cells=[to], source=int(cell)))
    return Board(
        cells=[Cell(c % size, c // size, shape) for c, shape in enumerate(shapes)],
        pieces=[
            None,
            Piece("disc", "black", player=0),
            Piece("disc", "white", player=1),
            Piece("disc", "white", "K", player=1),
        ],
        targets=targets,
        labels=beside_grid(LETTERS[:size], [str(size - r) for r in range(size)]),
        colours=("black", "white"),
    )
