"""n-tuple sets that are given: the files in `data`, and lists that a user writes.

The files hold the sets of the paper's authors under their numbers, in tafl's order of cells, and
tafl's own, under names that say what they see (studies/make/tuple_sets.py).
"""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from tafl.core.games.rules import Facts
from tafl.errors import InputError

DATA = files(__package__).joinpath("data")


def names() -> list[str]:
    """Return the names of all fixed sets.

    >>> [name for name in names() if name.startswith("hex")]
    ['hex-1', 'hex-2']
    """
    return sorted(f.name.removesuffix(".json") for f in DATA.iterdir() if f.name.endswith(".json"))


def fixed(name: str, facts: Facts | None = None) -> list[list[int]]:
    """Return a fixed set by its name; given facts, it must fit that game's board.

    >>> fixed("2048-2")[0]
    [0, 4, 8, 1, 5, 9]
    """
    if name not in names():
        fit = [one for one in names() if facts is None or _content(one)["cells"] == facts.cells]
        known = ", ".join(fit) or "none for this board, but random-walk and random-points"
        raise InputError(f"there is no n-tuple set {name!r}; available: {known}")
    content = _content(name)
    if facts is not None and facts.cells != content["cells"]:
        raise InputError(
            f"the n-tuple set {name} is for boards with {content['cells']} cells; "
            f"this one has {facts.cells}"
        )
    tuples: list[list[int]] = content["tuples"]
    return tuples


def _content(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(DATA.joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return found


def checked(tuples: Sequence[Sequence[int]], facts: Facts) -> list[list[int]]:
    """Return the n-tuples as lists, if they fit the game."""
    if not tuples:
        raise InputError("a network needs at least one n-tuple")
    for cells in tuples:
        if not cells:
            raise InputError("an n-tuple needs at least one cell")
        if len(set(cells)) < len(cells):
            raise InputError(f"the n-tuple {list(cells)} names a cell twice")
        outside = [c for c in cells if not 0 <= c < facts.cells]
        if outside:
            raise InputError(
                f"the n-tuple {list(cells)} names cell {outside[0]}; "
                f"the cells of this game are 0 to {facts.cells - 1}"
            )
    return [list(cells) for cells in tuples]
