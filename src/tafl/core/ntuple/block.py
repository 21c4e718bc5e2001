"""n-tuple networks in a block of threads: the second bodies of indices, values and updates.

The K indices of a state are divided among the threads, or among the lanes of a warp. A thread reads
what others wrote only after a barrier: `activation` and `change` have one.
"""

import math

import numpy as np

from tafl.core.compile import inline, second_body, trailing_zeros
from tafl.core.compile.block import (
    add_to,
    ballot,
    barrier,
    block_sum,
    lane,
    lanes,
    read,
    thread,
    threads,
)
from tafl.core.ntuple.update import EMPTY, change, distinct, polynomial
from tafl.core.ntuple.value import BITS, activation, copy_index, index_change, index_state, tanh


@second_body(index_state)
def block_index_state(game, net, s, index):
    cells, K = net.strides.shape
    k = thread()
    while k < K:
        x = np.int64(net.base[k])
        for c in range(cells):
            x += game.cell(s, c) * net.strides[c, k]
        index[k] = x
        k += threads()


@second_body(index_change)
def block_index_change(game, net, before, after, index, out):
    add_changes(game, net, before, after, index, out, thread(), threads())


@inline
def add_changes(game, net, before, after, index, out, first, step):
    """Indices first, first + step, ... of `after` from those of `before`."""
    mask = game.changed(before, after)
    if mask != -1:
        add_cells(game, net, before, after, 0, mask, index, out, first, step)
        add_differing(game, net, before, after, BITS, out, first, step)
        return
    k = first
    while k < index.size:
        out[k] = index[k]
        k += step
    add_differing(game, net, before, after, 0, out, first, step)


@inline
def add_differing(game, net, before, after, from_cell, out, first, step):
    """The same for all cells from one on that differ."""
    cells = net.strides.shape[0]
    for c in range(from_cell, cells, lanes()):
        mine = c + lane()
        differs = mine < cells and game.cell(before, mine) != game.cell(after, mine)
        add_cells(game, net, before, after, c, ballot(differs), out, out, first, step)


@inline
def add_cells(game, net, before, after, cell, mask, index, out, first, step):
    """The same for the changed cells of a mask, whose lowest bit is a given cell."""
    strides = net.strides
    while True:
        a, da, mask = next_cell(game, before, after, cell, mask)
        b, db, mask = next_cell(game, before, after, cell, mask)
        k = first
        while k < index.size:  # reads go ahead of writes: a write would hold them up
            x = shifted(strides, index, a, da, b, db, k)
            y = shifted(strides, index, a, da, b, db, k + step)
            z = shifted(strides, index, a, da, b, db, k + 2 * step)
            put(out, k, x)
            put(out, k + step, y)
            put(out, k + 2 * step, z)
            k += 3 * step
        if mask == 0:
            return
        index = out


@inline
def shifted(strides, index, a, da, b, db, k):
    """Index k after the change of two cells; any number where there is no such index."""
    k = k if k < index.size else 0
    return index[k] + da * strides[a, k] + db * strides[b, k]


@inline
def put(out, k, x):
    """Writes an index, if there is one of this number."""
    if k < out.size:
        out[k] = x


@inline
def next_cell(game, before, after, cell, mask):
    """The first cell of a mask, how much it changed, and the rest of the mask; 0 if it is empty."""
    if mask == 0:
        return 0, 0, mask
    c = cell + trailing_zeros(mask)
    return c, game.cell(after, c) - game.cell(before, c), mask & (mask - 1)


@second_body(copy_index)
def block_copy_index(index, out):
    k = thread()
    while k < index.size:
        out[k] = index[k]
        k += threads()


@second_body(activation)
def block_activation(net, o, index):
    nu = np.float32(0)
    k = thread()
    while k < index.size:
        nu += read(net.weights, o + index[k])
        k += threads()
    return block_sum(nu)


@inline
def gather(net, o, index, first, step):
    """The sum of the weights of indices first, first + step, ...: six are on their way at once."""
    nu = np.float32(0)
    k = first
    while k < index.size:
        a, b = weight(net, o, index, k), weight(net, o, index, k + step)
        c, d = weight(net, o, index, k + 2 * step), weight(net, o, index, k + 3 * step)
        e, f = weight(net, o, index, k + 4 * step), weight(net, o, index, k + 5 * step)
        nu += (a + b) + (c + d) + (e + f)
        k += 6 * step
    return nu


@inline
def weight(net, o, index, k):
    """The weight of index k; 0 where there is no such index."""
    w = read(net.weights, o + index[k if k < index.size else 0])
    return w if k < index.size else np.float32(0)


@second_body(tanh)
def block_tanh(x):
    """In single precision, which is fast here, and as good for a single result."""
    return math.tanh(np.float32(x))


@second_body(distinct)
def block_distinct(net, index, seen, where):
    """A repeated position leaves its own place empty; activation, just before, had a barrier."""
    k = thread()
    while k < index.size:
        x = index[k]
        q = k - net.tuples
        while q >= 0:
            if index[q] == x:
                x = EMPTY
            q -= net.tuples
        where[k] = x
        k += threads()
    return index.size


@second_body(change)
def block_change(net, where, n, alpha, delta, e, sums=None):
    w = net.weights
    d = np.float32(delta * e)
    step = np.float32(alpha) / np.float32(net.tuples * net.symmetries) * d
    one, two = np.uint64(1), np.uint64(2)
    total = np.float32(delta) if net.accumulate_error else d
    j = thread()
    while j < n:
        i = np.uint64(where[j])
        if where[j] != EMPTY:
            if net.fixed > 0:
                add_to(w, i, step * np.float32(net.fixed))
            else:
                # other blocks may be between their changes of N and of A
                x = min(abs(read(w, i + one)) / read(w, i + two), np.float32(1))
                add_to(w, i, step * (polynomial(net.rate, x) if net.exponential else x))
                add_to(w, i + one, total)
                add_to(w, i + two, abs(total))
        j += threads()
    barrier()
