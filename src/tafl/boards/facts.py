"""Check that the facts of a game are consistent: kernels trust them."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from tafl.core.games.rules import Facts, Packed, Seats

SHOWN = ("board", "die", "card", "off")  # kinds of cells that facts know
# upper limits: tables and scratch memory have these sizes
MOST = {
    "players": 1_000,
    "actions": 100_000,
    "cells": 10_000,
    "values": 1_000_000,
    "input_values": 1_000_000,
    "words": 100_000,
}


def faults(facts: Any) -> Iterator[str]:
    """Yield the mistakes in the facts, one sentence each."""
    if not isinstance(facts, Facts):
        yield f"facts() must return Facts(...), not {type(facts).__name__}"
        return
    wrong = list(_count_faults(facts))
    yield from wrong
    if wrong:
        return
    try:
        low, high = facts.score_range
        fine = isfinite(low) and isfinite(high) and low < high
    except (TypeError, ValueError):
        fine = False
    if not fine:
        yield f"score_range must be (lowest, highest), not {facts.score_range!r}"
    for name, what in (("symmetries", "cells"), ("action_symmetries", "actions")):
        yield from _permutation_faults(name, getattr(facts, name), getattr(facts, what), what)
    if len(facts.symmetries) != len(facts.action_symmetries):
        counts = f"{len(facts.symmetries)} symmetries but {len(facts.action_symmetries)}"
        yield f"there are {counts} action_symmetries; there must be one each"
    yield from _neighbour_faults(facts.neighbours, facts.cells)
    yield from _line_faults(facts.lines, facts.cells)
    yield from _drawing_faults(facts)
    if facts.seats is not None:
        yield from _seat_faults(facts.seats, facts)
    if facts.teams and len(facts.teams) != facts.players:
        yield f"teams has {len(facts.teams)} entries, but there are {facts.players} players"
    if facts.packed is not None:
        yield from _packed_faults(facts.packed, facts)


def _count_faults(facts: Facts) -> Iterator[str]:
    for name, most in MOST.items():
        value = getattr(facts, name)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            yield f"{name} must be a whole number of at least 1, not {value!r}"
        elif value > most:
            yield f"{name} must be at most {most:,}, not {value:,}"


def _permutation_faults(name: str, rows: list[list[int]], size: int, what: str) -> Iterator[str]:
    for s, row in enumerate(rows):
        if len(row) != size:
            yield f"{name}[{s}] has {len(row)} entries, but there are {size} {what}"
        elif sorted(row) != list(range(size)):
            yield f"{name}[{s}] is not a permutation: it must have each of 0 to {size - 1} once"
    if rows and list(rows[0]) != list(range(size)):
        yield f"{name}[0] must be the identity 0, 1, 2, ..."


def _neighbour_faults(neighbours: list[list[int]], cells: int) -> Iterator[str]:
    if neighbours and len(neighbours) != cells:
        yield f"neighbours has {len(neighbours)} entries, but there are {cells} cells"
    for c, row in enumerate(neighbours):
        strange = [n for n in row if not 0 <= n < cells or n == c]
        if strange:
            yield f"neighbours[{c}] contains {strange[0]}, not only other cells, 0 to {cells - 1}"


def _line_faults(lines: list[list[int]], cells: int) -> Iterator[str]:
    for number, line in enumerate(lines):
        strange = [c for c in line if not 0 <= c < cells]
        if strange:
            yield f"lines[{number}] contains {strange[0]}; the cells are 0 to {cells - 1}"
        elif not line or len(set(line)) < len(line):
            yield f"lines[{number}] must name at least one cell, and none twice, not {line}"


def _drawing_faults(facts: Facts) -> Iterator[str]:
    for c, kind in facts.kinds.items():
        if c not in range(facts.cells) or kind not in SHOWN:
            known = ", ".join(SHOWN)
            yield f"kinds says {kind!r} of cell {c!r}: cells are 0 to {facts.cells - 1}, of {known}"
    if len(facts.kinds) == facts.cells and not {"board", "card"} & {*facts.kinds.values()}:
        yield "kinds leaves no cell on the board"
    for value, (player, _) in facts.pieces.items():
        if value not in range(1, facts.values) or player not in range(facts.players):
            last = facts.values - 1
            yield f"pieces[{value!r}] must be (player, text) of a value from 1 to {last}"
    for action, cells in facts.from_to.items():
        on_board = all(facts.kinds.get(c, "board") == "board" for c in cells)
        inside = len(cells) == 2 and all(c in range(facts.cells) for c in cells)
        if action not in range(facts.actions) or not inside or not on_board:
            yield f"from_to[{action!r}] must be (from, to), two cells of the board, not {cells!r}"


def _seat_faults(seats: Any, facts: Facts) -> Iterator[str]:
    if not isinstance(seats, Seats):
        yield f"seats must be Seats(...), not {type(seats).__name__}"
        return
    sizes = {"values": facts.input_values, "cells": facts.cells, "actions": facts.actions}
    for name, size in sizes.items():
        row = getattr(seats, name) or list(range(size))
        if sorted(row) != list(range(size)):
            yield f"seats.{name} is not a permutation: it must have each of 0 to {size - 1} once"
            return
        turned = list(range(size))
        for _ in range(facts.players):
            turned = [row[x] for x in turned]
        if turned != list(range(size)):
            yield f"seats.{name}: after {facts.players} rotations all must be as before"
    if strange := [c for c in seats.fixed if c not in range(facts.cells)]:
        yield f"seats.fixed contains {strange[0]!r}; the cells are 0 to {facts.cells - 1}"


def _packed_faults(packed: Any, facts: Facts) -> Iterator[str]:
    if not isinstance(packed, Packed):
        yield f"packed must be Packed(...), not {type(packed).__name__}"
    elif packed.bits not in (1, 2, 4, 8):
        yield f"packed.bits must be 1, 2, 4 or 8, not {packed.bits!r}"
    elif packed.bits * facts.cells > 64:
        yield f"{facts.cells} cells of {packed.bits} bits are more than a word of 64 bits holds"
    elif len(packed.values) != 1 << packed.bits:
        count = f"packed.values has {len(packed.values)} entries"
        yield f"{count}; {packed.bits} bits need {1 << packed.bits}"
    elif strange := [v for v in packed.values if v not in range(facts.values)]:
        yield f"packed.values contains {strange[0]!r}, not one of 0 to {facts.values - 1}"
