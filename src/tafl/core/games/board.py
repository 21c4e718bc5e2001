"""The appearance of a board: one description, from which every picture of a position is made.

A cell has a place and a shape, a piece is what a value of a cell looks like, a target is what an
action points at. Lengths count in cells; x goes to the right and y down. Rules may have a method
board() that returns a `Board`; without it one is made from cells and neighbours
(`tafl.boards.layout`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
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
    "across": {"tag": "rect", "x": -0.56, "y": -0.11, "width": 1.12, "height": 0.22, "rx": 0.11},
    "upright": {"tag": "rect", "x": -0.11, "y": -0.56, "width": 0.22, "height": 1.12, "rx": 0.11},
    "disc": {"tag": "circle", "r": 0.37},
    "stone": {"tag": "circle", "r": 0.3},
    "tile": {"tag": "rect", "x": -0.44, "y": -0.44, "width": 0.88, "height": 0.88, "rx": 0.09},
    "cross": {
        "tag": "polyline",
        "points": "-.26,-.26 .26,.26 0,0 .26,-.26 -.26,.26",
        "stroke-linejoin": "round",  # it turns round at the end of an arm
    },
    "die": {"tag": "rect", "x": -0.44, "y": -0.44, "width": 0.88, "height": 0.88, "rx": 0.16},
    "ring": {"tag": "circle", "r": 0.29},
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
LINES = ("cross", "ring")  # shapes that are drawn with a pen, not filled

# Colour-blind safe colours, for light and for dark mode; text on them.
COLOURS: dict[str, tuple[str, str, str]] = {
    "red": ("#d1495b", "#f26a7a", "#ffffff"),
    "blue": ("#1f6fb2", "#5aa9e6", "#ffffff"),
    "green": ("#2a9d6f", "#4cc38a", "#ffffff"),
    "yellow": ("#e09f1f", "#f2b84b", "#3b2a05"),
    "black": ("#23262b", "#14161a", "#ffffff"),
    "white": ("#fbfaf7", "#f1efe9", "#3c3a36"),
    "line": ("#8a8577", "#77808c", "#ffffff"),
}
PLAYERS = ("red", "blue", "green", "yellow")
KINDS = ("board", "die", "off")  # of cells: with pieces, with a number of pips, not drawn
LETTERS = "abcdefghijklmno"  # of columns
# Tiles from small to large: from sand to deep red, then violet.
TILES = (
    *("#efe6d3", "#ecdcb9", "#f0c48a", "#eea868", "#ea8a52", "#e26a45", "#d9a92f", "#cf9a1f"),
    *("#b98612", "#4f9a73", "#2f8a83", "#2b6fa3", "#5a55a8", "#8a4796", "#a03a78"),
)


@dataclass(frozen=True)
class Cell:
    """A place on the board, and its shape when it is empty; `kind` is one of KINDS."""

    x: float
    y: float
    shape: str = "square"
    kind: str = "board"


@dataclass(frozen=True)
class Piece:
    """The picture of a cell's value; `count` of them lie on top of each other.

    If pieces say whose they are, a page sees by that where a move takes a piece. A number as text
    says how many pieces there are.
    """

    shape: str  # one of SHAPES, or "cell": that of the cell
    colour: str
    text: str = ""
    count: int = 1
    player: int | None = None


@dataclass(frozen=True)
class Target:
    """The target of an action: cells, one stone of a heap (from below), or a direction.

    A piece that goes from a cell to a cell has the first one as its source.
    """

    cells: Sequence[int] = ()
    part: int = 0  # 1: the lowest stone of a heap; 0: the whole cell
    towards: str = ""  # up, right, down, left
    source: int | None = None


@dataclass(frozen=True)
class Label:
    """A text beside the board."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Edge:
    """A line along the board in a player's colour."""

    points: str
    colour: str


@dataclass(frozen=True)
class Board:
    """A board. Nothing can be pointed at where a target has neither cells nor a direction.

    >>> Board(cells=[Cell(0, 0), Cell(1, 0)], pieces=[None, Piece("disc", "red")]).box
    (-0.6, -0.6, 2.2, 1.2)
    """

    cells: Sequence[Cell]
    pieces: Sequence[Piece | None]  # by value of the cell
    targets: Sequence[Target] = ()  # by action
    labels: Sequence[Label] = ()
    edges: Sequence[Edge] = ()
    look: str = "plain"  # plain, rack (stones fall behind holes), felt (green cloth), tray (tiles)
    falling: bool = False  # new stones come in from the top
    tall: float = 0.0  # room above the cells, for heaps
    colours: Sequence[str] = ()  # of the players, where they are not those of pieces 1, 2, ...

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, width and height of everything."""
        xs, ys = self._extent
        around = 0.75 if self.edges else 0.6
        left, right = min(xs) - around, max(xs) + around
        top, bottom = min(ys) - around - self.tall, max(ys) + around
        for label in self.labels:
            left, right = min(left, label.x - 0.4), max(right, label.x + 0.4)
            top, bottom = min(top, label.y - 0.35), max(bottom, label.y + 0.35)
        sizes = (left, top, right - left, bottom - top)
        return tuple(round(size, 3) for size in sizes)  # type: ignore[return-value]

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Return left, top, width and height of the cells."""
        xs, ys = self._extent
        sizes = (min(xs) - 0.58, min(ys) - 0.58, max(xs) - min(xs) + 1.16, max(ys) - min(ys) + 1.16)
        return tuple(round(size, 3) for size in sizes)  # type: ignore[return-value]

    @property
    def _extent(self) -> tuple[list[float], list[float]]:
        """Return the places of the cells that are drawn."""
        drawn = [cell for cell in self.cells if cell.kind != "off"]
        return [cell.x for cell in drawn], [cell.y for cell in drawn]

    def document(self) -> dict[str, Any]:
        """Return the whole board as a JSON object, for other renderers."""
        used = {cell.shape for cell in self.cells} | {p.shape for p in self.pieces if p}
        shapes = {name: SHAPES[name] for name in sorted(used - {"cell"})}
        return {
            **asdict(self),
            "box": self.box,
            "frame": self.frame,
            "shapes": shapes,
            "lines": list(LINES),
            "pips": PIPS,
        }


def stones(colours: Sequence[str], shape: str = "disc", signs: str = "") -> list[Piece | None]:
    """Return an empty cell, and a piece for each player."""
    texts = signs or " " * len(colours)
    return [None, *(Piece(shape, c, t.strip()) for c, t in zip(colours, texts, strict=False))]


def card_pieces(names: Iterable[str]) -> list[Piece | None]:
    """Return a place without a card, and a white card for each name.

    >>> card_pieces("JQ")[2]
    Piece(shape='tile', colour='white', text='Q', count=1, player=None)
    """
    return [None, *(Piece("tile", "white", name) for name in names)]


def cells_of_grid(rows: int, cols: int, shape: str = "square") -> list[Cell]:
    """Return the cells of a grid, row by row from the top."""
    return [Cell(c, r, shape) for r in range(rows) for c in range(cols)]


def beside_grid(cols: Sequence[str], rows: Sequence[str]) -> list[Label]:
    """Return labels for the columns above a grid and the rows to its left."""
    above = [Label(x, -0.85, name) for x, name in enumerate(cols)]
    return above + [Label(-0.85, y, name) for y, name in enumerate(rows)]


def on_cells(count: int) -> list[Target]:
    """Return the targets of a game where action c is played on cell c."""
    return [Target(cells=[c]) for c in range(count)]


def lettered_board(size: int, pieces: Sequence[Piece | None], look: str, shape: str) -> Board:
    """Return a square board with letters for columns and numbers for rows, played on cells."""
    return Board(
        cells=cells_of_grid(size, size, shape),
        pieces=pieces,
        targets=on_cells(size * size),
        labels=beside_grid(LETTERS[:size], [str(r + 1) for r in range(size)]),
        look=look,
    )


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return points as SVG writes them.

    >>> path([(0, 0.5), (1, 2)])
    '0.000,0.500 1.000,2.000'
    """
    return " ".join(f"{x:.3f},{y:.3f}" for x, y in points)


def cell_name(size: int, cell: int) -> str:
    """Return the name of a cell on a lettered board.

    >>> cell_name(8, 10)
    'c2'
    """
    return f"{LETTERS[cell % size]}{cell // size + 1}"


def text_rows(rules: Any, state: Any, size: int, signs: str = ".xo") -> list[str]:
    """Return each row of a square board as text, with the sign of each cell's value."""
    found = [signs[rules.cell(state, c)] for c in range(size * size)]
    return [" ".join(found[r : r + size]) for r in range(0, size * size, size)]
