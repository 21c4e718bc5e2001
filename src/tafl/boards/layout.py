"""Boards for drawing: the one that the rules describe, or one made from the facts."""

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tafl.boards.arrangement import Arrangement, arrange, of_kind
from tafl.boards.carried import BOTTOM, Ways, from_to
from tafl.core.games.board import (
    LETTERS,
    PLAYERS,
    Board,
    Cell,
    Label,
    Piece,
    Target,
    beside_grid,
    card_pieces,
    stones,
)
from tafl.core.games.rules import Facts
from tafl.errors import GameError

if TYPE_CHECKING:
    from tafl.boards.game import Game


@lru_cache(maxsize=64)
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
    for cell in board.cells:
        if not 0 <= cell.deck <= len(board.decks):
            raise GameError(f"{game.name}: the board has {len(board.decks)} decks, not {cell.deck}")
    return replace(board, wins=[*facts.lines, *board.wins])


def made_up(game: "Game") -> Board:
    """Make a board that fits the neighbours, the kinds of cells, and the names of actions."""
    facts = game.facts
    found = arrange(facts)
    ways, first_row = from_to(game, found.main, found.rows, found.cols)
    kinds = [facts.kinds.get(c, "board") for c in range(facts.cells)]
    cells = [
        Cell(
            *found.places.get(c, (0, 0)),
            shape=kind if kind in ("die", "card") else found.shape,
            kind=kind,
            deck=int(kind == "card"),
        )
        for c, kind in enumerate(kinds)
    ]
    texts = {value: text for value, (_, text) in facts.pieces.items()}
    names = [texts.get(value, str(value)) for value in range(1, facts.values)]
    return Board(
        cells=cells,
        pieces=pieces(game),
        decks=[card_pieces(names)] if "card" in kinds else [],
        targets=targets(facts, found, ways),
        labels=labels(found, first_row) if first_row else [],
    )


def pieces(game: "Game") -> list[Piece | None]:
    """Return stones of the players for the values 1, 2, ..., and numbers for the others."""
    facts = game.facts
    found: list[Piece | None] = [None]
    if facts.values > facts.players and 1 < facts.players <= len(PLAYERS):
        signs = [game.sign(p) or ".xo#@"[1 + p] for p in range(facts.players)]
        drawn = stones(PLAYERS[: facts.players], signs="".join(sign[0] for sign in signs))
        found += [replace(piece, player=p) for p, piece in enumerate(drawn[1:]) if piece]
    found += [Piece("tile", "line", str(value)) for value in range(len(found), facts.values)]
    for value, (player, text) in facts.pieces.items():
        colour = PLAYERS[player] if player < len(PLAYERS) else "line"
        found[value] = Piece("disc", colour, text, player=player)
    return found


def targets(facts: Facts, found: Arrangement, ways: Ways) -> list[Target]:
    """Return targets of actions: where a piece goes, a cell, a column, or none (a button)."""
    board, actions = of_kind(facts, "board"), range(facts.actions)
    if ways:
        return [Target([ways[a][1]], source=ways[a][0]) if a in ways else Target() for a in actions]
    if facts.actions == len(board):
        return [Target([c]) for c in board]
    if facts.actions == found.cols and found.rows > 1:
        return [Target(list(found.main[a :: found.cols])) for a in actions]
    return [Target() for _ in actions]


def labels(found: Arrangement, first_row: str) -> list[Label]:
    """Return letters of columns and numbers of rows; row 1 is at the top or at the bottom."""
    rows = [str(row + 1) for row in range(found.rows)]
    return beside_grid(LETTERS[: found.cols], rows[::-1] if first_row == BOTTOM else rows)
