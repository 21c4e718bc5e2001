"""The texts of the page: those that its sources name, and the table of their translations."""

import json
import re
from pathlib import Path

WEB = Path(__file__).parent.parent / "web"
PIECE = r'"(?:[^"\\]|\\.)*"'
CALL = re.compile(rf"\b(?:t|rich|term)\(\s*({PIECE}(?:\s*\+\s*{PIECE})*)")


def named() -> set[str]:
    """All texts that the sources hand to t(), rich() and term()."""
    return {
        "".join(json.loads(piece) for piece in re.findall(PIECE, call))
        for file in sorted(WEB.glob("*.js*"))
        if file.suffix in (".js", ".jsx") and file.name not in ("texts.js", "term.js")
        for call in CALL.findall(file.read_text())
    }


def sections() -> dict[str, dict[str, str]]:
    """The table: for each part of the page English texts with their German ones."""
    table: dict[str, dict[str, str]] = json.loads((WEB / "texts.json").read_text())
    return table


def german() -> dict[str, str]:
    """All sections of the table as one."""
    return {english: text for part in sections().values() for english, text in part.items()}
