"""The appearance of a board: one description, from which every picture of a position is made.

A cell has a place and a shape, a piece is what a value of a cell looks like, a target is what an
action points at. Lengths count in cells; x goes to the right and y down. Rules may have a method
board() that returns a `Board`; without it one is made from cells and neighbours
(`tafl.boards.layout`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tafl.core.games.shapes import LINES, PIPS, SEEDS, SHAPES

PLAYERS = ("red", "blue", "green", "yellow")
# Kinds of cells: with pieces; with a number of pips; with a card, hidden if the value is 0; with a
# word, nothing if the value is 0; not drawn
KINDS = ("board", "die", "card", "note", "off")
LETTERS = "abcdefghijklmno"  # of columns


@dataclass(frozen=True)
class Cell:
    """A place on the board, and its shape when it is empty; `kind` is one of KINDS.

    Its values look as the pieces of the board say, or with `deck` 1, 2, ... as those of a deck.
    `step` is the way down from a piece of a heap to the next one, 0: as far up as in other heaps.
    """

    x: float
    y: float
    shape: str = "square"
    kind: str = "board"
    deck: int = 0
    step: float = 0.0


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
    """A line along the board in a player's colour, or a dot: a line from a point to itself."""

    points: str
    colour: str
    width: float = 0.13
    above: bool = False  # drawn over the pieces


@dataclass(frozen=True)
class Count:
    """The number of things on a cell, such as seeds: a word of the state, written at (x, y)."""

    cell: int
    word: int
    x: float
    y: float


@dataclass(frozen=True)
class Tally:
    """A count that people follow during a game, one number a player or one for all.

    It adds up pieces of some values, or words of the state; `decides` says whether the highest
    number wins.
    """

    name: str
    values: Sequence[Sequence[int]] = ()
    words: Sequence[Sequence[int]] = ()
    decides: bool = False


@dataclass(frozen=True)
class Board:
    """A board. Nothing can be pointed at where a target has neither cells nor a direction.

    >>> Board(cells=[Cell(0, 0), Cell(1, 0)], pieces=[None, Piece("disc", "red")]).box
    (-0.6, -0.6, 2.2, 1.2)
    """

    cells: Sequence[Cell]
    pieces: Sequence[Piece | None]  # by value of the cell
    decks: Sequence[Sequence[Piece | None]] = ()  # other pieces by value, for cells with a deck
    targets: Sequence[Target] = ()  # by action
    labels: Sequence[Label] = ()
    edges: Sequence[Edge] = ()
    # plain, rack (stones fall behind holes), felt (green cloth), tray (tiles), wood (crossings),
    # check (squares of two colours), bowl (pits in wood)
    look: str = "plain"
    falling: bool = False  # new stones come in from the top
    tall: float = 0.0  # room above the cells, for heaps
    colours: Sequence[str] = ()  # of the players, where they are not those of pieces 1, 2, ...
    shapes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # besides SHAPES
    counts: Sequence[Count] = ()
    tally: Tally | None = None
    wins: Sequence[Sequence[int]] = ()  # cells that end the game, besides `lines` of the facts
    sides: Sequence[
        Sequence[Sequence[int]]
    ] = ()  # by player: parts of the board that a chain joins
    near: Sequence[Sequence[int]] = ()  # the neighbours of each cell, for chains

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
        """Return the places of the cells that are drawn, and of dots between them."""
        places = [(cell.x, cell.y) for cell in self.cells if cell.kind != "off"]
        for edge in self.edges if self.look == "plain" else ():
            if edge.above:
                ends = (point.split(",") for point in edge.points.split())
                places += [(float(x), float(y)) for x, y in ends]
        return [x for x, _ in places], [y for _, y in places]

    def document(self) -> dict[str, Any]:
        """Return the whole board as a JSON object, for other renderers."""
        tables = (self.pieces, *self.decks)
        used = {cell.shape for cell in self.cells} | {p.shape for t in tables for p in t if p}
        return {
            **asdict(self),
            "box": self.box,
            "frame": self.frame,
            "shapes": {name: self.shape(name) for name in sorted(used - {"cell"})},
            "lines": [name for name in sorted(used) if self.is_line(name)],
            "pips": PIPS,
            "seeds": SEEDS,
        }

    def piece(self, cell: int, value: int) -> Piece | None:
        """Return what a value of a cell looks like, None if nothing lies there."""
        deck = self.cells[cell].deck
        table = self.decks[deck - 1] if deck else self.pieces
        return table[value] if value < len(table) else None

    def shape(self, name: str) -> Mapping[str, Any]:
        """Return the element of SVG for a shape."""
        return self.shapes.get(name) or SHAPES[name]

    def is_line(self, name: str) -> bool:
        """Return whether a shape is drawn with a pen, not filled."""
        return name in LINES or self.shapes.get(name, {}).get("tag") == "polyline"


def stones(colours: Sequence[str], shape: str = "disc", signs: str = "") -> list[Piece | None]:
    """Return an empty cell, and a piece for each player."""
    texts = signs or " " * len(colours)
    return [None, *(Piece(shape, c, t.strip()) for c, t in zip(colours, texts, strict=False))]


def face(name: str, player: int | None = None) -> Piece:
    """Return a card with this name on it; those of red suits have red letters.

    >>> face("Q♥").colour, face("Q").colour
    ('redcard', 'blackcard')
    """
    return Piece("card", "redcard" if name[-1:] in "♥♦" else "blackcard", name, player=player)


def card_pieces(names: Iterable[str]) -> list[Piece | None]:
    """Return a place without a card, and a card for each name.

    >>> card_pieces("JQ")[2].text
    'Q'
    """
    return [None, *(face(name) for name in names)]


def notes(names: Iterable[str]) -> list[Piece | None]:
    """Return nothing, and a word for each name: what a player has said.

    >>> [piece and piece.text for piece in notes(["pass", "bet"])]
    [None, 'pass', 'bet']
    """
    return [None, *(Piece("note", "line", name) for name in names)]


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


def lettered_board(
    size: int, pieces: Sequence[Piece | None], look: str, shape: str, **more: Any
) -> Board:
    """Return a square board with letters for columns and numbers for rows, played on cells."""
    return Board(
        **more,
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
