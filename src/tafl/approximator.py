"""The names for your own approximator: `from tafl.approximator import approximator, ...`.

>>> approximator(int)
Traceback (most recent call last):
...
TypeError: int must be a NamedTuple with a field weights
"""

from tafl.core.approximators.contract import approximator, copy_code
from tafl.core.approximators.sigma import tanh
from tafl.core.compile import inline, vector
from tafl.core.random import below, uniform

__all__ = ["approximator", "below", "copy_code", "inline", "tanh", "uniform", "vector"]
