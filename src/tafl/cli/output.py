"""Output of all commands: JSON, tables, lines, and errors."""

import shutil
import sys
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Annotated, Any, TextIO

from cyclopts import Parameter

from tafl.files import to_json

LONGEST = 1_000  # characters of a complaint

Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print one JSON document instead of text.")
]


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(to_json(document))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print a table; columns of numbers are aligned to the right."""
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
    console = Console(width=None if sys.stdout.isatty() else 10_000, highlight=False)
    shown = [list(columns), *([_shown(cell) for cell in row] for row in cells)]
    words = [_longest_word(column) for column in zip(*shown, strict=True)]
    if sum(words) + 3 * len(words) + 1 > console.width:  # words would be broken
        _print_blocks(columns, cells, title)
    else:
        console.print(table, crop=False)


def _longest_word(texts: Iterable[str]) -> int:
    return max(len(word) for text in texts for word in [*text.split(), ""])


def _print_blocks(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str) -> None:
    """Print a table that is too wide for the terminal, row by row."""
    print(title, end="\n\n" if title else "")
    width = max(map(len, columns))
    for row in rows:
        for name, cell in zip(columns, row, strict=True):
            print(f"{name:<{width}}  {_shown(cell)}")
        print()


def print_lines(label: str, text: str) -> None:
    """Print a labelled text; on a terminal it is broken between words."""
    print(fitting(f"{label:<14} {text}", sys.stdout))


def fitting(text: str, file: TextIO) -> str:
    """Break lines that are too long for a terminal, between words."""
    width = shutil.get_terminal_size().columns
    if not file.isatty():
        return text
    lines = [
        line if len(line) <= width else fill(line, width, break_long_words=False)
        for line in text.split("\n")
    ]
    return "\n".join(lines)


def complain(message: str) -> None:
    """Print an error to stderr, in one line."""
    line = " ".join(message.split())
    if len(line) > LONGEST:  # somebody's long text is part of it
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    print("tafl:", line, file=sys.stderr)


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
