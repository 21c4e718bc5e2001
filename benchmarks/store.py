"""Stored measurements of speed: benchmarks/results/NAME.json, sealed with a checksum."""

from pathlib import Path
from typing import Any

from tafl.files import read_sealed, write_sealed

RESULTS = Path(__file__).with_name("results")


def stored(name: str, default: Any = None) -> Any:
    """Return what a benchmark has stored, or the default."""
    path = RESULTS / f"{name}.json"
    if default is not None and not path.exists():
        return default
    return read_sealed(path, ())["measured"]


def store(name: str, measured: Any) -> None:
    """Replace what a benchmark has stored."""
    RESULTS.mkdir(exist_ok=True)
    write_sealed(RESULTS / f"{name}.json", {"measured": measured}, indent=1)
