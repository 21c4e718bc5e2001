"""A block of threads that runs one kernel together, as Python functions.

On a GPU all threads of a block run the same learner on the same game. What one thread keeps for
itself, every thread has computed alike; what they divide among each other lies in memory they
share, and a barrier stands between writing and reading what others wrote. Lanes are the threads of
one warp. `cuda.py` gives each function its body for the GPU; here a block is a single thread.
"""

from types import SimpleNamespace

import numpy as np

from tafl.errors import EndlessGame

MOST_WARPS = 8  # of a block

# Stands for numba.cuda: memory of one thread, or of a block.
_memory = SimpleNamespace(array=np.zeros)
device = SimpleNamespace(local=_memory, shared=_memory)


def block():
    """The number of this block."""
    return 0


def thread():
    """The number of this thread in its block."""
    return 0


def threads():
    """How many threads a block has."""
    return 1


def lane():
    """The number of this thread in its warp."""
    return 0


def lanes():
    """How many threads a warp has."""
    return 1


def warp():
    """The number of this warp in its block."""
    return 0


def warps():
    """How many warps a block has."""
    return 1


def barrier():
    """Waits for all threads of the block."""


def ballot(vote):
    """The lanes that vote for something, as bits of a word."""
    return np.int64(vote)


def warp_sum(x):
    """The sum over the lanes of a warp, in a fixed order."""
    return x


def put_part(parts, x):
    """Each warp writes the sum over its lanes; `parts` has room for MOST_WARPS."""
    parts[0] = x


def add_parts(parts):
    """The sum of all that was put, in a fixed order; a barrier stands between."""
    return parts[0]


def block_sum(x):
    """The sum over the threads of a block, in a fixed order; a barrier stands between two sums."""
    return x


def alone():
    """Does no other block change the tables of this one's agent?"""
    return True


def read(array, i):
    """array[i], with what other blocks have added if tables are shared."""
    return array[i]


def add_to(array, i, x):
    """array[i] += x, without losing what other blocks add if tables are shared."""
    array[i] += x


def take(array, i, x):
    """array[i] += x, as one step where several blocks do so; returns what it was."""
    array[i] += x
    return array[i] - x


def quotient(x, y):
    """x / y in single precision, to the last bit or two."""
    return x / y


def end_block():
    """Ends all threads of a block at once."""
    raise EndlessGame
