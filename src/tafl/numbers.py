"""Numbers as people write them: 186,600 ± 2,700, not 1.866e+05, and 0, not 2.3e-17."""

from collections.abc import Iterable
from math import floor, isfinite, log10
from typing import Any

NOISE = 1e-9  # smaller numbers are errors of rounding


def number(value: float, digits: int = 4) -> str:
    """Return a number with a few significant digits and without an exponent.

    >>> number(186_612.3), number(-0.012345), number(0.5), number(2.3e-17)
    ('186,600', '-0.01235', '0.5', '0')
    """
    if not isfinite(value):
        return str(value)
    if abs(value) < NOISE:
        return "0"
    decimals = digits - 1 - floor(log10(abs(value)))
    text = f"{round(value, decimals):,.{max(decimals, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def points(scores: Iterable[float]) -> str:
    """Return the scores of all players, separated by spaces.

    >>> points([186_612.0, -0.5])
    '186,612 -0.5'
    """
    return " ".join(number(score, digits=12) for score in scores)


def mean_and_error(mean: float, error: float | None) -> list[str]:
    """Return a mean and its error, if that is known, both to the second digit of the error.

    >>> mean_and_error(186_612.3, 2713.4), mean_and_error(0.25, None)
    (['186,600', '2,700'], ['0.250'])
    """
    shown = [mean] if error is None or not isfinite(error) else [mean, error]
    if abs(shown[-1]) > NOISE and len(shown) == 2:
        decimals = 1 - floor(log10(shown[-1]))
    else:
        decimals = 3 if abs(mean) < 1000 else 0
    return [f"{round(value, decimals) + 0.0:,.{max(decimals, 0)}f}" for value in shown]


def score(mean: float, error: float | None) -> str:
    """Return a mean with its standard error.

    >>> score(186_612.3, 2713.4), score(0.49812, 0.00234), score(2.3e-17, 0.01)
    ('186,600 ± 2,700', '0.4981 ± 0.0023', '0.000 ± 0.010')
    """
    return " ± ".join(mean_and_error(mean, error))


def share(mean: float, error: float = float("nan")) -> str:
    """Return a share in per cent, with its standard error if that is known.

    >>> share(0.903, 0.0281), share(0.5)
    ('90.3 ± 2.8 %', '50.0 %')
    """
    about = f" ± {100 * error:.1f}" if isfinite(error) else ""
    return f"{100 * mean:.1f}{about} %"


def player(number: int) -> str:
    """Return the name of a player as people count them, from 1; options and JSON count from 0.

    >>> player(0)
    'player 1'
    """
    return f"player {number + 1}"


def cell_text(cell: Any) -> str:
    """Return a cell of a table as text.

    >>> [cell_text(cell) for cell in (True, 1234567, 0.25, "exact")]
    ['yes', '1,234,567', '0.25', 'exact']
    """
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return number(cell) if isinstance(cell, float) else str(cell)
