"""Memory of kernels: named tuples of arrays, each field of which states its type and shape.

    class Stack(NamedTuple):
        states: Annotated[Array, "int64[plies, words]"]
        rarest: Annotated[Array, "float64[1]"]

A shape is made of names, whose sizes are given where memory is made, and of numbers.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
Array = np.ndarray


def form(kind: Any, field: str, sizes: Mapping[str, int]) -> tuple[tuple[int, ...], np.dtype]:
    """Return the shape and the type of a field.

    >>> from tafl.core.search.maxn import Stack
    >>> form(Stack, "states", {"plies": 4, "words": 2})
    ((4, 2), dtype('int64'))
    """
    dtype, _, names = kind.__annotations__[field].__metadata__[0].rstrip("]").partition("[")
    shape = tuple(int(n) if n.isdigit() else sizes[n] for n in names.split(", "))
    return shape, np.dtype(dtype)


def allocate(kind: type[T], sizes: Mapping[str, int], **given: Any) -> T:
    """Return a named tuple of zeros; some fields may be given as they are."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    made = {name: np.zeros(*form(kind, name, sizes)) for name in fields if name not in given}
    return kind(**made, **given)
