"""The pages of results: their tables and pictures are made from stored results.

results.md and results_details.md beside this file are the templates.
"""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import hypot, nan
from pathlib import Path
from statistics import mean
from string import Template
from typing import Any

from tafl.arena.statistics import standard_error
from tafl.files import replacing
from tafl.reproduction import cells
from tafl.reproduction.cells import NOTHING, markdown_table
from tafl.reproduction.pictures import draw_all
from tafl.reproduction.rows import (
    FARLS,
    FIGURE_3,
    MAIN,
    PARTS,
    VARIANTS,
    WITH_ACTIONS,
    Job,
    Number,
    numbers,
    rows,
    table_rows,
)
from tafl.reproduction.runs import Stored, chosen, load_results
from tafl.training.progress import duration

SUMMARY = re.compile(r"(?<=<!-- results -->\n).*(?=<!-- end of results -->)", re.DOTALL)
PAGES = ("results.md", "results_details.md")
QUICK = (
    "**A smoke test: short training, few seeds, few games. Do not compare these numbers with "
    "the paper's.**\n\n"
)
FIGURE_4 = "connectfour"
# Variants of learning and their titles, in three tables
OF_ACTIONS = {
    f"{algo}-{farl}": VARIANTS[f"{algo}-{farl}"].title
    for algo in ("td", "sarsa", "q")
    for farl in FARLS
}
OF_FARL = {"td-farl": "FARL", PARTS[0]: "part 1 only", PARTS[1]: "part 2 only", "td-no-farl": "off"}
OF_PRESETS = {"td-farl": "as-run, FARL", "td-no-farl": "as-run, no FARL"}
OF_PRESETS |= {"paper-farl": "paper, FARL", "paper-no-farl": "paper, no FARL"}


def write_report(folder: Path, docs: Path, quick: bool = False) -> Path:
    """Write the pages and their pictures from a folder of results; return the first page."""
    for name in ("img", "science"):
        (docs / name).mkdir(parents=True, exist_ok=True)
    results = load_results(folder)
    words = report(results, draw_all(results, docs / "img"), quick)
    for name in PAGES:
        template = files(__package__).joinpath(name).read_text(encoding="utf-8")
        with replacing(docs / "science" / name) as file:
            file.write(Template(template).substitute(words))
    readme = docs.parent / "README.md"
    if not quick and readme.is_file():
        summary = with_summary(readme.read_text(encoding="utf-8"), results)
        with replacing(readme) as file:
            file.write(summary)
    return docs / "science" / PAGES[0]


def report(results: list[Stored], pictures: dict[str, str], quick: bool = False) -> dict[str, str]:
    """Return what stands in the places of the pages."""
    seconds = sum(r["training_seconds"] + r["judging_seconds"] for r in results)
    return {
        "runs": str(len(results)),
        "hours": f"{seconds / 3600:.1f}",
        "machines": ", ".join(sorted({r["environment"]["processor"] for r in results})) or NOTHING,
        "warning": QUICK if quick else "",
        "table1": markdown_table(TABLE_1, table1(results)),
        "judging": _judging(results),
        "moves": _moves(results),
        "figure4": _picture(pictures, FIGURE_4),
        "actions": _variants(results, OF_ACTIONS, WITH_ACTIONS),
        "farl": _variants(results, OF_FARL),
        "active": _active(results),
        "paper": _variants(results, OF_PRESETS),
        "figure3": f"{_figure3(results)}\n\n{_picture(pictures, FIGURE_3)}",
        "curves": "\n\n".join(
            _picture(pictures, name) for name in pictures if name not in (FIGURE_3, FIGURE_4)
        ),
        "seeds": _seeds(results),
        "seats": _seats(results),
    }


def with_summary(readme: str, results: list[Stored]) -> str:
    """Return the README with the numbers of Table 1 that the paper has, too."""
    lines = []
    for row, number in numbers():
        on, off = (cells.values(chosen(results, row.name, v), number.opponent) for v in MAIN)
        if number.paper and on and off:
            against = number.name + (", moving first" if number.roles == "first" else "")
            reached = cells.shown(row, on), cells.shown(row, off)
            lines.append([row.title, against, *reached, *number.paper])
    columns = ["game", "measured", "FARL", "no FARL", "paper: FARL", "no FARL"]
    return SUMMARY.sub(lambda _: markdown_table(columns, lines) + "\n", readme)


def summary_table(results: list[Stored]) -> list[dict[str, Any]]:
    """Return all means for JSON."""
    found = []
    for row, number in numbers():
        for name in VARIANTS:
            reached = cells.values(chosen(results, row.name, name), number.opponent)
            if reached:
                line: dict[str, Any] = {"row": row.name, "opponent": number.opponent}
                line |= {"variant": name, "seeds": len(reached), "mean": mean(reached)}
                error = standard_error(reached) if len(reached) > 1 else None
                found.append(line | {"standard_error": error})
    return found


TABLE_1 = ["game", "evaluation", "ideal", "FARL", "no FARL", "authors' logs", "differences"]
TABLE_1 += ["paper", "other research"]


def table1(results: list[Stored]) -> list[list[str]]:
    """Return the lines of Table 1: our numbers, the authors' and the paper's."""
    lines = []
    for row, number in numbers():
        on, off = (chosen(results, row.name, variant) for variant in MAIN)
        ours = [cells.shown(row, cells.values(runs, number.opponent)) for runs in (on, off)]
        if ours == [NOTHING, NOTHING]:
            ours[0] = cells.failure(on + off, number)
        lines.append(
            [
                row.title,
                number.name + (", agent first" if number.roles == "first" else ""),
                NOTHING if number.ideal is None else cells.bare(row, number.ideal),
                *ours,
                " / ".join(cells.cell(row, log) for log in number.log) if number.log else NOTHING,
                _differences(number, on, off),
                " / ".join(number.paper) if number.paper else NOTHING,
                number.other or NOTHING,
            ]
        )
    return lines


def _differences(number: Number, on: list[Stored], off: list[Stored]) -> str:
    """Return our numbers minus those of the logs, in standard errors of the difference."""
    if number.log is None:
        return NOTHING
    found = []
    for runs, (theirs, error) in zip((on, off), number.log, strict=True):
        if number.log_between:
            reached = cells.as_authors(runs, number)
        else:
            reached = cells.values(runs, number.opponent)
        both = hypot(standard_error(reached), error) if reached else nan
        found.append(f"{(mean(reached) - theirs) / both:+.1f}" if both > 0 else NOTHING)
    return " / ".join(found)


def _judging(results: list[Stored]) -> str:
    columns = ["game", "evaluation", "like the authors: FARL", "no FARL", "after episodes", "games"]
    columns += ["precise: games", "standard error of one evaluation", "seeds", "episodes"]
    columns += ["training time per run", "command"]
    lines = []
    for row, number in numbers():
        on, off = (chosen(results, row.name, variant) for variant in MAIN)
        judged = [n for r in on + off for n in r["numbers"] if n["opponent"] == number.opponent]
        judged = [n for n in judged if "as_authors" in n]
        if not judged:
            continue
        sharp = [cells.sharpest(n) for n in judged]
        lines.append(
            [
                row.title,
                number.name,
                *(cells.shown(row, cells.as_authors(runs, number)) for runs in (on, off)),
                "{:,} ... {:,}".format(*number.log_between) if number.log_between else "all",
                f"{judged[0]['as_authors']['games']:,}",
                f"{sharp[0]['games']:,}",
                cells.bare(row, max(s["standard_error"] for s in sharp)),
                " / ".join(str(len(cells.values(runs, number.opponent))) for runs in (on, off)),
                f"{(on or off)[0]['settings']['episodes']:,}",
                " / ".join(
                    duration(mean(r["training_seconds"] for r in runs)) if runs else NOTHING
                    for runs in (on, off)
                ),
                f"`tafl reproduce table1 --rows {row.name}`",
            ]
        )
    return markdown_table(columns, lines)


def _moves(results: list[Stored]) -> str:
    """Return the mean moves of an episode in the whole training, ours and the authors'."""
    lines = []
    for row in table_rows():
        line = [row.title]
        for variant, theirs in zip(MAIN, row.moves, strict=True):
            runs = chosen(results, row.name, variant)
            lengths = [r["moves"] / r["settings"]["episodes"] for r in runs]
            full = Job(row, VARIANTS[variant], 1).settings().episodes
            found = (mean(lengths), standard_error(lengths)) if runs else None
            ours = cells.with_error(*found, ",.2f") if found else NOTHING
            line += [ours, f"{theirs / full:,.2f}"]
        lines.append(line)
    return markdown_table(["game", "FARL", "authors' logs", "no FARL", "authors' logs"], lines)


def _variants(
    results: list[Stored], titles: Mapping[str, str], only: Sequence[str] | None = None
) -> str:
    """Return a table of the values of some variants of learning, which have these titles."""
    lines = []
    for row, number in numbers():
        shown = number.curve or number.paper or number.slow
        if shown and (only is None or row.name in only):
            runs = [chosen(results, row.name, name) for name in titles]
            counted = [cells.counted(row, number, found) for found in runs]
            if any(cell != NOTHING for cell in counted):
                lines.append([row.title, number.name, *counted])
    return markdown_table(["game", "evaluation", *titles.values()], lines)


def _active(results: list[Stored]) -> str:
    lines = []
    for row in table_rows():
        runs = [chosen(results, row.name, name) for name in OF_FARL]
        shares = [[r["active"] for r in found] for found in runs]
        lines.append([row.title, *(f"{100 * mean(s):.2f} %" if s else NOTHING for s in shares)])
    return markdown_table(["game", *OF_FARL.values()], lines)


def _figure3(results: list[Stored]) -> str:
    row = rows()[FIGURE_3]
    (number,) = row.numbers
    lines = []
    for name in ("td-farl", "td-no-farl", "sarsa-farl", "sarsa-no-farl"):
        found = chosen(results, FIGURE_3, name)
        logs = number.sarsa_log if name.startswith("sarsa") else number.log
        assert logs is not None
        log = cells.cell(row, logs[not VARIANTS[name].farl])
        reached = cells.shown(row, cells.values(found, number.opponent))
        lines.append([VARIANTS[name].title, reached, log, str(len(found))])
    return markdown_table(["learner", "tafl", "authors' logs", "runs"], lines)


def _picture(pictures: dict[str, str], name: str) -> str:
    if name not in pictures:
        return "No runs are stored."
    return f"![{rows()[name].title}: FARL and no FARL over the training](../img/{pictures[name]})"


def _seeds(results: list[Stored]) -> str:
    lines = []
    for row in table_rows():
        for name, variant in VARIANTS.items():
            reached = cells.values(chosen(results, row.name, name), row.numbers[0].opponent)
            if reached:
                ranked = ", ".join(cells.bare(row, value) for value in sorted(reached))
                lines.append([row.title, variant.title, str(len(reached)), ranked])
    return markdown_table(["game", "learner", "seeds", "values"], lines)


def _seats(results: list[Stored]) -> str:
    """Return a table of Nim3P's seeds, from the worst to the best, in each seat."""
    row = rows()["nim3p"]
    runs = chosen(results, row.name, MAIN[0])
    judged = [cells.sharpest(r["numbers"][0]) for r in runs]
    lines = [
        [str(run["seed"]), *(cells.bare(row, v) for v in (found["value"], *found["by_role"]))]
        for found, run in sorted(zip(judged, runs, strict=True), key=lambda pair: pair[0]["value"])
    ]
    return markdown_table(["seed", "mean", "moving first", "second", "third"], lines)
