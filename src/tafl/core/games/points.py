"""Points on a circle and the lines between all of them: numbers, orders of the points, pictures."""

from functools import cache
from itertools import combinations, permutations
from math import cos, pi, sin

from tafl.core.games.board import Cell

FAR = 3.6  # from the middle to a point, in pictures


@cache
def lines_between(points):
    """Return the lines between this many points, those of the first point first."""
    return tuple(combinations(range(points), 2))


def line(points, a, b):
    """Return the number of the line between two points."""
    return lines_between(points).index((min(a, b), max(a, b)))


def exchanges(points):
    """Return orders of the points: all of them, or of more than six points a group of fewer.

    There are 5,040 orders of seven points and 40,320 of eight. The maps x -> a * x + b in a field
    of as many numbers take any two points to any two others.
    """
    if points <= 6:
        return list(permutations(range(points)))
    maps = [(a, b) for a in range(1, points) for b in range(points)]
    if points == 7:
        return [tuple((a * x + b) % 7 for x in range(7)) for a, b in maps]
    return [tuple(product_of_eight(a, x) ^ b for x in range(8)) for a, b in maps]


def product_of_eight(a, b):
    """Return a product in the field of eight numbers: polynomials modulo x**3 + x + 1."""
    product = a * (b & 1) ^ 2 * a * (b >> 1 & 1) ^ 4 * a * (b >> 2)
    for bit in (16, 8):
        product ^= 0b1011 * bit // 8 if product & bit else 0
    return product


def corner(points, point, far):
    """Return the place of a point in pictures, at a distance from the centre; point 0 is on top."""
    angle = 2 * pi * point / points
    return far * sin(angle), -far * cos(angle)


def on_line(points, a, b):
    """Return the cell of a line in pictures, where no other line crosses it."""
    name, apart = f"line {a + 1}-{b + 1}", b - a
    if 2 * apart > points or (2 * apart == points and a % 2 == 1):
        a, b = b, a  # so that the picture looks the same from several sides
    part = (0.5, 0.415, 0.375, 0.35)[(b - a) % points - 1]
    (x, y), (to_x, to_y) = corner(points, a, FAR), corner(points, b, FAR)
    return Cell(round(x + part * (to_x - x), 3), round(y + part * (to_y - y), 3), name)
