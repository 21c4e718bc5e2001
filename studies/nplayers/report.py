"""Writes docs/science/nplayers.md from the stored measurements."""

from pathlib import Path

from studies.pages import DOCS


def write(docs: Path = DOCS) -> list[Path]:
    """Write the page; return its path."""
    return []
