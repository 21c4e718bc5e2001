"""The kinds of values that settings have.

Pydantic's own messages for a union of types name every member; those here say in one sentence what
would be right.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

RANDOM_TUPLES, LINES, SINGLE = ("random-walk", "random-points"), "lines", "cells"
TABLES, MLP = "n-tuples", "mlp"  # kinds of networks
FILE = r".+\.py(\(.*\))?"
KINDS = rf"^({TABLES}|linear|{MLP}|{FILE})$"
NAMED_STARTS = r"^(start|first-moves|start-or-first|half-board|all:\d{1,4})$"  # see arena/starts.py


def _tuples(value: Any) -> Any:
    lists = isinstance(value, list) and all(isinstance(cells, list) for cells in value)
    if isinstance(value, str) or (lists and all(type(c) is int for cells in value for c in cells)):
        return value
    raise ValueError(
        "must be the name of a set, lines, cells, random-walk, random-points, or a list of lists "
        "of cells"
    )


def _kind(value: Any) -> Any:
    """Return linear, too: the network makes n-tuples of it."""
    if isinstance(value, str) and re.fullmatch(KINDS, value):
        return value
    raise ValueError(f"must be {TABLES}, linear, {MLP}, or a file such as mynet.py")


def names_own_file(kind: str) -> bool:
    """Return whether a kind of network names a file.

    >>> names_own_file("mynet.py"), names_own_file("mynet.py(units=8)"), names_own_file("mlp")
    (True, True, False)
    """
    return re.fullmatch(FILE, kind) is not None


def _boards(value: Any) -> Any:
    if type(value) is bool or (type(value) is int and 1 <= value <= 100_000):
        return value
    raise ValueError("should be true, false, or a number of boards from 1 to 100,000")


def _starts(value: Any) -> Any:
    named = isinstance(value, str) and re.fullmatch(NAMED_STARTS, value)
    if named or (type(value) is int and 0 <= value <= 1000):
        return value
    raise ValueError(
        "must be start, first-moves, start-or-first, half-board, all:K, or a number up to 1000"
    )


def _roles(value: Any) -> Any:
    if value in ("all", "first", "second") or (type(value) is int and value >= 0):
        return value
    raise ValueError("must be all, first, second or the number of a player, from 0")


def _whole(value: Any) -> Any:
    """Return 1e6 as a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Share = Annotated[float, Field(ge=0, le=1)]
Rate = Annotated[float, Field(gt=0, le=1000)]
Whole = BeforeValidator(_whole)
Kind = Annotated[str, Field(pattern=KINDS), BeforeValidator(_kind)]
Tuples = Annotated[str | list[list[int]], BeforeValidator(_tuples)]
Boards = Annotated[bool | Annotated[int, Field(ge=1, le=100_000)], BeforeValidator(_boards)]
_Starts = Annotated[str, Field(pattern=NAMED_STARTS)] | Annotated[int, Field(ge=0, le=1000)]
Starts = Annotated[_Starts, BeforeValidator(_starts)]
_Roles = Literal["all", "first", "second"] | Annotated[int, Field(ge=0)]
Roles = Annotated[_Roles, BeforeValidator(_roles)]
