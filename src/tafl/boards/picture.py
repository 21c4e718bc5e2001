"""A drawing of a position as a picture: every sign of the text on its own tile.

    .         an empty cell, * one where a stone can be placed
    x o # @   stones
    numbers   tiles, where columns are wide; otherwise, like letters, labels beside the board

A line that is indented is moved to the right, so that Hex looks like Hex.
"""

import re
from html import escape

SIZE = 36  # of a tile, in pixels
STONES = {"x": "#c9372c", "o": "#1d6fb8", "#": "#e0a100", "@": "#3f8f4f"}
EMPTY = (".", "*")


def svg(drawing: str) -> str:
    """The picture of a drawing.

    >>> svg(". x").count("<circle")
    1
    """
    lines = re.sub(r"([xo#@])(?=\1)", r"\1 ", drawing.rstrip()).split("\n")
    spacing = _spacing(lines)
    shapes, width = [], 0.0
    for row, line in enumerate(lines):
        for sign in re.finditer(r"\S+", line):
            # numbers end where their column ends, other signs begin there
            at = (sign.end() - 1 if spacing > 2 else sign.start()) / spacing
            shapes.append(_shape(sign[0], at * SIZE, row * SIZE, tiles=spacing > 2))
            width = max(width, (at + 1) * SIZE)
    height = len(lines) * SIZE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" '
        f'width="{width:g}" height="{height}" font-family="sans-serif" text-anchor="middle">'
        f"<title>{escape(drawing)}</title>{''.join(shapes)}</svg>"
    )


def _spacing(lines: list[str]) -> int:
    """How many characters a column of the drawing has."""
    gaps = [re.findall(r"(?<=\S)\s+\S+", line) for line in lines]
    widths = [len(gap) for line in gaps for gap in line]
    return max(widths, default=2)


def _shape(sign: str, x: float, y: float, tiles: bool) -> str:
    middle_x, middle_y = x + SIZE / 2, y + SIZE / 2
    label = (
        f'<text x="{middle_x:g}" y="{middle_y + 5:g}" font-size="14" fill="#555">'
        f"{escape(sign)}</text>"
    )
    if sign in EMPTY:
        mark = f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="4" fill="#8fae8f"/>'
        return _tile(x, y, "#efe9dd") + (mark if sign == "*" else "")
    if sign in STONES:
        stone = f'<circle cx="{middle_x:g}" cy="{middle_y:g}" r="{SIZE * 0.38:g}"'
        letter = label.replace("#555", "#fff")
        return f'{_tile(x, y, "#efe9dd")}{stone} fill="{STONES[sign]}"/>{letter}'
    if tiles and sign.isdecimal():
        warmth = 55 - 4 * min(int(sign).bit_length(), 11)
        return _tile(x, y, f"hsl({warmth},80%,72%)") + label
    return label


def _tile(x: float, y: float, colour: str) -> str:
    inner = SIZE - 2
    place = f'x="{x + 1:g}" y="{y + 1:g}" width="{inner}" height="{inner}"'
    return f'<rect {place} rx="4" fill="{colour}"/>'
