"""A position as a picture: the pieces on the board that its game describes."""

from html import escape
from typing import TYPE_CHECKING, Any

from tafl.boards.layout import board_of
from tafl.core.games.board import COLOURS, LINES, SHAPES, TILES, Board, Cell, Piece

if TYPE_CHECKING:
    from tafl.boards.state import State

SIZE = 40  # of a cell, in pixels
RISE = 0.62  # from a stone of a heap to the next one
# What empty cells and the frame around them look like.
GROUNDS = {
    "plain": ("#efe9dd", "none"),
    "rack": ("#f6f3ec", "#3a68a8"),
    "felt": ("#3f7d5c", "#2c5a41"),
    "tray": ("#d8cfc0", "#bdb2a1"),
}


def svg(state: "State") -> str:
    """The picture of a position.

    >>> import tafl
    >>> svg(tafl.position("tictactoe: b2")).count("<path")
    1
    """
    board, cells = board_of(state.game), state.cells
    empty, frame = GROUNDS[board.look]
    left, top, width, height = board.box
    shapes = [] if frame == "none" else [_frame(board, frame)]
    shapes += [_line(edge.points, edge.colour) for edge in board.edges]
    for cell in board.cells:
        shapes.append(_element(SHAPES[cell.shape], cell.x, cell.y, fill=empty, **{"class": "cell"}))
    for cell, value in zip(board.cells, cells, strict=True):
        piece = board.pieces[value]
        for k in range(piece.count if piece else 0):
            shapes.append(_piece(piece, cell, RISE * k))  # type: ignore[arg-type]
    shapes += [_text(label.text, label.x, label.y, "#7a7466", 0.34) for label in board.labels]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:g} {top:g} {width:g} {height:g}" '
        f'width="{width * SIZE:g}" height="{height * SIZE:g}" font-family="sans-serif" '
        f'text-anchor="middle"><title>{escape(str(state))}</title>{"".join(shapes)}</svg>'
    )


def colour(name: str) -> tuple[str, str]:
    """A colour, and that of text on it."""
    if name.startswith("tile"):
        number = min(int(name.removeprefix("tile")), len(TILES))
        return TILES[number - 1], "#4a4237" if number < 3 else "#ffffff"
    return COLOURS[name][0], COLOURS[name][2]


def _piece(piece: Piece, cell: Cell, rise: float) -> str:
    """A piece on a cell, or above it in a heap."""
    x, y, fill, ink = cell.x, cell.y - rise, *colour(piece.colour)
    shape = SHAPES[cell.shape if piece.shape == "cell" else piece.shape]
    if piece.shape in LINES:
        pen = {
            "class": "piece",
            "fill": "none",
            "stroke": fill,
            "stroke-width": 0.13,
            "stroke-linecap": "round",
        }
        return _element(shape, x, y, **pen)
    drawn = _element(shape, x, y, fill=fill, **{"class": "piece"})
    size = 0.42 if len(piece.text) < 3 else 1.2 / len(piece.text)
    return drawn + (_text(piece.text, x, y, ink, size) if piece.text else "")


def _frame(board: Board, fill: str) -> str:
    x, y, width, height = board.frame
    sizes = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="0.16"'
    return f'<rect class="frame" {sizes} fill="{fill}"/>'


def _line(points: str, name: str) -> str:
    pen = f'stroke="{colour(name)[0]}" stroke-width="0.12" stroke-linejoin="round"'
    return f'<polyline points="{escape(points)}" fill="none" {pen} stroke-linecap="round"/>'


def _element(shape: dict[str, Any], x: float, y: float, **more: Any) -> str:
    attributes = {**shape, **more, "transform": f"translate({x:g} {y:g})"}
    tag = attributes.pop("tag")
    written = " ".join(f'{key}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{tag} {written}/>"


def _text(text: str, x: float, y: float, fill: str, size: float) -> str:
    place = f'x="{x:g}" y="{y + 0.36 * size:g}" font-size="{size:g}"'
    return f'<text {place} fill="{fill}">{escape(text)}</text>'
