"""Files of results: one line of JSON for each, sealed with a checksum."""

import json
from pathlib import Path

from tafl.errors import InputError
from tafl.files import checksum, sealed, to_json
from tafl.settings.tables import Fields


def append_line(path: Path, line: Fields) -> None:
    """Adds a result."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(to_json(sealed(json.loads(to_json(line)))) + "\n")


def read_lines(path: Path) -> list[Fields]:
    """All results, if there are any; a line that is not what was written is refused."""
    if not path.exists():
        return []
    found = []
    for number, text in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
        try:
            line: Fields = json.loads(text)
            if line.pop("check") != checksum(line):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise InputError(f"{path}, line {number} is damaged: delete it") from None
        found.append(line)
    return found
