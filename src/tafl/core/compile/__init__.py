"""Turns plain Python functions into machine code; the only door to Numba.

Rules and learners are ordinary Python: they import from here and run with or without compilation.

    @inline     a function that kernels may call; stays a Python function when Python calls it
    @vector     one whose sums may be added in any order, as vectors
    @kernel     a function that Python calls; compiled for each game class on first use, cached on
                disk, and `kernel.python` is the same function uncompiled

Nothing in this module imports Numba before the first kernel is compiled.
"""

from tafl.core.compile.explain import examine
from tafl.core.compile.kernel import Kernel, inline, kernel, second_body, vector
from tafl.core.compile.primitives import (
    call_python,
    count_up,
    give_way,
    popcount,
    prefetch,
    trailing_zeros,
)
from tafl.core.compile.stop import KernelInterrupt, interruptible
from tafl.signals import ABANDON, STOP, insist

__all__ = [
    "ABANDON",
    "STOP",
    "Kernel",
    "KernelInterrupt",
    "call_python",
    "count_up",
    "examine",
    "give_way",
    "inline",
    "insist",
    "interruptible",
    "kernel",
    "popcount",
    "prefetch",
    "second_body",
    "trailing_zeros",
    "vector",
]
