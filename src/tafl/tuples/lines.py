"""n-tuples from the lines of a game, such as all fours of ConnectFour."""

from tafl.core.games.rules import Facts
from tafl.errors import InputError


def lines(facts: Facts, length: int | None = None) -> list[list[int]]:
    """Return an n-tuple for each line; of lines that symmetric boards make the same, the first.

    Each is grown to `length` cells by its neighbours, then by theirs. Of these, cells that belong
    to no line come first (one beside the board says something of all lines), then the lower ones:
    in ConnectFour the cells that have to be filled before. A cell that is in no n-tuple then gets
    one that is as long as itself.

    >>> row = Facts(players=2, actions=4, cells=4, values=3, words=1, lines=[[0, 1], [1, 2]],
    ...             neighbours=[[1], [0, 2], [1], []])
    >>> lines(row), lines(row, 3)
    ([[0, 1], [1, 2], [3]], [[0, 1, 2], [0, 1, 2], [3]])
    """
    if not facts.lines:
        raise InputError("this game has no lines; use random-walk or random-points n-tuples")
    longest = max(map(len, facts.lines))
    if length is not None and not longest <= length <= facts.cells:
        raise InputError(
            f"the length of n-tuples of lines must be {longest}, the cells of a line, "
            f"to {facts.cells}, the cells of the game, not {length}"
        )
    grown = [_grow(facts, line, length or 0) for line in _once(facts)]
    seen = {board[c] for cells in grown for c in cells for board in facts.symmetries}
    return grown + [[c] for c in range(facts.cells) if c not in seen]


def _once(facts: Facts) -> list[list[int]]:
    """Return one of the lines that symmetric boards make the same."""
    found, known = list[list[int]](), set[frozenset[int]]()
    for line in facts.lines:
        if frozenset(line) not in known:
            found.append(line)
            known |= {frozenset(board[c] for c in line) for board in facts.symmetries}
    return found


def _grow(facts: Facts, line: list[int], length: int) -> list[int]:
    """Return a line with cells around it, as many as there are up to this length."""
    cells, on_lines = list(line), {c for line in facts.lines for c in line}
    while len(cells) < length and facts.neighbours:
        around = {near for c in cells for near in facts.neighbours[c]} - {*cells}
        if not around:
            break
        cells += sorted(around, key=lambda c: (c in on_lines, c))[: length - len(cells)]
    return sorted(cells)
