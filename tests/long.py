"""Marks parameters of a test as `long`: `make test` leaves them out, `make test-all` runs all."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest

# Compiling a learner takes long: `make test` compiles TD for all games of the paper, SARSA and
# Q-learning for few.
SHORT_LEARNERS = {("tictactoe", "sarsa"), ("tictactoe", "q"), ("nim", "sarsa"), ("nim", "q")}


def long_except(short: Collection[Any], values: Iterable[Any]) -> list[Any]:
    """Return the values of a parameter, all but the short ones marked `long`."""
    return [value if value in short else long(value) for value in values]


def long_learners(pairs: Iterable[tuple[str, str]]) -> list[Any]:
    """Return pairs of a game and an algorithm, marked `long` where only few tests need them."""
    return [pair if pair[1] == "td" or pair in SHORT_LEARNERS else long(pair) for pair in pairs]


def long(value: Any) -> Any:
    """Return one value of a parameter, or a tuple of values, marked `long`."""
    values = value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=pytest.mark.long)
