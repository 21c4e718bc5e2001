"""What all commands share: how they print, and how they complain."""

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from cyclopts import Parameter

Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print one JSON document and nothing else.")
]


def print_json(document: Any) -> None:
    """Prints one JSON document."""
    print(json.dumps(_plain(document), ensure_ascii=False, allow_nan=False))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Prints a table; columns of numbers are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD)
    for i, name in enumerate(columns):
        numeric = bool(cells) and all(isinstance(row[i], int | float) for row in cells)
        table.add_column(name, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(_shown(cell)) for cell in row))
    # a pipe or a file has no width to fit into
    wide = None if sys.stdout.isatty() else 10_000
    Console(width=wide, highlight=False).print(table, crop=False)


def complain(message: str) -> None:
    """Says on stderr, in one line, what was wrong."""
    print("tafl:", " ".join(message.split()), file=sys.stderr)


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as Python's; NaN and infinity, unknown to JSON, as null."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
