"""Machine instructions that Python has no word for, as Python functions.

`cpu.py` gives each of them a compiled body; the bodies here serve uncompiled runs.
"""

from tafl.core.compile.stop import Interrupted
from tafl.signals import LEVEL


def trailing_zeros(word):
    """Position of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def popcount(word):
    """Number of set bits of a 64-bit word."""
    return (int(word) & 0xFFFFFFFFFFFFFFFF).bit_count()


def prefetch(array, i):
    """Asks for array[i] ahead of its use."""


def stop_level():
    """What a signal asks of kernels: RUN, STOP or ABANDON."""
    return LEVEL[0]


def give_way(level):
    """Ends the kernel if a signal asks for it: to be called in every loop that may last."""
    if stop_level() >= level:
        raise Interrupted
