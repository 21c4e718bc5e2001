"""Updates of n-tuple networks in a block of threads: second bodies of `update.py`.

What is true of `block_values.py` is true here.
"""

import math

import numpy as np

from tafl.core.approximators.sigma import tanh
from tafl.core.compile import inline, second_body
from tafl.core.compile.thread_block import add_to, quotient, read
from tafl.core.ntuple.block_values import mine
from tafl.core.ntuple.update import EMPTY, change, polynomial
from tafl.core.ntuple.value import ONE, TWO


@inline
def look_back(net, where, positions):
    """Return this thread's part of nu of an earlier state; write its positions, each once.

    A repeated position leaves its own place empty. Nothing here waits for the first weight.
    """
    K, m = np.uint64(where.size), np.uint64(net.tuples)
    k, step = mine()
    nu = np.float32(0)
    if k < K:
        nu = read(net.weights, np.uint64(where[k]))
        positions[k] = once(where, k, m)
        k += step
    while k < K:
        nu += read(net.weights, np.uint64(where[k]))
        positions[k] = once(where, k, m)
        k += step
    return nu


@inline
def once(where, k, m):
    """Return position k, or EMPTY if the n-tuple has it on an earlier board."""
    x, q = where[k], k
    while q >= m:
        q -= m
        if where[q] == where[k]:
            x = EMPTY
    return x


@second_body(tanh)
def block_tanh(x):
    """Return tanh in single precision, which is fast on a GPU."""
    return math.tanh(np.float32(x))


@second_body(change)
def block_change(net, where, n, alpha, delta, e, sums=None):
    w = net.weights
    d = np.float32(delta * e)
    step = np.float32(alpha) / np.float32(net.tuples * net.symmetries) * d
    total = np.float32(delta) if net.accumulate_error else d
    k, apart = mine()
    while k < n:
        i = np.uint64(where[k])
        if where[k] != EMPTY:
            if net.width == 1:
                add_to(w, i, step)
            else:
                # other blocks may be between their changes of N and of A
                x = min(quotient(abs(read(w, i + ONE)), read(w, i + TWO)), np.float32(1))
                add_to(w, i, step * (polynomial(net.rate, x) if net.exponential else x))
                add_to(w, i + ONE, total)
                add_to(w, i + TWO, abs(total))
        k += apart
