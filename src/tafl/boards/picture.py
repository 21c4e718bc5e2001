"""Pictures of positions: a list of elements, from back to front, and its SVG.

`pixels` in `raster` paints the same elements for films.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from tafl.boards.layout import board_of
from tafl.core.games.board import Board, Cell, Count, Edge, Piece
from tafl.core.games.shapes import COLOURS, PIPS, SEEDS, SHAPES, TILES, ink_of, ink_on

if TYPE_CHECKING:
    from tafl.boards.state import State

SIZE = 40  # of a cell, in pixels
DIE, PIP = "#fbfaf7", "#23262b"  # colours of a die
BACK = "#7b3f4c"  # of a card
RISE = 0.62  # from a stone of a heap to the next one
# colours of empty cells, which may be those of every second cell, and of the frame around them
GROUNDS = {
    "plain": ("#efe9dd", "none"),
    "rack": ("#f6f3ec", "#3a68a8"),
    "felt": ("#3f7d5c", "#2c5a41"),
    "tray": ("#d8cfc0", "#bdb2a1"),
    "wood": ("none", "#d9a866"),
    "check": ("#e8d7b5", "#7d5a36", "#a47c4e"),
    "bowl": ("#5e3b20", "#8a5a34"),
}
SEED, LETTERING = "#f4dfae", "#ffffff"  # seeds and their numbers


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
    empty, frame, *other = GROUNDS[board.look]
    drawn = []
    if frame != "none":
        box = dict(zip(("x", "y", "width", "height"), board.frame, strict=True))
        drawn.append(_shape({"tag": "rect", **box, "rx": 0.16}, 0, 0, frame, "frame"))
    drawn += [_edge(edge) for edge in board.edges if not edge.above]
    cells = state.cells if player is None else state.seen_by(player)
    every = zip(range(len(cells)), board.cells, cells, strict=True)
    shown = [(c, cell, value) for c, cell, value in every if cell.kind != "off"]
    for _, cell, value in shown:
        if cell.kind == "note":
            continue
        if board.is_line(cell.shape):
            drawn.append(_line(board.shape(cell.shape), cell.x, cell.y, "line", 0.05, "cell"))
        elif cell.kind == "die" or empty != "none":
            fill = other[0] if other and (cell.x + cell.y) % 2 else empty
            fill = DIE if cell.kind == "die" else fill
            fill = BACK if cell.kind == "card" and value == 0 else fill
            drawn.append(_shape(board.shape(cell.shape), cell.x, cell.y, fill, "cell"))
    for c, cell, value in shown:
        if cell.kind == "die":
            drawn += _die(value, cell)
            continue
        piece = board.piece(c, value)
        for k in range(piece.count if piece and not board.counts else 0):
            drawn += _piece(board, piece, cell, k)  # type: ignore[arg-type]
    for count in board.counts:
        drawn += _seeds(board, count, int(state.words[count.word]))
    drawn += [_edge(edge) for edge in board.edges if edge.above]
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
        return TILES[number - 1], ink_on(TILES[number - 1])
    return COLOURS[name][0], ink_of(name, COLOURS[name][0])


def _die(value: int, cell: Cell) -> list[Element]:
    """Return what a die shows: pips, or a number if it has more sides; nothing before a throw."""
    if value >= len(PIPS):
        return [_text(str(value), cell.x, cell.y, PIP, 0.42)]
    pip: dict[str, Any] = {"tag": "circle", "r": 0.085}
    return [_shape(pip, cell.x + x, cell.y + y, PIP, "pip") for x, y in PIPS[value]]


def _seeds(board: Board, count: Count, number: int) -> list[Element]:
    """Return seeds in a pit, as many as it has room for, and their number."""
    cell = board.cells[count.cell]
    store = cell.shape == "store"
    wide, tall = (0.75, 1.9) if store else (1.0, 1.0)
    seeds = [
        _shape(SHAPES["seeds"], cell.x + wide * x, cell.y + tall * y, SEED, "piece")
        for x, y in SEEDS[: min(number, 24) if store else number]
    ]
    return [*seeds, _text(str(number), count.x, count.y, LETTERING, 0.34)]


def _edge(edge: Edge) -> Element:
    return _line({"points": edge.points}, 0, 0, edge.colour, edge.width)


def _piece(board: Board, piece: Piece, cell: Cell, rank: int) -> list[Element]:
    """Return the elements of a piece on a cell, or of a further one of a heap."""
    x, y, fill, ink = cell.x, cell.y + (cell.step or -RISE) * rank, *colour(piece.colour)
    name = cell.shape if piece.shape == "cell" else piece.shape
    shape = board.shape(name)
    if board.is_line(name):
        return [_line(shape, x, y, piece.colour, 0.13, "piece")]
    drawn = _shape(shape, x, y, fill, "piece")
    size = 0.42 if len(piece.text) < 3 else 1.2 / len(piece.text)
    most = {"note": 0.22, "card": 0.64 / max(1, len(piece.text))}
    size = min(size, most.get(name, size))
    told = piece.text and rank == piece.count - 1  # the last one of a heap
    return [drawn, _text(piece.text, x, y, ink, size)] if told else [drawn]


def _shape(shape: Mapping[str, Any], x: float, y: float, fill: str, kind: str) -> Element:
    attributes = {key: value for key, value in shape.items() if key != "tag"}
    return Element(shape["tag"], x, y, {**attributes, "fill": fill, "class": kind})


def _line(
    shape: Mapping[str, Any], x: float, y: float, name: str, width: float, kind: str = "edge"
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
