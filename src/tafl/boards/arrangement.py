"""Places of cells on a board that is made from the facts of a game.

The main board is a grid of squares or hexagons if that fits the neighbours, a closed track, a track
in turns, or a block. Cells of the board without neighbours stand apart from it, and dice below.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tafl.core.games.board import cells_of_grid
from tafl.core.games.rules import Facts

STEPS = {(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)} - {(0, 0)}
HEXAGONAL = STEPS - {(-1, -1), (1, 1)}
WIDE = 8  # cells of a track in one row
GAP = 0.5  # between parts of a board, in cells
Place = tuple[float, float]
Steps = set[tuple[int, int]]


@dataclass(frozen=True)
class Arrangement:
    """The main board in rows and columns, and the places of all cells that are drawn."""

    main: Sequence[int]
    rows: int
    cols: int
    shape: str
    places: dict[int, Place]


def arrange(facts: Facts) -> Arrangement:
    """Return the places of a game's cells.

    >>> arrange(Facts(players=2, actions=4, cells=5, values=3, words=1, kinds={4: "die"})).places
    {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (1.5, 1.5)}
    """
    board, dice, cards = (of_kind(facts, kind) for kind in ("board", "die", "card"))
    board, cards = (board, cards) if board else (cards, [])
    main = main_board(facts, board)
    rows, cols, steps = grid(main, facts)
    n, shape, hole = len(main), "square", 0
    places: list[Place] = [(c.x, c.y) for c in cells_of_grid(rows, cols)]
    if is_ring(main, facts):
        places, hole = around(n), n // 4 - 1
    elif rows == 1 and steps and n > WIDE:
        rows = -(-n // WIDE)
        cols, rows, places = -(-n // rows), 0, in_turns(n, -(-n // rows))
    elif steps == HEXAGONAL:
        shape, places = "hexagon", [(x + y / 2, round(0.87 * y, 3)) for x, y in places]
    found = dict(zip(main, places, strict=False))
    apart = [c for c in board if c not in found]
    found |= inside(found, apart, hole) if 0 < len(apart) <= hole**2 else below(found, apart)
    for beside in (cards, dice):
        found |= below(found, beside)
    return Arrangement(main, rows, cols, shape, found)


def of_kind(facts: Facts, kind: str) -> list[int]:
    """Return the cells of a kind."""
    return [c for c in range(facts.cells) if facts.kinds.get(c, "board") == kind]


def main_board(facts: Facts, board: list[int]) -> list[int]:
    """Return the cells that lie on a grid or a track; cells that are off may leave holes in it."""
    linked = [c for c in range(facts.cells) if facts.neighbours and facts.neighbours[c]]
    for main in (linked, [c for c in linked if c in board]):
        if grid(main, facts)[2] or is_ring(main, facts):
            return main
    return board


def neighbours_within(main: Sequence[int], facts: Facts) -> list[set[int]]:
    """Return the neighbours of each cell of the main board, numbered in it."""
    number = {c: i for i, c in enumerate(main)}
    around = facts.neighbours or [[]] * facts.cells
    return [{number[other] for other in around[c] if other in number} for c in main]


def grid(main: Sequence[int], facts: Facts) -> tuple[int, int, Steps]:
    """Return rows, columns and steps between neighbours of the squarest grid that fits."""
    n, linked = len(main), neighbours_within(main, facts)
    shapes = [(rows, n // rows) for rows in range(1, n + 1) if n % rows == 0]
    if linked == [{j for j in (i - 1, i + 1) if 0 <= j < n} for i in range(n)]:
        shapes = [(1, n)]  # a line would also fit two columns
    for rows, cols in sorted(shapes, key=lambda shape: abs(shape[0] - shape[1])):
        steps = {
            (other // cols - i // cols, other % cols - i % cols)
            for i, near in enumerate(linked)
            for other in near
        }
        if steps and steps <= STEPS:
            return rows, cols, steps
    cols = max(1, n if n <= WIDE else min(WIDE, round(n**0.5)))
    return -(-n // cols), cols, set()


def is_ring(main: Sequence[int], facts: Facts) -> bool:
    """Return whether the cells follow one another on a closed track of even length."""
    n, linked = len(main), neighbours_within(main, facts)
    near = [{(i - 1) % n, (i + 1) % n} for i in range(n)]
    return n >= WIDE and n % 2 == 0 and linked == near


def around(n: int) -> list[Place]:
    """Return n places around a rectangle, clockwise from its upper left corner.

    >>> around(8)
    [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    """
    right, down = n // 2 - n // 4, n // 4
    above = [(x, 0) for x in range(right)] + [(right, y) for y in range(down)]
    return [*above, *((right - x, down - y) for x, y in above)]


def in_turns(n: int, cols: int) -> list[Place]:
    """Return n places in rows that run to the right and to the left in turn.

    >>> in_turns(5, 3)
    [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1)]
    """
    rows = [divmod(i, cols) for i in range(n)]
    return [(x if y % 2 == 0 else cols - 1 - x, y) for y, x in rows]


def below(places: dict[int, Place], cells: Sequence[int]) -> dict[int, Place]:
    """Return places of further cells in rows below the others, in the middle."""
    left, right = (f(x for x, _ in places.values()) for f in (min, max))
    return block(
        cells, left + right, max(y for _, y in places.values()) + 1 + GAP, right - left + 1
    )


def inside(places: dict[int, Place], cells: Sequence[int], hole: int) -> dict[int, Place]:
    """Return places of cells in the middle of a closed track."""
    x, y = (max(place[i] for place in places.values()) for i in (0, 1))
    return block(cells, x, (y - -(-len(cells) // hole) + 1) / 2, hole)


def block(cells: Sequence[int], middle: float, top: float, width: float) -> dict[int, Place]:
    """Return places in rows of about equal length; `middle` is twice the centre."""
    rows = -(-len(cells) // max(1, int(width)))
    cols = -(-len(cells) // max(1, rows))
    return {
        c: ((middle + 1 - min(cols, len(cells) - i // cols * cols)) / 2 + i % cols, top + i // cols)
        for i, c in enumerate(cells)
    }
