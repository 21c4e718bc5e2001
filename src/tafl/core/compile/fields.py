"""Functions that make a named tuple field by field, for kernels.

Compiled code has no loop over the fields of a named tuple, so each of these functions is written
out, once, from the names of the fields.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tafl.core.compile.kernel import inline


def field_by_field(kind: Any, arguments: str, values: Mapping[str, str], **known: Any) -> Callable:
    """Make a function of these arguments from one expression for each field.

    >>> from typing import NamedTuple
    >>> class Pair(NamedTuple):
    ...     one: int
    ...     other: int
    >>> field_by_field(Pair, "x", {"one": "x", "other": "x + 1"})(5)
    Pair(one=5, other=6)
    """
    # one line each: the simulator of numba-cuda tells shared arrays apart by their lines
    fields = "".join(f"        {name}={values[name]},\n" for name in kind._fields)
    source = f"def made({arguments}):\n    return kind(\n{fields}    )"
    there: dict[str, Any] = {"kind": kind, "__name__": __name__, **known}
    exec(compile(source, f"<{kind.__name__}>", "exec"), there)
    made: Callable = there["made"]
    return inline(made)


def row_of(kind: Any) -> Callable:
    """Make a function (rows, i) that takes the i-th entry of every field."""
    return field_by_field(kind, "rows, i", {name: f"rows.{name}[i]" for name in kind._fields})


def replaced(kind: Any, *names: str) -> Callable:
    """Make a function (old, *names) that returns a copy with other values of these fields."""
    kept = {name: f"old.{name}" for name in kind._fields}
    return field_by_field(kind, ", ".join(["old", *names]), kept | {name: name for name in names})
