"""Positions as pixels: the elements of a picture, painted by Pillow."""

from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from tafl.boards.layout import board_of
from tafl.boards.picture import SIZE, Element, elements

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

    from tafl.boards.state import State

WHITE = "#ffffff"
FINER = 3  # pictures are painted this much larger and scaled down, for smooth edges

Points = list[tuple[float, float]]


def pixels(state: "State", size: int = SIZE, player: int | None = None) -> np.ndarray:
    """Return uint8[height, width, 3]: a picture with cells of `size` pixels.

    A player's picture shows what that player sees. Height and width are even, as video codecs
    require.

    >>> import tafl
    >>> pixels(tafl.game("tictactoe").start()).shape
    (152, 154, 3)
    """
    from PIL import Image, ImageDraw

    left, top, width, height = board_of(state.game).box
    wide, high = (2 * ceil(round(length * size / 2, 6)) for length in (width, height))
    image = Image.new("RGB", (wide * FINER, high * FINER), WHITE)
    brush = Brush(ImageDraw.Draw(image), left, top, size * FINER)
    for element in elements(state, player):
        brush.paint(element)
    return np.array(image.resize((wide, high), Image.Resampling.BOX))


class Brush:
    """Paints elements of SVG; lengths count in cells and become pixels here."""

    def __init__(self, draw: "ImageDraw", left: float, top: float, scale: int):
        self.draw, self.left, self.top, self.scale = draw, left, top, scale

    def paint(self, element: Element) -> None:
        """Paint an element with the method named after its tag."""
        getattr(self, element.tag)(element)

    def rect(self, element: Element) -> None:
        """Paint a rectangle with round corners."""
        x, y, width, height = (element.attributes[key] for key in ("x", "y", "width", "height"))
        box = self.places(element, [(x, y), (x + width, y + height)])
        fill = element.attributes["fill"]
        self.draw.rounded_rectangle(box, self.scale * element.attributes["rx"], fill)

    def circle(self, element: Element) -> None:
        """Paint a disc, or a ring if the element has a pen."""
        colour, width = pen(element)
        around = element.attributes["r"] + width / 2
        box = self.places(element, [(-around, -around), (around, around)])
        if width:
            self.draw.ellipse(box, outline=colour, width=round(width * self.scale))
        else:
            self.draw.ellipse(box, fill=colour)

    def polygon(self, element: Element) -> None:
        """Paint a filled polygon."""
        self.draw.polygon(self.places(element, corners(element)), element.attributes["fill"])

    def polyline(self, element: Element) -> None:
        """Paint a line with round ends and corners."""
        points, (colour, width) = self.places(element, corners(element)), pen(element)
        thick = width * self.scale
        self.draw.line(points, colour, round(thick))
        for point in points:
            self.draw.circle(point, thick / 2, colour)

    def text(self, element: Element) -> None:
        """Paint a text, centred on its baseline."""
        font, fill = letters(self.scale * element.attributes["font-size"]), pen(element)[0]
        [place] = self.places(element, [(0, 0)])
        self.draw.text(place, element.text, fill, font, anchor="ms")

    def places(self, element: Element, points: Points) -> Points:
        """Convert points of an element to pixels."""
        x, y, scale = element.x - self.left, element.y - self.top, self.scale
        return [((x + dx) * scale, (y + dy) * scale) for dx, dy in points]


def corners(element: Element) -> Points:
    """Return the points of a line or polygon.

    >>> corners(Element("polygon", 0, 0, {"points": "0,-.5 1,2"}))
    [(0.0, -0.5), (1.0, 2.0)]
    """
    pairs = [pair.split(",") for pair in element.attributes["points"].split()]
    return [(float(x), float(y)) for x, y in pairs]


def pen(element: Element) -> tuple[str, float]:
    """Return colour and width of a line; filled shapes have width 0."""
    attributes = element.attributes
    return attributes.get("stroke", attributes["fill"]), attributes.get("stroke-width", 0.0)


@cache
def letters(size: float) -> Any:
    """Return matplotlib's font; Pillow's own lacks many signs."""
    import matplotlib
    from PIL import ImageFont

    return ImageFont.truetype(f"{matplotlib.get_data_path()}/fonts/ttf/DejaVuSans.ttf", size)
