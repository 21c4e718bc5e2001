"""The names for your own game: `from tafl.rules import Facts, rules, ...`.

>>> square_symmetries(2)[1], inverse([[1, 2, 0]])
([1, 3, 0, 2], [[2, 0, 1]])
"""

from tafl.core.compile import inline, popcount, trailing_zeros
from tafl.core.games.board import (
    Board,
    Cell,
    Count,
    Edge,
    Label,
    Piece,
    Tally,
    Target,
    face,
    notes,
)
from tafl.core.games.grid import (
    ALL_AROUND,
    ORTHOGONAL,
    grid_neighbours,
    inverse,
    lines_of_grid,
    mirrored_board,
    square_symmetries,
)
from tafl.core.games.rules import Facts, Packed, Seats, Table, rules
from tafl.core.random import below, uniform

__all__ = [
    "ALL_AROUND", "ORTHOGONAL", "Board", "Cell", "Count", "Edge", "Facts", "Label", "Packed",
    "Piece", "Seats", "Table", "Tally", "Target", "below", "face", "grid_neighbours", "inline",
    "inverse", "lines_of_grid", "mirrored_board", "notes", "popcount", "rules",
    "square_symmetries", "trailing_zeros", "uniform",
]  # fmt: skip
