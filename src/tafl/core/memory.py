"""Memory of kernels: named tuples of arrays, each field of which states its type and shape.

    class Stack(NamedTuple):
        states: Annotated[Array, "int64[plies, words]"]
        rarest: Annotated[Array, "float64[1]"]

A shape is made of names, whose sizes are given where memory is made, and of numbers.
"""

from collections.abc import Container, Mapping
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Array = np.ndarray


def stated(kind: Any, field: str) -> tuple[str, list[str]]:
    """Return the type and the shape of a field as it states them."""
    dtype, _, names = kind.__annotations__[field].__metadata__[0].rstrip("]").partition("[")
    return dtype, names.split(", ")


def form(kind: Any, field: str, sizes: Mapping[str, int]) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and the type of a field.

    >>> from tafl.core.search.maxn import Stack
    >>> form(Stack, "states", {"plies": 4, "words": 2})
    ((4, 2), dtype('int64'))
    """
    dtype, names = stated(kind, field)
    return tuple(int(n) if n.isdigit() else sizes[n] for n in names), np.dtype(dtype)


def allocate(
    kind: type[T], sizes: Mapping[str, int], unfilled: Container[str] = (), **given: Any
) -> T:
    """Return a named tuple of zeros; some fields may be given as they are.

    Where the first size of an array is `unfilled`, it has whatever was in memory before.
    """
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    made = {}
    for name in fields:
        if name not in given:
            make = np.empty if stated(kind, name)[1][0] in unfilled else np.zeros
            made[name] = make(*form(kind, name, sizes))
    return kind(**made, **given)
