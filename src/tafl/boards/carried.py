"""From-to actions: those that carry a piece from a cell to a cell, by the facts or by their names.

Names such as `a2-a3`, `b4xd6` or `3-7` have several readings: rows may be counted from the top or
from the bottom, numbers from 0 or from 1. A reading counts if in random games every such action
changes both of its cells.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tafl.boards.game import Game

Ways = dict[int, tuple[int, int]]  # from a cell to a cell, by action
CELL = r"(?:[a-z]?\d+)"
WAY = re.compile(rf"({CELL})(?:[-x:>]+{CELL})*[-x:>]+({CELL})")
GAMES, PLIES, TRIED = 2, 40, 6  # of a reading's proof; actions of a position
BOTTOM = "bottom"  # where row 1 is


def from_to(game: "Game", main: Sequence[int], rows: int, cols: int) -> tuple[Ways, str]:
    """Return the from-to actions, and where row 1 is if they are named by columns and rows.

    >>> import tafl
    >>> from_to(tafl.game("tictactoe"), range(9), 3, 3)
    ({}, '')
    """
    if game.facts.from_to:
        return game.facts.from_to, ""
    names = {}
    for action in range(game.facts.actions):
        if found := WAY.fullmatch(game.action_name(action).strip().lower()):
            names[action] = found.group(1, 2)
    for where, read in readings(game, main, rows, cols) if names else ():
        cells = {action: (read(start), read(end)) for action, (start, end) in names.items()}
        ways = {a: (start, end) for a, (start, end) in cells.items() if start >= 0 and end >= 0}
        if ways and _holds(game, ways):
            return ways, where
    return {}, ""


def readings(
    game: "Game", main: Sequence[int], rows: int, cols: int
) -> Iterator[tuple[str, Callable[[str], int]]]:
    """Yield what names of cells may mean: a function from a name to a cell, or -1."""
    board = [c for c in range(game.facts.cells) if game.facts.kinds.get(c, "board") == "board"]

    def lettered(name: str, bottom: bool) -> int:
        if name[0].isdecimal() or rows * cols != len(main):
            return -1
        row, col = int(name[1:]) - 1, ord(name[0]) - ord("a")
        inside = 0 <= row < rows and col < cols
        return main[cols * (rows - 1 - row if bottom else row) + col] if inside else -1

    def numbered(name: str, first: int) -> int:
        number = int(name) - first if name.isdecimal() else -1
        return number if number in board else -1

    yield "top", lambda name: lettered(name, False)
    yield BOTTOM, lambda name: lettered(name, True)
    yield "", lambda name: numbered(name, 0)
    yield "", lambda name: numbered(name, 1)


def _holds(game: "Game", ways: Ways) -> bool:
    """Return whether actions change the cells that they are said to, and some are played."""
    choice, proved = Random(1), False
    for seed in range(GAMES):
        state = game.start(seed)
        for _ in range(PLIES):
            legal = state.legal_actions
            carrying = [action for action in legal if action in ways]
            for action in choice.sample(carrying, min(TRIED, len(carrying))):
                before, after = state.cells, state.afterstate(action).cells
                if any(before[c] == after[c] for c in ways[action]):
                    return False
                proved = True
            if not legal:
                break
            state.play(choice.choice(legal))
    return proved
