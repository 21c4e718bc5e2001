"""Makes the n-tuple sets of tafl that are not the authors': each from what decides its game.

    python -m studies.make.tuple_sets      writes src/tafl/tuples/data/NAME.json

ConnectFour: a network sees a threat only if one n-tuple has all cells of the line. So each line of
four has an n-tuple, grown by the cells that say when it can be completed: those below, at its ends,
above. Othello: what programs have looked at since Logistello, edges, rows, diagonals and corners,
and blocks of nine. 2048: the eight of the preset `best`, and eight more of six cells that hang
together. Symmetric boards bring the rest, so that of mirror images one is enough. Backgammon: six
places in a row, homes, the race, and the die that is left with three points. Rubik's cube: all
triples of pieces of 2x2x2; of 3x3x3 four or five pieces that touch.
"""

import json
from collections.abc import Callable, Iterable
from itertools import combinations, product
from pathlib import Path
from random import Random

import tafl
from tafl.core.games.cube_tables import facelets
from tafl.core.games.rules import Facts
from tafl.settings.presets import compose
from tafl.tuples import fixed

DATA = Path(tafl.__file__).parent / "tuples" / "data"
ROWS, COLS = 6, 7
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cells = list[int]
# what an n-tuple of a line takes in, until it is long enough
BELOW, ABOVE = ("below", "ends", "above", "further below"), ("above", "ends", "further above")


def lines() -> list[list[tuple[int, int]]]:
    """All lines of four, as rows and columns."""
    starts = product(range(ROWS), range(COLS), STEPS)
    found = [[(r + k * up, c + k * right) for k in range(4)] for r, c, (up, right) in starts]
    return [line for line in found if all(map(on_board, line))]


def on_board(place: tuple[int, int]) -> bool:
    """Is there such a cell?"""
    return 0 <= place[0] < ROWS and 0 <= place[1] < COLS


def grown(facts: Facts, line: list[tuple[int, int]], length: int, groups: Iterable[str]) -> Cells:
    """An n-tuple of a line, the cells of some groups, and neighbours of all these."""
    (r, c), (up, right) = line[0], (line[1][0] - line[0][0], line[1][1] - line[0][1])
    around = {
        "below": [(row - 1, col) for row, col in line],
        "further below": [(row - 2, col) for row, col in line],
        "above": [(row + 1, col) for row, col in line],
        "further above": [(row + 2, col) for row, col in line],
        "ends": [(r + k * up, c + k * right) for k in (-1, 4)],
    }
    places = [*line, *(place for group in groups for place in around[group] if on_board(place))]
    cells = list(dict.fromkeys(COLS * row + col for row, col in places))[:length]
    near = [cell for one in cells for cell in facts.neighbours[one]]
    return sorted(list(dict.fromkeys(cells + near))[:length])


def once(tuples: Iterable[Cells], facts: Facts) -> list[Cells]:
    """One of the n-tuples that symmetric boards make the same."""
    found: dict[frozenset[frozenset[int]], Cells] = {}
    for cells in tuples:
        images = frozenset(frozenset(board[c] for c in cells) for board in facts.symmetries)
        found.setdefault(images, cells)
    return list(found.values())


def connectfour(length: int, *ways: tuple[str, ...]) -> list[Cells]:
    """Every line of four in each of some surroundings."""
    facts = tafl.game("connectfour").facts
    return once((grown(facts, line, length, way) for way in ways for line in lines()), facts)


def columns() -> list[Cells]:
    """Every two columns."""
    pairs = combinations(range(COLS), 2)
    facts = tafl.game("connectfour").facts
    return once(([COLS * r + c for r in range(ROWS) for c in pair] for pair in pairs), facts)


def block(row: int, col: int, height: int, width: int) -> Cells:
    """A part of Othello's board."""
    return [8 * r + c for r in range(row, row + height) for c in range(col, col + width)]


def othello() -> list[Cells]:
    """Patterns of the edge, of rows, diagonals and corners, and blocks of nine and eight."""
    edge = [*block(0, 0, 1, 8), 9, 14]  # with both X-squares
    diagonals = [[8 * i + n - 1 - i for i in range(n)] for n in (8, 7, 6, 5, 4)]
    rows = [block(r, 0, 1, 8) for r in (1, 2, 3)]
    corners = [block(0, 0, 3, 3), block(0, 0, 2, 5), [0, 9, 18, 27, 1, 8, 2, 16, 3, 24]]
    corners.append([*block(0, 0, 2, 2), *block(0, 6, 2, 2)])
    nines = [block(r, c, 3, 3) for r, c in ((0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (2, 2))]
    eights = [block(r, c, 2, 4) for r, c in ((0, 2), (1, 2), (2, 2), (1, 0), (2, 0))]
    tuples = [edge, *rows, *diagonals, *corners, *nines, *eights]
    return once(tuples, tafl.game("othello").facts)


def twenty48() -> list[Cells]:
    """Sixteen of the 6-tuples whose cells hang together."""
    best = compose(tafl.game("2048"), "best").network.tuples
    more = [[0, 1, 2, 3, 5, 6], [0, 1, 2, 3, 4, 8], [4, 5, 6, 8, 9, 10], [0, 1, 2, 3, 4, 7]]
    more += [[0, 1, 2, 3, 4, 6], [1, 2, 4, 5, 6, 7], [0, 1, 2, 5, 6, 7], [0, 1, 5, 6, 10, 11]]
    assert not isinstance(best, str)
    return [*(list(one) for one in best), *more]


def backgammon(length: int = 6, seen: str = "homes race dice") -> list[Cells]:
    """Every six places in a row; both homes with the bar, who leads the race, and the die left."""
    die, lead, pips = [28, 29], [30, 31], [[32, 33], [34, 35]]
    race, off = 36, [26, 27]
    parts = {
        "homes": [[0, 25, *off], [0, *range(19, 25)], [25, *range(1, 7)]],
        "race": [
            [*lead, race],
            [*lead, *off],
            [*pips[0], *pips[1]],
            *([*pips[p], off[p], race] for p in (0, 1)),
        ],
        "dice": [[*die, 0, 25], *([*die, x, x + 1, x + 2] for x in range(24))],
    }
    rows = [list(range(x, x + length)) for x in range(27 - length)]
    return rows + [cells for name in seen.split() for cells in parts[name]]


def cube(length: int, number: int | None = None) -> list[Cells]:
    """Facelets of pieces: of 2x2x2 all sets of this length, of 3x3x3 some of pieces that touch."""
    game = tafl.game("cube" if number is None else "cube(size=3)")
    size = game.parameters["size"]
    first = [
        c for c, one in enumerate(facelets(size)) if one.kind > 1 and one.number % one.kind == 0
    ]
    if number is None:
        moving = [c for c in first if facelets(size)[c].number < 21]
        return [list(cells) for cells in combinations(moving, length)]
    chance, near, found = Random(1), game.facts.neighbours, set[tuple[int, ...]]()
    while len(found) < number:
        cells = [chance.choice(first)]
        while len(cells) < length:
            beside = {c for one in cells for c in near[one]}
            cells.append(chance.choice([c for c in first if c not in cells and c in beside]))
        found.add(tuple(sorted(cells)))
    return [list(cells) for cells in sorted(found)]


SETS: dict[str, tuple[str, Callable[[], list[Cells]]]] = {
    "connectfour-lines-9": (
        "9-tuples: each line of four with what lies below and around it",
        lambda: connectfour(9, BELOW),
    ),
    "connectfour-lines-10": (
        "10-tuples: each line of four twice, with what lies below and with what lies above it",
        lambda: connectfour(10, BELOW, ABOVE),
    ),
    "connectfour-lines-columns": (
        "n-tuples: connectfour-lines-10, and every two columns",
        lambda: connectfour(10, BELOW, ABOVE) + columns(),
    ),
    "connectfour-lines-columns-walks": (
        "n-tuples: each line of four with what lies below and around it, every two columns, "
        "and the authors' 70 random walks",
        lambda: connectfour(10, BELOW) + columns() + fixed("connectfour-1"),
    ),
    "connectfour-whole": (
        "n-tuples: connectfour-lines-columns-walks, and the whole board",
        lambda: [*fixed("connectfour-lines-columns-walks"), list(range(ROWS * COLS))],
    ),
    "backgammon-sixes": (
        "n-tuples: six places in a row, homes, the race, the die left with three points",
        backgammon,
    ),
    "cube-triples": ("3-tuples: all triples of the pieces of 2x2x2", lambda: cube(3)),
    "cube-fours": ("4-tuples: pieces of 3x3x3 that touch", lambda: cube(4, 40)),
    "cube-fives": ("5-tuples: pieces of 3x3x3 that touch", lambda: cube(5, 32)),
    "2048-sixes": ("6-tuples whose cells hang together", twenty48),
    "othello-patterns": ("n-tuples: edges, rows, diagonals, corners, blocks", othello),
    "othello-long": (
        "n-tuples: othello-patterns, and blocks of twelve at the edge",
        lambda: [*othello(), block(0, 0, 3, 4), block(0, 0, 2, 6), block(0, 1, 2, 6)],
    ),
}


def text(name: str) -> str:
    """The file of a set."""
    about, make = SETS[name]
    tuples = make()
    large = name in ("cube-fours", "cube-fives")
    cells = tafl.game("cube(size=3)" if large else name.partition("-")[0]).facts.cells
    rows = ",\n".join(f"    {json.dumps(one)}" for one in tuples)
    head = f'{{\n  "about": "{len(tuples)} {about}",\n  "cells": {cells},\n  "tuples": [\n'
    return f"{head}{rows}\n  ]\n}}\n"


if __name__ == "__main__":
    for set_name in SETS:
        (DATA / f"{set_name}.json").write_text(text(set_name), encoding="utf-8")
        print(set_name, SETS[set_name][0], len(SETS[set_name][1]()))
