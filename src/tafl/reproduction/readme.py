"""The numbers of the README: those of Table 1 that the paper has as well."""

import re

from tafl.reproduction.cells import markdown_table, shown, values
from tafl.reproduction.rows import MAIN, numbers
from tafl.reproduction.runs import Stored, chosen

SUMMARY = re.compile(r"(?<=<!-- results -->\n).*(?=<!-- end of results -->)", re.DOTALL)


def with_summary(readme: str, results: list[Stored]) -> str:
    """The README with the numbers of Table 1 that the paper has, too."""
    lines = []
    for row, number in numbers():
        on, off = (values(chosen(results, row.name, v), number.opponent) for v in MAIN)
        if number.paper and on and off:
            against = number.name + (", moving first" if number.roles == "first" else "")
            lines.append([row.title, against, shown(row, on), shown(row, off), *number.paper])
    columns = ["game", "measured", "FARL", "no FARL", "paper: FARL", "no FARL"]
    return SUMMARY.sub(lambda _: markdown_table(columns, lines) + "\n", readme)
