"""Generated pages: words from a template, numbers from stored results."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

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
