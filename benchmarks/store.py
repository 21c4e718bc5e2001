"""Stored measurements of speed: benchmarks/results/NAME.json, sealed with a checksum."""

import json
from pathlib import Path
from typing import Any

from tafl.files import read_sealed, replacing, sealed, to_json

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
    plain = json.loads(to_json({"measured": measured}))
    with replacing(RESULTS / f"{name}.json") as file:
        file.write(to_json(sealed(plain), indent=1) + "\n")
