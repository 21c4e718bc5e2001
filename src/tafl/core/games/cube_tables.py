"""Geometry of Rubik's cube: where turns bring stickers, and pictures of all six faces.

A sticker lies at a place (x, y, z), each -1, 0 or 1, and faces one way. Corners are numbered so
that the one at (-1, -1, -1) comes last, which the 2x2x2 cube keeps where it is. Sticker 3 * corner
+ k is the k-th of a corner, counted in the same sense on all corners; 2 * edge + k one of an edge.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from tafl.core.games.board import Board, Cell, Piece, Target

# Ways that faces look: up, right, front, down, left, back. x goes right, y up, z to the viewer.
FACES = ((0, 1, 0), (1, 0, 0), (0, 0, 1), (0, -1, 0), (-1, 0, 0), (0, 0, -1))
NAMES, TURNS = "URFDLB", ("", "2", "'")
COLOURS = ("white", "red", "green", "yellow", "tile5", "blue")  # of the faces; tile5 is orange
# of the upper left corner of each face in pictures, and of the ways to the right and down on it
CORNER_OF = ((3, 0), (6, 3), (3, 3), (3, 6), (0, 3), (9, 3))
ACROSS = ((1, 0, 0), (0, 0, -1), (1, 0, 0), (1, 0, 0), (0, 0, 1), (-1, 0, 0))
DOWN = ((0, 0, 1), (0, -1, 0), (0, -1, 0), (0, 0, -1), (0, -1, 0), (0, -1, 0))

Place = tuple[int, ...]
Sticker = tuple[Place, Place]  # where it lies, and the way it faces


def times(place: Place, way: Place) -> int:
    """Return the scalar product."""
    return sum(a * b for a, b in zip(place, way, strict=True))


def turned(vector: Place, way: Place) -> Place:
    """Return a vector after a quarter turn, clockwise for who looks at the face from outside."""
    (x, y, z), (a, b, c) = vector, way
    along = times(vector, way)
    return along * a + y * c - z * b, along * b + z * a - x * c, along * c + x * b - y * a


@cache
def stickers(kind: int) -> list[Sticker]:
    """Return the stickers of all corners (kind 3) or edges (kind 2), piece by piece."""
    places = [p for p in product((1, 0, -1), repeat=3) if sum(map(abs, p)) == kind]
    found: list[Sticker] = []
    for place in places:
        ways = [way for way in FACES if times(place, way) == 1]
        ways.sort(key=lambda way: [abs(x) for x in way], reverse=True)  # x, y, z
        if kind == 3 and np.prod(place) < 0:
            ways = [ways[0], ways[2], ways[1]]
        found += [(place, way) for way in ways]
    return found


def turn_table(kind: int) -> np.ndarray:
    """Return where each turn brings each sticker: a quarter, a half, three quarters of a face."""
    known = stickers(kind)
    rows = []
    for way in FACES:
        once = np.array(
            [
                known.index((turned(place, way), turned(facing, way)))
                if times(place, way) == 1
                else number
                for number, (place, facing) in enumerate(known)
            ]
        )
        rows += [once, once[once], once[once[once]]]
    return np.array(rows)


class Facelet(NamedTuple):
    """A cell of the picture: a sticker of a corner (3) or an edge (2), or the centre of a face."""

    face: int
    kind: int
    number: int
    x: int
    y: int


@cache
def facelets(size: int) -> list[Facelet]:
    """Return the cells of the picture, face by face, row by row."""
    steps = (-1, 0, 1) if size == 3 else (-1, 1)
    found = []
    for face, way in enumerate(FACES):
        for (row, down), (col, across) in product(enumerate(steps), repeat=2):
            place = tuple(
                w + down * d + across * a
                for w, d, a in zip(way, DOWN[face], ACROSS[face], strict=True)
            )
            kind = sum(map(abs, place))
            number = stickers(kind).index((place, way)) if kind > 1 else 0
            x, y = (size * corner // 3 for corner in CORNER_OF[face])
            found.append(Facelet(face, kind, number, x + col, y + row))
    return found


def facelet_table(size: int) -> np.ndarray:
    """Return of each facelet its face, and of its sticker the word, number, bit of the piece, k.

    Word 0 holds corners, word 1 edges, and word 2 stands for the centres of faces. All tables have
    a row for each facelet of the larger cube.
    """
    rows = np.zeros((6 * 9, 5), np.int64)
    for row, (face, kind, number, _, _) in zip(rows, facelets(size), strict=False):
        row[:] = face, 3 - kind, number, 5 * (number // kind), number % kind
    return rows


def pair(make: Callable[[int], np.ndarray]) -> np.ndarray:
    """Return a table of corners and one of edges, as one array."""
    return np.array([make(3), make(2)])


def around_table(kind: int) -> np.ndarray:
    """Return, by k and the place of a piece's first sticker, the place of its k-th sticker."""
    return np.array([[n - n % kind + (n + k) % kind for n in range(24)] for k in range(3)])


def colour_table(kind: int) -> np.ndarray:
    """Return the face that each sticker lies on when the cube is solved."""
    return np.array([FACES.index(way) for _, way in stickers(kind)])


def place_masks(size: int, kind: int) -> np.ndarray:
    """Return the facelets, as bits, of the place where each sticker of a corner or an edge lies."""
    masks = np.zeros(24, np.int64)
    for cell, one in enumerate(facelets(size)):
        if one.kind == kind:
            first = one.number - one.number % kind
            masks[first : first + kind] |= 1 << cell
    return masks


def next_to(size: int) -> list[list[int]]:
    """Return, for each facelet, one facelet of each piece that its own piece touches."""
    where = {(one.kind, one.number): c for c, one in enumerate(facelets(size)) if one.kind > 1}
    places = {(kind, n): stickers(kind)[n][0] for kind, n in where}
    firsts = [piece for piece in where if piece[1] % piece[0] == 0 and piece != (3, 21)]
    firsts += [(3, 21)] if size == 3 else []  # the corner that does not move
    near = []
    for one in facelets(size):
        home = places.get((one.kind, one.number))
        found = [first for first in firsts if home and touch(home, places[first], size)]
        near.append(sorted(where[first] for first in found))
    return near


def touch(place: Place, other: Place, size: int) -> bool:
    """Return whether the pieces at two places touch; all corners of the 2x2x2 cube do."""
    apart = sum(abs(a - b) for a, b in zip(place, other, strict=True))
    return apart > 0 and (size == 2 or apart <= 2)


def placed(kind: int, colours: list[list[int]]) -> list[int]:
    """Return where each piece is: the sticker whose place its first sticker has.

    `colours` has the faces whose colours are seen at each place; ValueError if no piece has them.
    """
    faces = [FACES.index(way) for _, way in stickers(kind)]
    pieces = [faces[n : n + kind] for n in range(0, 24, kind)]
    found = {}
    for place, seen in enumerate(colours):
        for k in range(kind):
            if seen[k:] + seen[:k] in pieces:
                found[pieces.index(seen[k:] + seen[:k])] = kind * place + k
    if len(found) < len(pieces):
        raise ValueError(f"there is no {'corner' if kind == 3 else 'edge'} of some colours")
    return [found[piece] for piece in range(len(pieces))]


def odd(places: list[int]) -> bool:
    """Return whether an odd number of exchanges leads to this order."""
    return sum(b < a for i, a in enumerate(places) for b in places[i + 1 :]) % 2 == 1


def words_of(size: int, values: Sequence[int]) -> list[int]:
    """Return the words of a position with these colours; ValueError if no turns lead to it."""
    words, odds = [0, 0], []
    for word, kind in enumerate((3, 2)[: size - 1]):
        colours = [[0] * kind for _ in range(24 // kind)]
        for one, value in zip(facelets(size), values, strict=True):
            if one.kind == kind:
                colours[one.number // kind][one.number % kind] = value - 1
        found = placed(kind, colours)
        if sum(n % kind for n in found) % kind:
            raise ValueError(f"{'a corner' if kind == 3 else 'an edge'} is twisted")
        odds.append(odd([n // kind for n in found]))
        words[word] = sum(n << 5 * i for i, n in enumerate(found))
    if size == 2 and found[-1] != 21:
        raise ValueError("the corner at the lower left in the back must be where it belongs")
    if size == 3 and odds[0] != odds[1]:
        raise ValueError("two pieces are exchanged")
    return words


def picture(size: int, actions: int) -> Board:
    """Return the six faces side by side, as if the cube were unfolded."""
    return Board(
        cells=[Cell(one.x, one.y, "field") for one in facelets(size)],
        pieces=[None, *(Piece("cell", colour) for colour in COLOURS)],
        targets=[Target() for _ in range(actions)],
    )


def unfolded(size: int, values: list[int]) -> str:
    """Return the six faces as text, a letter for each colour."""
    signs = {(one.x, one.y): NAMES[v - 1] for one, v in zip(facelets(size), values, strict=True)}
    rows = [[signs.get((x, y), " ") for x in range(4 * size)] for y in range(3 * size)]
    return "\n".join(" ".join(row).rstrip() for row in rows)
