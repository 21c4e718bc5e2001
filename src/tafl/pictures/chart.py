"""Learning curves as text: a mark for the mean, dots for one standard error around it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tafl.numbers import number

if TYPE_CHECKING:
    from tafl.runs.curves import Curve

MARKS = "*o+x#@%&"
WIDTH, HEIGHT = 64, 12


def chart(curves: Sequence["Curve"], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Return the curves of several groups as text, each with its own mark."""
    last = max(curve.episodes[-1] for curve in curves)
    bands = [_band(curve, last, width) for curve in curves]
    low = min(np.nanmin(below) for below, _, _ in bands)
    high = max(np.nanmax(above) for _, _, above in bands)
    scale = (height - 1) / (high - low) if high > low else 0.0
    cells = np.full((height, width), " ")
    for below, _, above in bands:
        for x in np.flatnonzero(~np.isnan(below)):
            rows = slice(round((below[x] - low) * scale), round((above[x] - low) * scale) + 1)
            cells[rows, x] = "·"
    for (_, means, _), mark in zip(bands, MARKS, strict=False):
        for x in np.flatnonzero(~np.isnan(means)):
            cells[round((means[x] - low) * scale), x] = mark
    labels = [number(high), *[""] * (height - 2), number(low)]
    labelled = zip(labels, reversed(cells), strict=True)
    lines = [f"{label:>9} |{''.join(row).rstrip()}" for label, row in labelled]
    axis = f"{'':9} +{'-' * width}\n{'':11}0{f'{last:,} episodes':>{width - 1}}"
    legend = [f"{'':11}{mark} {curve.name}" for mark, curve in zip(MARKS, curves, strict=False)]
    return "\n".join([*lines, axis, *legend])


def _band(curve: "Curve", last: int, width: int) -> list[np.ndarray]:
    """Return mean - error, mean, and mean + error at each column; nan outside the curve."""
    at = np.linspace(0, last, width)
    means, errors = np.array(curve.means), np.nan_to_num(curve.errors)
    lines = (means - errors, means, means + errors)
    step = last / (width - 1)  # a curve shorter than a column is drawn, too
    first, end = curve.episodes[0] - step / 2, curve.episodes[-1] + step / 2
    outside = (at < first) | (at > end)
    return [np.where(outside, np.nan, np.interp(at, curve.episodes, line)) for line in lines]
