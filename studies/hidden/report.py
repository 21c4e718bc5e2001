"""docs/science/hidden.md from stored results."""

from pathlib import Path

import numpy as np

from studies.hidden.subjects import EXACT, NO_FARL, RESULTS, SEEDS, SUBJECTS, Points, Subject
from studies.pages import DOCS, write_page
from studies.records import Measurement, read
from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.settings.tables import Fields

WORDS = Path(__file__).with_name("page.md")
COMMAND = "python -m studies hidden report"

Records = list[Measurement]


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    records = read(RESULTS)
    subjects = [one for one in SUBJECTS if is_complete(one, records)]
    columns = ["game", "episodes", "seconds", "with FARL", "worst seed", "without FARL"]
    values = {
        "farl": markdown_table(columns, [farl_line(one, records) for one in subjects]),
        "tuples": markdown_table(
            ["game", "information states", "n-tuples", "NashConv", "seconds"],
            [line for one in subjects if one.tuples for line in tuples_lines(one, records)],
        ),
        "seeds": str(len(SEEDS)),
        "machine": " and ".join(sorted({one.processor for one in records})),
    }
    return [write_page(docs / "science" / "hidden.md", WORDS, COMMAND, values)]


def of(subject: Subject, way: Fields, records: Records) -> Records:
    """Return the measurements of a game and a way to learn it."""
    return [one for one in records if one.game == subject.game and one.overrides == way]


def is_complete(subject: Subject, records: Records) -> bool:
    """Return whether all seeds of all ways to learn a game are stored."""
    return all(len(of(subject, way, records)) == len(SEEDS) for way in subject.ways)


def farl_line(subject: Subject, records: Records) -> list[str]:
    """Return a row of the table of FARL."""
    exact = of(subject, EXACT, records)
    worst = max(one.value for one in exact)
    return [
        subject.title,
        f"{subject.episodes:,}",
        f"{np.mean([one.seconds for one in exact]):.1f}",
        mean(exact),
        f"{worst:.4f}",
        mean(of(subject, NO_FARL, records)),
    ]


def tuples_lines(subject: Subject, records: Records) -> list[list[str]]:
    """Return the rows of a game in the table of n-tuples."""
    lines = []
    for points in (None, *subject.tuples):
        found = of(subject, points.overrides if points else EXACT, records)
        seconds = np.mean([one.seconds for one in found])
        states = f"{found[0].n:,}"
        lines.append([subject.title, states, named(points, subject), mean(found), f"{seconds:.1f}"])
    return lines


def named(points: Points | None, subject: Subject) -> str:
    """Return what a store has rows for."""
    if points is None:
        return "none: exact states"
    return f"{points.number} of {points.length} of {subject.cells} cells"


def mean(found: Records) -> str:
    """Return the mean NashConv of several seeds, with its standard error."""
    values = [one.value for one in found]
    return with_error(float(np.mean(values)), standard_error(values), ".4f")
