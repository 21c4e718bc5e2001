"""Texts that name a game: `hex`, `hex(size=6)`, `path/to/mygame.py(size=4)`."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from math import isfinite
from operator import index
from typing import Any

from tafl.errors import InputError

LONGEST = 10_000  # characters


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """Return the name or path, and the parameters in parentheses as text.

    >>> parse("nim(heaps=3, misere=true)")
    ('nim', {'heaps': '3', 'misere': 'true'})
    """
    check_text("a game", spec)
    text = spec.strip()
    # a path may itself contain parentheses
    found = re.fullmatch(r"(.*\.py|[^()]+)(?:\((.*)\))?", text)
    if not found:
        example = "write for example hex, hex(size=6) or mygame.py(size=4)"
        raise InputError(f"{spec!r} is not a game; {example}")
    name, inside = found[1].strip(), found[2] or ""
    parameters: dict[str, str] = {}
    for part in inside.split(",") if inside.strip() else []:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key or not equals or not value:
            raise InputError(f"{spec}: {part.strip()!r} must be like size=6")
        if key in parameters:
            raise InputError(f"{spec}: {key} is given twice")
        parameters[key] = value
    return name, parameters


def check_text(kind: str, spec: str) -> None:
    """Refuse a text that is too long or contains NUL."""
    if len(spec) > LONGEST:
        limit = f"at most {LONGEST:,} characters"
        raise InputError(f"the text of {kind} has {limit}, not {len(spec):,}")
    if "\0" in spec:
        name = kind.partition(" ")[2]
        raise InputError(f"{spec!r} is no {name}: it contains the character NUL")


def suggestion(wrong: str, known: Iterable[str], otherwise: str) -> str:
    """Return a hint with the closest known name, or the other hint.

    >>> suggestion("hexx", ["hex", "nim"], "try another")
    'did you mean hex?'
    """
    close = get_close_matches(wrong, known, n=1)
    return f"did you mean {close[0]}?" if close else otherwise


def unparse(name: str, parameters: Mapping[str, Any]) -> str:
    """Return the text that `parse` reads.

    >>> unparse("nim", {"heaps": 3, "misere": True})
    'nim(heaps=3,misere=true)'
    """
    inside = ",".join(f"{key}={str(value).lower()}" for key, value in parameters.items())
    return f"{name}({inside})" if inside else name


def typed(name: str, value: object, wanted: type) -> Any:
    """Convert a parameter, a text or a Python value, to the type of its field.

    >>> typed("size", "6", int)
    6
    """
    try:
        if wanted is bool:
            return {"true": True, "false": False}[str(value).lower()]
        if isinstance(value, bool):
            raise TypeError
        if wanted is float:
            number = float(value)  # type: ignore[arg-type]
            fits = isfinite(number)
        else:
            number = int(value) if isinstance(value, str) else index(value)  # type: ignore[arg-type]
            fits = abs(number) < 2**63
        if fits:
            return number
        raise ValueError
    except (KeyError, TypeError, ValueError):
        right = {int: "a whole number", float: "a number", bool: "true or false"}[wanted]
        raise InputError(f"{name} must be {right}, not {value}") from None
