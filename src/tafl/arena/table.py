"""Tables for notebooks, papers (LaTeX) and spreadsheets (CSV)."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from tafl.numbers import cell_text, mean_and_error, score

PLUS_MINUS = r" \pm "
SPECIAL = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "[": "{[}",  # at the beginning of a row these two would be arguments of the row before
        "*": "{*}",
        "\n": " ",
    }
)
DASHES = re.compile("-(?=-)")  # LaTeX joins two dashes


@dataclass(frozen=True)
class Score:
    """A mean and its standard error, nan if unknown.

    >>> print(Score(0.49812, 0.00234), Score(141_073.6, 2054.2), Score(0.25, float("nan")))
    0.4981 ± 0.0023 141,100 ± 2,100 0.250
    """

    mean: float
    error: float

    def __str__(self) -> str:
        return score(self.mean, self.error)


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of texts, numbers and scores, with `notes` for the reader.

    >>> table = Table("nim", ["agent", "mean score"], [["a_b", Score(0.5, 0.02)]], ["10 games"])
    >>> print(table.latex())
    % nim
    % 10 games
    % needs \\usepackage{booktabs}
    \\begin{tabular}{lr}
      \\toprule
      agent & mean score \\\\
      \\midrule
      a\\_b & $0.500 \\pm 0.020$ \\\\
      \\bottomrule
    \\end{tabular}
    >>> print(table.csv())
    agent,mean score,standard error
    a_b,0.5,0.02
    """

    title: str
    columns: list[str]
    rows: list[list[Any]]
    notes: Sequence[str] = ()

    def latex(self) -> str:
        """Return a LaTeX tabular, for \\input between \\begin{table} and \\end{table}."""
        said = [self.title, *self.notes, r"needs \usepackage{booktabs}"]
        kinds = "".join("r" if self._numeric(i) else "l" for i in range(len(self.columns)))
        lines = [f"% {' '.join(line.split())}" for line in said]
        lines += [rf"\begin{{tabular}}{{{kinds}}}", r"  \toprule", self._line(self.columns)]
        lines += [r"  \midrule", *map(self._line, self.rows), r"  \bottomrule", r"\end{tabular}"]
        return "\n".join(lines)

    def csv(self) -> str:
        """Return the table as CSV with all digits; errors of scores are separate columns."""
        columns = range(len(self.columns))
        scores = [any(isinstance(row[i], Score) for row in self.rows) for i in columns]
        head: list[str] = []
        for name, has_error in zip(self.columns, scores, strict=True):
            of_which = "" if sum(scores) == 1 else f" of {name}"
            head += [name, f"standard error{of_which}"] if has_error else [name]
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        for row in self.rows:
            cells = ([c.mean, c.error] if isinstance(c, Score) else [c] for c in row)
            writer.writerow([cell for both in cells for cell in both])
        return stream.getvalue().rstrip("\n")

    def __repr__(self) -> str:
        cells = [self.columns, *([cell_text(cell) for cell in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        """Return the table for notebooks."""
        return (
            f"<table><caption>{escape(self.title)}</caption>{_html_row('th', str, self.columns)}"
            f"{''.join(_html_row('td', cell_text, row) for row in self.rows)}</table>"
        )

    def _numeric(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column] != ""]
        return bool(cells) and all(isinstance(cell, int | float | Score) for cell in cells)

    def _line(self, cells: Sequence[Any]) -> str:
        return f"  {' & '.join(map(written, cells))} \\\\"


def written(cell: Any) -> str:
    """Return a cell in LaTeX, numbers in math mode.

    >>> written("50% of a_b"), written(-1234.5), written(Score(-1, 0.25))
    ('50\\\\% of a\\\\_b', '$-1{,}234$', '$-1.00 \\\\pm 0.25$')
    >>> written("engine --level=3")
    'engine -{}-level=3'
    """
    if isinstance(cell, Score):
        return f"${PLUS_MINUS.join(mean_and_error(cell.mean, cell.error))}$".replace(",", "{,}")
    if isinstance(cell, int | float):
        return f"${cell_text(cell)}$".replace(",", "{,}") if cell == cell else "--"
    return DASHES.sub("-{}", str(cell).translate(SPECIAL))


def _html_row(tag: str, text: Callable[[Any], str], cells: Sequence[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(text(cell))}</{tag}>' for cell in cells)}</tr>"
