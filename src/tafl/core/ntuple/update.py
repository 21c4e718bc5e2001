"""One step of the weights: lines 4-9 of Algorithm 7 (TD(lambda)Update) with temporal coherence."""

import numpy as np

from tafl.core.compile import inline
from tafl.core.ntuple.value import LARGE

VECTOR = 16  # the number of n-tuples from which vector loops pay
# The number of symmetric boards from which a hash table is faster than comparing all positions, for
# few n-tuples and for vector loops.
MANY, MANY_VECTOR = 16, 64

EMPTY = np.uint32(0xFFFFFFFF)  # no position
SPREAD, HALF = np.uint64(0x9E3779B1), np.uint64(16)  # a hash: the middle bits of a product


def seen_slots(net) -> int:
    """Return the size of the table of `distinct`, a power of 2, at most half of it in use."""
    many = MANY if net.tuples < VECTOR else MANY_VECTOR
    return 1 << (2 * net.symmetries - 1).bit_length() if net.symmetries >= many else 0


@inline
def distinct(net, index, seen, where):
    """Write the positions of a state, each once within one n-tuple; return how many there are.

    Symmetric boards often activate the same weight; it is changed once (the set M of Algorithm 7).
    """
    m, boards = np.uint64(net.tuples), np.uint64(net.symmetries)
    if seen.size > 0:
        return distinct_many(m, boards, index, seen, where)
    if net.tuples < VECTOR:
        if net.weights.size < LARGE or repeated(m, m * boards, index):
            return distinct_few(m, boards, index, where)
        for k in range(m * boards):
            where[k] = index[k]
        return index.size
    return distinct_vector(net.tuples, net.symmetries, index, where)


@inline
def distinct_vector(m, boards, index, where):
    """Do what `distinct` does for many n-tuples, side by side."""
    for k in range(m * boards):
        where[k] = 0
    for s in range(1, boards):
        this, repeated = index[s * m : s * m + m], where[s * m : s * m + m]
        for q in range(s):
            other = index[q * m : q * m + m]
            for i in range(m):
                repeated[i] |= this[i] == other[i]
    n = np.uint64(0)
    for k in range(m * boards):
        new = np.uint64(1) - where[k]
        where[n] = index[k]
        n += new
    return np.int64(n)


@inline
def repeated(m, K, index):
    """Return whether two boards have the same index of an n-tuple (rare for long n-tuples)."""
    found = False
    for apart in range(m, K, m):
        for k in range(K - apart):
            found |= index[k] == index[k + apart]
    return found


@inline
def distinct_few(m, boards, index, where):
    """Do what `distinct` does for few n-tuples, one after the other."""
    n = np.uint64(0)
    for i in range(m):
        for s in range(boards):
            x = index[s * m + i]
            new = np.uint64(1)
            for q in range(s):
                if index[q * m + i] == x:
                    new = np.uint64(0)
            where[n] = x
            n += new
    return np.int64(n)


@inline
def distinct_many(m, boards, index, seen, where):
    """Do what `distinct` does for many boards, in linear time, with a hash table."""
    n, one, mask = np.uint64(0), np.uint64(1), np.uint64(seen.size - 1)
    for i in range(m):
        for slot in range(seen.size):
            seen[slot] = EMPTY
        for s in range(boards):
            x = index[s * m + i]
            h = (np.uint64(x) * SPREAD >> HALF) & mask
            while seen[h] != x and seen[h] != EMPTY:
                h = (h + one) & mask
            where[n] = x
            n += np.uint64(seen[h] == EMPTY)
            seen[h] = x
    return np.int64(n)


@inline
def polynomial(g, x):
    """Return g(x), of degree 7."""
    return g[0] + x * (
        g[1] + x * (g[2] + x * (g[3] + x * (g[4] + x * (g[5] + x * (g[6] + x * g[7])))))
    )


@inline
def change(net, where, n, alpha, delta, e, sums):
    """Add alpha / (m N_S) * delta * e to weights, times each weight's rate (TCL)."""
    w = net.weights
    d = np.float32(delta * e)
    step = np.float32(alpha / (net.tuples * net.symmetries)) * d
    if net.width == 1:
        for j in range(n):
            w[where[j]] += step
        return
    total = np.float32(delta) if net.accumulate_error else d
    if net.exponential:
        change_by_rates(net, where, n, step, total, sums[0], sums[1])
        return
    one, two = np.uint64(1), np.uint64(2)
    for j in range(n):
        i = np.uint64(where[j])
        w[i] += step * (abs(w[i + one]) / w[i + two])
        w[i + one] += total
        w[i + two] += abs(total)


@inline
def change_by_rates(net, where, n, step, total, N, A):
    """Do what `change` does with rates g(|N| / A), all rates at once, as vectors."""
    w, r, one, two = net.weights, net.rate, np.uint64(1), np.uint64(2)
    for j in range(n):
        i = np.uint64(where[j])
        N[j], A[j] = w[i + one], w[i + two]
        w[i + one] += total
        w[i + two] += abs(total)
    g = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
    for j in range(n):  # |N| is at most A, unless another thread is between its changes of both
        N[j] = polynomial(g, min(abs(N[j]) / A[j], np.float32(1)))
    for j in range(n):
        w[where[j]] += step * N[j]
