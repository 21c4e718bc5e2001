"""A block of threads that runs one kernel together, as Python functions.

On a GPU all threads of a block run the same learner on the same game. Private memory has the same
content in every thread; work is divided through shared memory, with a barrier between writing and
reading what others wrote. Lanes are the threads of one warp. `cuda_words.py` has the bodies for the
GPU; here a block is a single thread.
"""

from types import SimpleNamespace

import numpy as np

from tafl.errors import EndlessGame

MOST_WARPS = 8  # of a block

# Stands for numba.cuda: memory of one thread, or of a block.
_memory = SimpleNamespace(array=np.zeros)
device = SimpleNamespace(local=_memory, shared=_memory)


def block():
    """Return the number of this block."""
    return 0


def thread():
    """Return the number of this thread in its block."""
    return 0


def threads():
    """Return how many threads a block has."""
    return 1


def lane():
    """Return the number of this thread in its warp."""
    return 0


def lanes():
    """Return how many threads a warp has."""
    return 1


def warp():
    """Return the number of this warp in its block."""
    return 0


def warps():
    """Return how many warps a block has."""
    return 1


def barrier():
    """Wait for all threads of the block."""


def ballot(vote):
    """Return the lanes whose vote is true, as bits of a word."""
    return np.int64(vote)


def warp_sum(x):
    """Return the sum over the lanes of a warp, in a fixed order."""
    return x


def put_part(parts, x):
    """Write the sum over the lanes of each warp; `parts` has room for MOST_WARPS."""
    parts[0] = x


def add_parts(parts):
    """Return the sum of all parts, in a fixed order; a barrier comes before."""
    return parts[0]


def block_sum(x):
    """Return the sum over the threads of a block, in a fixed order; one barrier per sum."""
    return x


def alone():
    """Return whether no other block changes the tables of this block's agent."""
    return True


def read(array, i):
    """Return array[i], including what other blocks have added if tables are shared."""
    return array[i]


def add_to(array, i, x):
    """Add x to array[i], atomically if tables are shared."""
    array[i] += x


def take(array, i, x):
    """Add x to array[i], atomically if several blocks do so; return the value before."""
    array[i] += x
    return array[i] - x


def quotient(x, y):
    """Return x / y in single precision, to the last bit or two."""
    return x / y


def end_block():
    """End all threads of a block at once."""
    raise EndlessGame
