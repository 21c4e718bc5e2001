"""Machine instructions that Python has no word for, as Python functions.

`cpu.py` gives each of them a compiled body; the bodies here serve uncompiled runs.
"""

from tafl.core.compile.stop import Interrupted
from tafl.signals import LEVEL


def trailing_zeros(word):
    """Return the position of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def popcount(word):
    """Return the number of set bits of a 64-bit word."""
    return (int(word) & 0xFFFFFFFFFFFFFFFF).bit_count()


def prefetch(array, i):
    """Load array[i] into the cache ahead of its use."""


def stop_level():
    """Return what a signal asks of kernels: RUN, STOP or ABANDON."""
    return LEVEL[0]


def give_way(level):
    """End the kernel if a signal asks for it; called in every loop that may run long."""
    if stop_level() >= level:
        raise Interrupted
