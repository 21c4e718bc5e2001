"""The space of a sweep: a range or a list of values for each setting that is varied.

td.alpha=1..10       any number from 1 to 10; a whole one for settings that are whole numbers
td.alpha=1..10:log   evenly spread on a logarithmic scale
td.lambda=0,0.5,0.7  one of these

A point of the space is a value for each of these settings.
"""

import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from tafl.errors import InputError
from tafl.settings.model import schema
from tafl.settings.tables import Fields, nested, parse_value, split_assignment

Point = dict[str, Any]

DIGITS = 4  # of a number in a range, so that a point can be typed
SUCH_AS = "such as td.alpha=1..10:log or td.lambda=0,0.5,0.7"
# settings that must be equal for scores to be comparable
FIXED = ("game", "seed", "stages", "device", "threads", "evaluation", "checkpoint")


@dataclass(frozen=True)
class Range:
    """The numbers between two, both included."""

    low: float
    high: float
    log: bool = False
    whole: bool = False

    @property
    def ends(self) -> tuple[float, ...]:
        """Return both ends: if they are valid settings, all numbers between are."""
        return self.low, self.high

    def at(self, share: float) -> float:
        """Return the number at a share, from 0 to below 1, of the range.

        >>> Range(1, 100, log=True).at(0.5), Range(1, 3, whole=True).at(0.99)
        (10.0, 3)
        """
        low, high = self.low, self.high + self.whole
        found = low * (high / low) ** share if self.log else low + (high - low) * share
        return self.rounded(found)

    def rounded(self, number: float) -> float:
        """Return a close number of the range with few digits, or a whole one."""
        if self.whole:
            return min(int(number), int(self.high))
        return min(max(float(f"{number:.{DIGITS}g}"), self.low), self.high)

    def document(self) -> str:
        """Return the range as it is typed."""
        return f"{self.low}..{self.high}{':log' * self.log}"


@dataclass(frozen=True)
class Choice:
    """A list of values."""

    values: tuple[Any, ...]

    @property
    def ends(self) -> tuple[Any, ...]:
        """Return all values."""
        return self.values

    def at(self, share: float) -> Any:
        """Return the value at a share, from 0 to below 1, of the list."""
        return self.values[int(share * len(self.values))]

    def document(self) -> list[Any]:
        """Return the values for JSON."""
        return list(self.values)


Space = dict[str, Range | Choice]


def parse_sweep(assignments: Iterable[str]) -> tuple[Fields, Space]:
    """Return the settings with one value, as a tree, and the space of the others.

    >>> parse_sweep(["td.lambda=0,0.5", "td.gamma=0.9"])
    ({'td': {'gamma': 0.9}}, {'td.lambda': Choice(values=(0, 0.5))})
    """
    texts = dict(split_assignment(assignment) for assignment in assignments)
    tried = {key: values for key, text in texts.items() if (values := _several(text)) is not None}
    fixed = {key: parse_value(text) for key, text in texts.items() if key not in tried}
    return nested(fixed), make_space(tried)


def make_space(tried: Mapping[str, str | Sequence[Any]]) -> Space:
    """Return the space of these ranges (texts) and lists.

    >>> make_space({"td.alpha": "1..10:log"})
    {'td.alpha': Range(low=1.0, high=10.0, log=True, whole=False)}
    """
    if not tried:
        raise InputError(f"nothing to try: give a setting several values, {SUCH_AS}")
    for key in tried:
        if key.partition(".")[0] in FIXED:
            raise InputError(f"{key} is the same in all trials of a sweep: give it one value")
    return {
        key: _range(key, values) if isinstance(values, str) else _choice(key, values)
        for key, values in tried.items()
    }


def corners(space: Space) -> Iterator[Point]:
    """Yield all points whose numbers are at an end of their range."""
    for values in product(*(tried.ends for tried in space.values())):
        yield dict(zip(space, values, strict=True))


def grid_size(space: Space) -> int | None:
    """Return the number of points, or None if the space has a range."""
    if any(isinstance(tried, Range) for tried in space.values()):
        return None
    return math.prod(len(tried.ends) for tried in space.values())


def _several(text: str) -> str | list[Any] | None:
    """Return the range or the list in a text, or None for a single value."""
    try:
        tomllib.loads(f"value = {text}")
        return None
    except tomllib.TOMLDecodeError:
        pass
    if ".." in text:
        return text
    if "," not in text:
        return None
    try:
        return list(tomllib.loads(f"value = [{text}]")["value"])
    except tomllib.TOMLDecodeError:
        return [parse_value(part.strip()) for part in text.split(",")]


def _choice(key: str, values: Sequence[Any]) -> Choice:
    said = ",".join(map(str, values))
    if not values or "" in values:
        raise InputError(f"{key}={said}: a value is missing")
    if any(value in values[:i] for i, value in enumerate(values)):
        raise InputError(f"{key}={said}: name every value once")
    return Choice(tuple(values))


def _range(key: str, text: str) -> Range:
    kinds = _kinds(key)
    if kinds and not kinds & {"number", "integer"}:
        raise InputError(f"{key}={text}: this setting is no number; list its values")
    whole = bool(kinds) and "number" not in kinds
    match = re.fullmatch(r"(.+?)\.\.(.+?)(:log)?", text.replace(" ", ""))
    try:
        if match is None:
            raise ValueError
        low, high = (_number(end, whole) for end in match.groups()[:2])
    except ValueError:
        kind = "whole numbers" if whole else "numbers"
        raise InputError(f"{key}={text}: a range of {kind} is LOW..HIGH or LOW..HIGH:log") from None
    if not low < high:
        raise InputError(f"{key}={text}: the first number of a range is the lower one")
    if match[3] and low <= 0:
        raise InputError(f"{key}={text}: a range with :log begins above 0")
    return Range(low, high, bool(match[3]), whole)


def _number(text: str, whole: bool) -> float:
    number = float(text)
    if not math.isfinite(number) or (whole and not number.is_integer()):
        raise ValueError
    return int(number) if whole else number


def _kinds(key: str) -> set[str]:
    """Return the types of a setting in JSON Schema; none if there is no such setting."""
    found: Fields = schema()
    definitions = found["$defs"]
    for name in key.split("."):
        found = found.get("properties", {}).get(name, {})
        found = definitions[found["$ref"].rpartition("/")[2]] if "$ref" in found else found
    return {one["type"] for one in found.get("anyOf", [found]) if "type" in one}
