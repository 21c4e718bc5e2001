"""Boards for drawing: the one that the rules describe, or one made from the facts."""

from typing import TYPE_CHECKING

from tafl.core.games.board import PLAYERS, Board, Cell, Piece, Target, cells_of_grid, stones
from tafl.core.games.rules import Facts
from tafl.errors import GameError

if TYPE_CHECKING:
    from tafl.boards.game import Game

STEPS = {(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)} - {(0, 0)}
HEXAGONAL = STEPS - {(-1, -1), (1, 1)}


def board_of(game: "Game") -> Board:
    """Return the board that the rules describe, or one made from the facts.

    >>> import tafl
    >>> board = board_of(tafl.game("hex(size=3)"))
    >>> board.cells[4].shape, board.targets[4].cells
    ('hexagon', [4])
    """
    if hasattr(game.rules, "board"):
        board = game.call("board")
        if not isinstance(board, Board):
            raise GameError(f"{game.name}: board() must return a Board, not {board!r}")
    else:
        board = made_up(game)
    facts = game.facts
    counts = {"cells": facts.cells, "pieces": facts.values, "targets": facts.actions}
    for name, count in counts.items():
        if (found := len(getattr(board, name))) != count:
            raise GameError(f"{game.name}: the board has {found} {name}, not {count}")
    return board


def made_up(game: "Game") -> Board:
    """Make a board of squares or hexagons that fits the neighbours, or a row or block of cells."""
    facts = game.facts
    rows, cols, steps = grid(facts)
    cells = cells_of_grid(rows, cols)[: facts.cells]
    if steps == HEXAGONAL:
        cells = [Cell(c.x + c.y / 2, round(0.87 * c.y, 3), "hexagon") for c in cells]
    return Board(cells=cells, pieces=pieces(game), targets=targets(facts, rows, cols))


def grid(facts: Facts) -> tuple[int, int, set[tuple[int, int]]]:
    """Return rows, columns and steps between neighbours of the squarest grid that fits."""
    n = facts.cells
    shapes = [(rows, n // rows) for rows in range(1, n + 1) if n % rows == 0]
    for rows, cols in sorted(shapes, key=lambda shape: abs(shape[0] - shape[1])):
        steps = {
            (other // cols - cell // cols, other % cols - cell % cols)
            for cell, around in enumerate(facts.neighbours)
            for other in around
        }
        if steps and steps <= STEPS:
            return rows, cols, steps
    cols = n if n <= 8 else min(8, round(n**0.5))
    return -(-n // cols), cols, set()


def pieces(game: "Game") -> list[Piece | None]:
    """Return stones of the players for the values 1, 2, ..., and numbers for the others."""
    facts = game.facts
    if facts.values > facts.players and facts.players <= len(PLAYERS) and facts.players > 1:
        signs = [game.sign(p) or ".xo#@"[1 + p] for p in range(facts.players)]
        own = stones(PLAYERS[: facts.players], signs="".join(sign[0] for sign in signs))
        more = range(facts.players + 1, facts.values)
        return [*own, *(Piece("tile", "line", str(value)) for value in more)]
    return [None, *(Piece("tile", "line", str(value)) for value in range(1, facts.values))]


def targets(facts: Facts, rows: int, cols: int) -> list[Target]:
    """Return targets of actions: the cell of that number, a column, or none (a button)."""
    if facts.actions == facts.cells:
        return [Target(cells=[a]) for a in range(facts.actions)]
    if facts.actions == cols and rows > 1:
        return [Target(cells=list(range(a, facts.cells, cols))) for a in range(facts.actions)]
    return [Target() for _ in range(facts.actions)]
