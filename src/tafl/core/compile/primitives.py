"""Machine instructions that Python has no word for, as Python functions.

`cpu.py` gives each of them a compiled body; the bodies here serve uncompiled runs.
"""

from ctypes import CFUNCTYPE, c_int64

from tafl.core.compile.stop import CallFailed, Interrupted
from tafl.signals import LEVEL

CALLBACK = CFUNCTYPE(c_int64, c_int64, c_int64)  # (address of the state, number) -> 0, or failed


def trailing_zeros(word):
    """Return the position of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def popcount(word):
    """Return the number of set bits of a 64-bit word."""
    return (int(word) & 0xFFFFFFFFFFFFFFFF).bit_count()


def prefetch(array, i):
    """Load array[i] into the cache ahead of its use."""


def count_up(array, i):
    """Add 1 to array[i] at once, whatever other threads do; return the number before."""
    array[i] += 1
    return array[i] - 1


def stop_level():
    """Return what a signal asks of kernels: RUN, STOP or ABANDON."""
    return LEVEL[0]


def give_way(level):
    """End the kernel if a signal asks for it; called in every loop that may run long."""
    if stop_level() >= level:
        raise Interrupted


def call_back(address, state, number):
    """Call the Python function at an address with a state and a number; return 0 unless it failed.

    It has the type CALLBACK, and puts an exception into `stop.FAILURES`.
    """
    return CALLBACK(int(address))(state.ctypes.data, int(number))


def call_python(address, state, number):
    """Call the Python function at an address; end the kernel if it raises an exception."""
    if call_back(address, state, number) != 0:
        raise CallFailed
