"""The kinds of values that settings have.

Pydantic's own messages for a union of types name every member; those here say in one sentence what
would be right.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

RANDOM_TUPLES, LINES = ("random-walk", "random-points"), "lines"
NAMED_STARTS = r"^(start|first-moves|start-or-first|half-board|all:\d{1,4})$"  # see arena/starts.py


def _tuples(value: Any) -> Any:
    lists = isinstance(value, list) and all(isinstance(cells, list) for cells in value)
    if isinstance(value, str) or (lists and all(type(c) is int for cells in value for c in cells)):
        return value
    raise ValueError(
        "must be the name of a set, lines, random-walk, random-points, or a list of lists of cells"
    )


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
Tuples = Annotated[str | list[list[int]], BeforeValidator(_tuples)]
Boards = Annotated[bool | Annotated[int, Field(ge=1, le=100_000)], BeforeValidator(_boards)]
_Starts = Annotated[str, Field(pattern=NAMED_STARTS)] | Annotated[int, Field(ge=0, le=1000)]
Starts = Annotated[_Starts, BeforeValidator(_starts)]
_Roles = Literal["all", "first", "second"] | Annotated[int, Field(ge=0)]
Roles = Annotated[_Roles, BeforeValidator(_roles)]
