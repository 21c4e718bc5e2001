"""The coefficients of `tanh` in core/ntuple/value.py: a rational function fitted for |x| <= 9.

    tanh(x) ~ x P(u) / Q(u)   with u = x^2, P and Q of degree 4, Q(0) = 1

The relative error is to be small, so that values near 0 are exact, too. Lawson's method: least
squares, where weights grow with the error until all peaks are equally high. Dividing by the last Q
makes each step a linear problem.
"""

import numpy as np

from tafl.core.approximators.sigma import tanh

DEGREE, END = 4, 9.0
CLAIMED = 3e-8


def fit(steps: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """P and Q, lowest coefficient first, with the smallest largest relative error."""
    x = END * (0.5 - 0.5 * np.cos(np.pi * (np.arange(2000) + 0.5) / 2000))
    t, v = np.tanh(x), (x / END) ** 2
    powers = v[:, None] ** np.arange(DEGREE + 1)
    columns = np.hstack([x[:, None] * powers, -t[:, None] * powers[:, 1:]])
    weights, q, best = np.ones_like(x), np.ones_like(x), (np.inf, np.empty(0), np.empty(0))
    for _ in range(steps):
        rows = np.sqrt(weights) / (q * t)
        found = np.linalg.lstsq(columns * rows[:, None], t * rows, rcond=None)[0]
        p, q = powers @ found[: DEGREE + 1], 1.0 + powers[:, 1:] @ found[DEGREE + 1 :]
        error = np.abs(x * p / (q * t) - 1.0)
        if error.max() < best[0]:
            best = error.max(), found[: DEGREE + 1], np.append(1.0, found[DEGREE + 1 :])
        weights *= error / error.mean()
        weights /= weights.mean()
    scale = END ** (-2.0 * np.arange(DEGREE + 1))
    return best[1] * scale, best[2] * scale


def largest_error(function) -> float:
    """How far a function is from tanh, relative to it, anywhere; beyond the end it stays."""
    x = np.concatenate([np.linspace(1e-6, END, 100_001), np.linspace(END, 30, 1_001)])
    x = np.concatenate([-x, x])
    return float(np.max(np.abs([function(v) for v in x] / np.tanh(x) - 1.0)))


def test_the_coefficients_are_the_best():
    p, q = fit()

    def fitted(x: float) -> float:
        x = min(max(x, -END), END)
        return x * np.polyval(p[::-1], x * x) / np.polyval(q[::-1], x * x)

    stored, best = largest_error(tanh), largest_error(fitted)
    assert stored <= min(CLAIMED, 1.01 * best), f"better ones: P {p.tolist()}, Q {q.tolist()}"
