"""How a game is written: `hex`, `hex(size=6)`, `path/to/mygame.py(size=4)`."""

import re
from collections.abc import Mapping
from math import isfinite
from operator import index
from typing import Any

from tafl.errors import InputError

LONGEST = 10_000  # characters


def parse(spec: str) -> tuple[str, dict[str, str]]:
    """The name or path in front, and the parameters in the parentheses as text.

    >>> parse("nim(heaps=3, misere=true)")
    ('nim', {'heaps': '3', 'misere': 'true'})
    """
    if len(spec) > LONGEST:
        raise InputError(
            f"the text of a game has at most {LONGEST:,} characters, not {len(spec):,}"
        )
    if "\0" in spec:
        raise InputError(f"{spec!r} is no game: it contains the character NUL")
    text = spec.strip()
    # a path may itself contain parentheses
    found = re.fullmatch(r"(.*\.py)(?:\((.*)\))?", text) or re.fullmatch(
        r"([^()]+)(?:\((.*)\))?", text
    )
    if not found:
        raise InputError(
            f"{spec!r} is not a game; write for example hex, hex(size=6) or mygame.py(size=4)"
        )
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


def unparse(name: str, parameters: Mapping[str, Any]) -> str:
    """The other way round.

    >>> unparse("nim", {"heaps": 3, "misere": True})
    'nim(heaps=3,misere=true)'
    """
    inside = ",".join(f"{key}={str(value).lower()}" for key, value in parameters.items())
    return f"{name}({inside})" if inside else name


def typed(name: str, value: object, wanted: type) -> Any:
    """A parameter as the type that its field has, from text or from a Python value.

    >>> typed("size", "6", int)
    6
    """
    try:
        if wanted is bool:
            return {"true": True, "false": False}[str(value).lower()]
        if isinstance(value, bool):
            raise TypeError
        if wanted is float:
            return _finite(float(value))  # type: ignore[arg-type]
        return _in_64_bits(int(value) if isinstance(value, str) else index(value))  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError):
        right = {int: "a whole number", float: "a number", bool: "true or false"}[wanted]
        raise InputError(f"{name} must be {right}, not {value}") from None


def _finite(number: float) -> float:
    if not isfinite(number):
        raise ValueError
    return number


def _in_64_bits(number: int) -> int:
    if abs(number) >= 2**63:
        raise ValueError
    return number
