"""Cells of the tables of the page: the values of runs, as people write them."""

from collections.abc import Iterable, Sequence
from statistics import mean

from tafl.arena.statistics import standard_error
from tafl.reproduction.rows import Cell, Number, Row
from tafl.reproduction.runs import Stored

NOTHING = "-"


def values(runs: Iterable[Stored], opponent: str, way: str = "sharp") -> list[float]:
    """Return the value of each run against an opponent; `sharp` is the most precise one."""
    found = [n for run in runs for n in run["numbers"] if n["opponent"] == opponent]
    judged = [n.get(way, n.get("as_authors")) for n in found]
    return [j["value"] for j in judged if j is not None]


def as_authors(runs: list[Stored], number: Number) -> list[float]:
    """Return the value of each run as the authors evaluated: at the end, or over some episodes."""
    first, last = number.log_between or (0, -1)
    curves = [run["curve"].get(number.opponent, []) for run in runs]
    parts = [[value for at, value, _ in curve if first <= at <= last] for curve in curves]
    # a shortened training does not reach these episodes
    return [mean(part) for part in parts if part] or values(runs, number.opponent, "as_authors")


def shown(row: Row, reached: Sequence[float]) -> str:
    """Return the mean and standard error over runs, as people write them.

    >>> from tafl.reproduction.rows import rows
    >>> shown(rows()["nim"], [0.49, 0.5]), shown(rows()["2048"], [141000.0, 143000.0])
    ('49.5 ± 0.5 %', '142,000 ± 1,000')
    """
    return cell(row, (mean(reached), standard_error(reached))) if reached else NOTHING


def cell(row: Row, cell: Cell) -> str:
    value, error = cell
    if row.measure == "win rate":
        return with_error(100 * value, 100 * error, ".1f") + " %"
    return with_error(value, error, ",.0f" if row.name == "2048" else ".3f")


def with_error(value: float, error: float, form: str) -> str:
    known = error == error  # one run says nothing about chance
    return f"{value:{form}}" + (f" ± {error:{form}}" if known else "")


def markdown_table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    body = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([f"| {' | '.join(columns)} |", "|" + "---|" * len(columns), *body])


def sharpest(number: Stored) -> Stored:
    found: Stored = number["sharp"] if "sharp" in number else number["as_authors"]
    return found


def bare(row: Row, value: float) -> str:
    return cell(row, (value, float("nan")))


def counted(row: Row, number: Number, runs: list[Stored]) -> str:
    reached = values(runs, number.opponent)
    return f"{shown(row, reached)} ({len(reached)})" if reached else NOTHING


def failure(runs: list[Stored], number: Number) -> str:
    """Return the reason why this opponent could not play."""
    judged = [n for r in runs for n in r["numbers"] if n["opponent"] == number.opponent]
    said = [n["failed"] for n in judged if "failed" in n]
    return said[0].partition(";")[0] if said else NOTHING  # what follows is what one could do
