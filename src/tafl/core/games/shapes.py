"""Shapes and colours of boards and pieces."""

from math import cos, pi, sin, sqrt
from typing import Any

# An element of SVG around (0, 0) for each shape.
SHAPES: dict[str, dict[str, Any]] = {
    "square": {"tag": "rect", "x": -0.47, "y": -0.47, "width": 0.94, "height": 0.94, "rx": 0.07},
    "field": {"tag": "rect", "x": -0.49, "y": -0.49, "width": 0.98, "height": 0.98, "rx": 0.02},
    "hexagon": {"tag": "polygon", "points": "0,-.56 .485,-.28 .485,.28 0,.56 -.485,.28 -.485,-.28"},
    "standing": {"tag": "polygon", "points": "-.46,.47 .46,.47 0,-1.1"},
    "hanging": {"tag": "polygon", "points": "-.46,-.47 .46,-.47 0,1.1"},
    "hole": {"tag": "circle", "r": 0.41},
    "base": {"tag": "rect", "x": -0.46, "y": 0.34, "width": 0.92, "height": 0.1, "rx": 0.05},
    "store": {"tag": "rect", "x": -0.44, "y": -1.3, "width": 0.88, "height": 2.6, "rx": 0.4},
    "point": {"tag": "circle", "r": 0.48},
    "across": {"tag": "polyline", "points": "-.7,0 .7,0"},
    "upright": {"tag": "polyline", "points": "0,-.7 0,.7"},
    "box": {"tag": "rect", "x": -0.54, "y": -0.54, "width": 1.08, "height": 1.08, "rx": 0.08},
    "pawn": {
        "tag": "polygon",
        "points": "-.3,.38 -.3,.26 -.2,.2 -.11,-.04 -.2,-.07 -.2,-.14 -.12,-.16 -.17,-.26 "
        "-.14,-.35 -.06,-.4 .06,-.4 .14,-.35 .17,-.26 .12,-.16 .2,-.14 .2,-.07 .11,-.04 .2,.2 "
        ".3,.26 .3,.38",
    },
    "disc": {"tag": "circle", "r": 0.37},
    "stone": {"tag": "circle", "r": 0.3},
    "counter": {"tag": "circle", "r": 0.44},
    "tile": {"tag": "rect", "x": -0.44, "y": -0.44, "width": 0.88, "height": 0.88, "rx": 0.09},
    "cross": {
        "tag": "polyline",
        "points": "-.26,-.26 .26,.26 0,0 .26,-.26 -.26,.26",
        "stroke-linejoin": "round",  # it turns round at the end of an arm
    },
    "card": {"tag": "rect", "x": -0.34, "y": -0.47, "width": 0.68, "height": 0.94, "rx": 0.09},
    "note": {"tag": "rect", "x": -0.44, "y": -0.17, "width": 0.88, "height": 0.34, "rx": 0.17},
    "die": {"tag": "rect", "x": -0.44, "y": -0.44, "width": 0.88, "height": 0.88, "rx": 0.16},
    "ring": {"tag": "circle", "r": 0.29},
    "seeds": {"tag": "circle", "r": 0.075},
}
PIPS: list[list[tuple[float, float]]] = [  # of a die, by what it shows: their places
    [],
    [(0, 0)],
    [(-0.24, -0.24), (0.24, 0.24)],
    [(-0.24, -0.24), (0, 0), (0.24, 0.24)],
    [(-0.24, -0.24), (0.24, -0.24), (-0.24, 0.24), (0.24, 0.24)],
    [(-0.24, -0.24), (0.24, -0.24), (0, 0), (-0.24, 0.24), (0.24, 0.24)],
    [(x, y) for x in (-0.24, 0.24) for y in (-0.26, 0, 0.26)],
]
LINES = ("cross", "ring", "across", "upright")  # shapes that are drawn with a pen, not filled

# Colour-blind safe colours, for light and for dark mode.
COLOURS: dict[str, tuple[str, str]] = {
    "red": ("#d1495b", "#f26a7a"),
    "blue": ("#1f6fb2", "#5aa9e6"),
    "green": ("#2a9d6f", "#4cc38a"),
    "yellow": ("#e09f1f", "#f2b84b"),
    "black": ("#23262b", "#14161a"),
    "white": ("#fbfaf7", "#f1efe9"),
    "line": ("#8a8577", "#77808c"),
    "ink": ("#22252b", "#eceae5"),
    "grid": ("#54401f", "#54401f"),
    "blackcard": ("#fbfaf7", "#f1efe9"),
    "redcard": ("#fbfaf7", "#f1efe9"),
}
INKS = {"redcard": "#b3261e"}  # of texts, where it is neither black nor white
GOLDEN = pi * (3 - sqrt(5))  # seeds of a sunflower turn by this angle
SEEDS = [  # places of seeds in a pit, from the centre
    [round(0.088 * sqrt(k + 0.5) * turn(k * GOLDEN), 3) for turn in (cos, sin)] for k in range(40)
]
# Tiles from small to large: from sand to deep red, then violet.
TILES = (
    *("#efe6d3", "#ecdcb9", "#f0c48a", "#eea868", "#ea8a52", "#e26a45", "#d9a92f", "#cf9a1f"),
    *("#b98612", "#4f9a73", "#2f8a83", "#2b6fa3", "#5a55a8", "#8a4796", "#a03a78"),
)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG defines it.

    >>> round(luminance("#ffffff"), 3), round(luminance("#808080"), 3)
    (1.0, 0.216)
    """
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink_on(colour: str) -> str:
    """Return black or white, whichever can be read better on a colour."""
    return "#ffffff" if luminance(colour) < 0.2 else "#1b1d21"


def ink_of(name: str, colour: str) -> str:
    """Return the colour of texts on a piece whose colour has this name."""
    return INKS.get(name) or ink_on(colour)


def outline(colour: str) -> str:
    """Return a dark colour of the same hue, for the outlines of pieces; grey around black.

    >>> outline("#e09f1f"), outline("#14161a")
    ('#4e370a', '#8a8f98')
    """
    if luminance(colour) < 0.012:  # black pieces on dark boards
        return "#8a8f98"
    return "#" + "".join(f"{int(colour[i : i + 2], 16) * 35 // 100:02x}" for i in (1, 3, 5))
