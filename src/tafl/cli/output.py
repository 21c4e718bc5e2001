"""Output of all commands: JSON, tables, lines, and errors."""

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Annotated, Any, TextIO

from cyclopts import Parameter

from tafl.files import to_json
from tafl.numbers import cell_text
from tafl.terminal import printable, raw

# what JSON need not escape and terminals obey: C1 controls, marks of direction, line separators
JSON_ESCAPED = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)
LONGEST = 1_000  # characters of an error message

Json = Annotated[
    bool, Parameter(name="--json", negative=(), help="Print one JSON document instead of text.")
]


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(JSON_ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", to_json(document)))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> None:
    """Print a table; columns of numbers are aligned to the right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    texts = [[printable(cell_text(cell)) for cell in row] for row in cells]
    columns = [printable(name) for name in columns]
    table = Table(box=box.SIMPLE_HEAD)
    for i, name in enumerate(columns):
        numeric = bool(cells) and all(isinstance(row[i], int | float) for row in cells)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in texts:
        table.add_row(*map(Text, row))
    # a pipe or a file has no width to fit into
    width = None if sys.stdout.isatty() else 10_000
    console = Console(file=raw(sys.stdout), width=width, highlight=False)
    longest_words = [
        max(len(word) for text in column for word in [*text.split(), ""])
        for column in zip(columns, *texts, strict=True)
    ]
    if sum(longest_words) + 3 * len(columns) + 1 > console.width:  # words would be broken
        _print_blocks(columns, texts, title)
    else:
        print(title, end="\n" if title else "")
        console.print(table, crop=False)


def _print_blocks(columns: Sequence[str], rows: list[list[str]], title: str) -> None:
    """Print a table that is too wide for the terminal, row by row."""
    print(title, end="\n\n" if title else "")
    width = max(map(len, columns))
    for row in rows:
        for name, cell in zip(columns, row, strict=True):
            print(f"{name:<{width}}  {cell}")
        print()


def print_lines(label: str, text: str) -> None:
    """Print a labelled text; on a terminal it is broken between words."""
    print(fitting(f"{label:<14} {text}", sys.stdout))


def fitting(text: str, file: TextIO) -> str:
    """Break lines that are too long for a terminal, between words."""
    if not file.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(
        line if len(line) <= width else fill(line, width, break_long_words=False)
        for line in text.split("\n")
    )


def complain(message: str) -> None:
    """Print an error to stderr, in one line."""
    line = " ".join(message.split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"
    print("tafl:", line, file=sys.stderr)


def against(opponent: str) -> str:
    """Return the words that name an opponent; a game for one player has none."""
    return "" if opponent == "alone" else f" against {opponent}"
