"""Generated pages: words from a template, numbers from stored results."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from string import Template

from studies.records import Measurement, by_training
from tafl.files import replacing

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"


def write_page(page: Path, template: Path, command: str, values: Mapping[str, str]) -> Path:
    """Fill a template and write it as a page whose first line names the command that wrote it."""
    page.parent.mkdir(parents=True, exist_ok=True)
    source = template.relative_to(ROOT)
    first = f"<!-- Written by `{command}`; to change the words, edit {source}. -->\n\n"
    with replacing(page) as file:
        file.write(first + Template(template.read_text(encoding="utf-8")).substitute(values))
    return page


def history_note(measurements: Iterable[Measurement]) -> str:
    """Return a sentence about trainings whose settings no longer exist."""
    gone = by_training(one for one in measurements if one.history)
    if not gone:
        return "All settings of the trainings on this page still exist."
    return (
        f"{len(gone)} trainings on this page used settings that no longer exist in tafl; they are "
        "kept as history and cannot be repeated."
    )
