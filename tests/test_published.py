"""Every measured number of the pages is as it was published: tests/data/published.json.

The file has a hash of the numbers in each table of the generated pages. A table may move to another
page and its words may change; its numbers may not, unless they were measured again. Then

    python tests/test_published.py

writes the file again, and its diff shows which tables changed.
"""

import hashlib
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STORE = Path(__file__).parent / "data" / "published.json"
SCIENCE = (
    "farl",
    "farl_details",
    "gpu",
    "hidden",
    "new_games",
    "nim3p",
    "results",
    "results_details",
)
SCIENCE += ("results_details", "right_moves", "search", "search_speed", "speed", "strength")
SCIENCE += ("symmetries", "trials")
GENERATED = ("guides/gpu", "guides/web_page", *(f"science/{name}" for name in SCIENCE))
TABLE = re.compile(r"^(\|.*\n)\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
NUMBER = re.compile(r"\d[\d,.]*")


def tables(page: Path) -> list[tuple[str, str]]:
    """The header and a hash of the numbers of each table; names in code have no numbers."""
    found = []
    for head, body in TABLE.findall(page.read_text(encoding="utf-8") + "\n"):
        numbers = NUMBER.findall(re.sub(r"`[^`]*`", "", body))
        if numbers:
            digest = hashlib.sha256(" ".join(numbers).encode()).hexdigest()[:12]
            found.append((head.strip(" |\n"), f"{len(numbers)} numbers, {digest}"))
    return found


def published(docs: Path) -> dict[str, list[tuple[str, str]]]:
    """The tables of all generated pages."""
    pages = [*(docs / f"{name}.md" for name in GENERATED), *sorted((docs / "games").glob("*.md"))]
    return {page.relative_to(docs).as_posix(): tables(page) for page in pages}


@pytest.mark.parametrize("page", json.loads(STORE.read_text()))
def test_numbers_are_as_they_were_published(page):
    now = {digest for found in published(ROOT / "docs").values() for _, digest in found}
    for head, digest in json.loads(STORE.read_text())[page]:
        assert digest in now, head


def test_every_generated_page_names_its_command_and_is_listed():
    """In its first line, and in the table of CONTRIBUTING.md."""
    listed = (ROOT / "CONTRIBUTING.md").read_text()
    for name in set(GENERATED) - {"guides/web_page"}:
        first = (ROOT / "docs" / f"{name}.md").read_text().partition("\n")[0]
        command = re.match(
            r"<!-- Written by `([^`]+)`; to change the words, edit (\S+)\. -->", first
        )
        assert command, name
        assert f"`docs/{name}.md`" in listed, name
        assert f"`{command[1]}`" in listed, name
        assert f"`{command[2]}`" in listed, name
        assert (ROOT / command[2]).is_file(), name


if __name__ == "__main__":
    STORE.write_text(json.dumps(published(ROOT / "docs"), indent=1, ensure_ascii=False) + "\n")
