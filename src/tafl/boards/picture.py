"""Pictures of positions: a list of elements, from back to front, and its SVG.

`pixels` in `raster` paints the same elements for films.
"""

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from tafl.boards.layout import board_of
from tafl.core.games.board import COLOURS, LINES, PIPS, SHAPES, TILES, Cell, Piece

if TYPE_CHECKING:
    from tafl.boards.state import State

SIZE = 40  # of a cell, in pixels
DIE, PIP = "#fbfaf7", "#23262b"  # colours of a die
RISE = 0.62  # from a stone of a heap to the next one
# colours of empty cells and of the frame around them
GROUNDS = {
    "plain": ("#efe9dd", "none"),
    "rack": ("#f6f3ec", "#3a68a8"),
    "felt": ("#3f7d5c", "#2c5a41"),
    "tray": ("#d8cfc0", "#bdb2a1"),
}


@dataclass(frozen=True)
class Element:
    """An element of SVG at a place: a filled or drawn shape, or a text."""

    tag: str
    x: float
    y: float
    attributes: dict[str, Any]
    text: str = ""


def elements(state: "State", player: int | None = None) -> list[Element]:
    """Return the elements of a position's picture, as a player sees it, from back to front.

    >>> import tafl
    >>> [element.tag for element in elements(tafl.position("tictactoe: b2"))][8:11]
    ['rect', 'polyline', 'text']
    """
    board = board_of(state.game)
    empty, frame = GROUNDS[board.look]
    drawn = []
    if frame != "none":
        box = dict(zip(("x", "y", "width", "height"), board.frame, strict=True))
        drawn.append(_shape({"tag": "rect", **box, "rx": 0.16}, 0, 0, frame, "frame"))
    drawn += [_line({"points": edge.points}, 0, 0, edge.colour, 0.12) for edge in board.edges]
    cells = state.cells if player is None else state.seen_by(player)
    shown = [(c, v) for c, v in zip(board.cells, cells, strict=True) if c.kind != "off"]
    for cell, _ in shown:
        fill = DIE if cell.kind == "die" else empty
        drawn.append(_shape(SHAPES[cell.shape], cell.x, cell.y, fill, "cell"))
    for cell, value in shown:
        if cell.kind == "die":
            drawn += _die(value, cell)
            continue
        piece = board.pieces[value]
        for k in range(piece.count if piece else 0):
            drawn += _piece(piece, cell, RISE * k)  # type: ignore[arg-type]
    return drawn + [_text(label.text, label.x, label.y, "#7a7466", 0.34) for label in board.labels]


def svg(state: "State", player: int | None = None) -> str:
    """Return the picture of a position as SVG, of all of it or as a player sees it.

    >>> import tafl
    >>> svg(tafl.position("tictactoe: b2")).count("<polyline")
    1
    """
    left, top, width, height = board_of(state.game).box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
        f'width="{width * SIZE:g}" height="{height * SIZE:g}" font-family="sans-serif" '
        f'text-anchor="middle"><title>{escape(state.drawn(player))}</title>'
        f"{''.join(map(_written, elements(state, player)))}</svg>"
    )


def colour(name: str) -> tuple[str, str]:
    """Return a colour, and the colour of text on it."""
    if name.startswith("tile"):
        number = min(int(name.removeprefix("tile")), len(TILES))
        return TILES[number - 1], "#4a4237" if number < 3 else "#ffffff"
    return COLOURS[name][0], COLOURS[name][2]


def _die(value: int, cell: Cell) -> list[Element]:
    """Return what a die shows: pips, or a number if it has more sides; nothing before a throw."""
    if value >= len(PIPS):
        return [_text(str(value), cell.x, cell.y, PIP, 0.42)]
    pip: dict[str, Any] = {"tag": "circle", "r": 0.085}
    return [_shape(pip, cell.x + x, cell.y + y, PIP, "pip") for x, y in PIPS[value]]


def _piece(piece: Piece, cell: Cell, rise: float) -> list[Element]:
    """Return the elements of a piece on a cell, or above it in a heap."""
    x, y, fill, ink = cell.x, cell.y - rise, *colour(piece.colour)
    shape = SHAPES[cell.shape if piece.shape == "cell" else piece.shape]
    if piece.shape in LINES:
        return [_line(shape, x, y, piece.colour, 0.13, "piece")]
    drawn = _shape(shape, x, y, fill, "piece")
    size = 0.42 if len(piece.text) < 3 else 1.2 / len(piece.text)
    return [drawn, _text(piece.text, x, y, ink, size)] if piece.text else [drawn]


def _shape(shape: dict[str, Any], x: float, y: float, fill: str, kind: str) -> Element:
    attributes = {key: value for key, value in shape.items() if key != "tag"}
    return Element(shape["tag"], x, y, {**attributes, "fill": fill, "class": kind})


def _line(
    shape: dict[str, Any], x: float, y: float, name: str, width: float, kind: str = "edge"
) -> Element:
    pen = {"stroke": colour(name)[0], "stroke-width": width}
    ends = {"stroke-linecap": "round", "stroke-linejoin": "round"}
    drawn = _shape({"tag": "polyline", **shape}, x, y, "none", kind)
    return Element(drawn.tag, x, y, {**drawn.attributes, **pen, **ends})


def _text(text: str, x: float, y: float, fill: str, size: float) -> Element:
    return Element("text", x, y + 0.36 * size, {"font-size": size, "fill": fill}, text)


def _written(element: Element) -> str:
    place = {"transform": f"translate({element.x:g} {element.y:g})"}
    attributes = {**element.attributes, **place}
    written = " ".join(f'{key}="{escape(_number(value))}"' for key, value in attributes.items())
    return f"<{element.tag} {written}>{escape(element.text)}</{element.tag}>"


def _number(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
