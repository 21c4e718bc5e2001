"""n-tuple networks in a block of threads: the second bodies of indices, values and updates.

The K indices of a state are divided among the threads, or among the lanes of a warp. A thread reads
what others wrote only after a barrier: reading weights needs one before, since `change` has none
after it. Places are unsigned: signed ones would be tested for being negative.
"""

import numpy as np

from tafl.core.approximators.contract import copy_code
from tafl.core.compile import inline, second_body, trailing_zeros
from tafl.core.compile.thread_block import (
    ballot,
    barrier,
    block_sum,
    lane,
    lanes,
    read,
    thread,
    threads,
    warp_sum,
)
from tafl.core.ntuple.net import Net
from tafl.core.ntuple.value import (
    BITS,
    THREE,
    TWO,
    ZERO,
    activation,
    difference,
    index_change,
    index_state,
    moved,
    offset,
    q_activation,
    q_positions,
    seen_place,
    seen_value,
)

FOUR, FIVE, SIX = np.uint64(4), np.uint64(5), np.uint64(6)


@inline
def mine():
    """Return the first index of this thread, and how far it is to its next."""
    return np.uint64(thread()), np.uint64(threads())


@inline
def of_lane():
    """Return a lane's first index and step, when each warp has another state."""
    return np.uint64(lane()), np.uint64(lanes())


@second_body(index_state)
def block_index_state(game, net, s, p, index):
    cells, K = net.strides.shape
    k, step = mine()
    while k < K:
        x = np.uint32(net.base[k])
        for c in range(cells):
            v = seen_value(game, net, s, p, c, game.input(s, c))
            x = moved(x, v, net.strides[np.uint64(seen_place(game, net, s, p, c)), k])
        index[k] = x
        k += step


@second_body(index_change)
def block_index_change(game, net, before, after, p, index, out):
    k, step = mine()
    add_changes(game, net, before, after, p, index, out, k, step)


@inline
def add_changes(game, net, before, after, p, index, out, first, step):
    """Write indices first, first + step, ... of `after` from those of `before`."""
    mask = game.changed(before, after)
    if mask == -1 or mask == 0:
        k = first
        while k < index.size:
            out[k] = index[k]
            k += step
    else:
        add_cells(game, net, before, after, p, 0, mask, index, out, first, step)
    cells = net.strides.shape[0]
    for c in range(0 if mask == -1 else BITS, cells, lanes()):  # compare cells outside the mask
        this = c + lane()
        differs = this < cells and game.input(before, this) != game.input(after, this)
        votes = ballot(differs)
        if votes != 0:
            add_cells(game, net, before, after, p, c, votes, out, out, first, step)


@inline
def add_cells(game, net, before, after, p, cell, mask, index, out, first, step):
    """Add the changed cells of a mask, whose lowest bit is `cell`, to the indices."""
    while mask != 0:
        a, da, mask = next_cell(game, net, before, after, p, cell, mask)
        b, db, mask = next_cell(game, net, before, after, p, cell, mask)
        add_pair(net, a, da, b, db, index, out, first, step)
        index = out


@inline
def next_cell(game, net, before, after, p, cell, mask):
    """Return the first cell of a mask, its change, and the rest of the mask; 0 if it is empty."""
    if mask == 0:
        return ZERO, 0, mask
    c = cell + trailing_zeros(mask)
    d = difference(game, net, before, after, p, c)
    return np.uint64(seen_place(game, net, after, p, c)), d, mask & (mask - 1)


@inline
def add_pair(net, a, da, b, db, index, out, first, step):
    """Write indices first, first + step, ... after cells a and b have changed."""
    strides, K, k = net.strides, np.uint64(out.size), first
    while k < K:  # reads go ahead of writes: a write would hold them up
        x = shifted(strides, a, da, b, db, index, k, K)
        y = shifted(strides, a, da, b, db, index, k + step, K)
        z = shifted(strides, a, da, b, db, index, k + TWO * step, K)
        put(out, k, x, K)
        put(out, k + step, y, K)
        put(out, k + TWO * step, z, K)
        k += THREE * step


@inline
def shifted(strides, a, da, b, db, index, k, K):
    """Return index k of K after the change of two cells; any index if k is too large."""
    k = k if k < K else ZERO
    return moved(moved(index[k], da, strides[a, k]), db, strides[b, k])


@inline
def put(out, k, x, K):
    """Write index k of K, if k is not too large."""
    if k < K:
        out[k] = x


@second_body(copy_code)
def block_copy_code(index, out):
    k, step = mine()
    while k < index.size:
        out[k] = index[k]
        k += step


@second_body(activation)
def block_activation(net, o, index):
    barrier()
    k, step = mine()
    nu = np.float32(0)
    while k < index.size:
        nu += read(net.weights, o + index[k])
        k += step
    return block_sum(nu)


@second_body(Net.keep_code)
def block_keep_code(net, p, index, out):
    o = offset(net, p, 0)
    k, step = mine()
    while k < index.size:
        out[k] = o + index[k]
        k += step


@second_body(q_activation)
def block_q_activation(net, now, p, a):
    barrier()
    k, step = mine()
    return block_sum(q_sum(net, now, p, a, k, step))


@inline
def q_sum(net, now, p, a, k, step):
    """Return the sum of the weights of Q(s, a) at indices k, k + step, ..."""
    nu = np.float32(0)
    while k < now.size:
        nu += read(net.weights, q_place(net, p, a, k) + now[k])
        k += step
    return nu


@inline
def q_place(net, p, a, k):
    """Return where the tables of the k-th index begin, for action a."""
    return offset(net, p, net.turned[k // np.uint64(net.tuples), np.uint64(a)])


@second_body(q_positions)
def block_q_positions(net, p, a, now, out):
    k, step = mine()
    while k < now.size:
        out[k] = q_place(net, p, a, k) + now[k]
        k += step


@inline
def reach(game, net, p, before, after, index, out):
    """Write the indices of `after` from those of `before`, by one warp; return the activation."""
    o, mask = offset(net, p, 0), game.changed(before, after)
    first, step = of_lane()
    if mask == -1 or net.strides.shape[0] > BITS:
        add_changes(game, net, before, after, p, index, out, first, step)
        return warp_sum(gather(net, o, ZERO, 0, ZERO, 0, out, out, first, step))
    a, da, mask = next_cell(game, net, before, after, p, 0, mask)
    b, db, mask = next_cell(game, net, before, after, p, 0, mask)
    while mask != 0:
        add_pair(net, a, da, b, db, index, out, first, step)
        index = out
        a, da, mask = next_cell(game, net, before, after, p, 0, mask)
        b, db, mask = next_cell(game, net, before, after, p, 0, mask)
    return warp_sum(gather(net, o, a, da, b, db, index, out, first, step))


@inline
def gather(net, o, a, da, b, db, index, out, first, step):
    """Do what `add_pair` does, and return the sum of the weights, loaded six at a time."""
    strides, K, k = net.strides, np.uint64(out.size), first
    nu = np.float32(0)
    while k < K:
        k1, k2, k3 = k + step, k + TWO * step, k + THREE * step
        k4, k5 = k + FOUR * step, k + FIVE * step
        x0 = shifted(strides, a, da, b, db, index, k, K)
        x1 = shifted(strides, a, da, b, db, index, k1, K)
        x2 = shifted(strides, a, da, b, db, index, k2, K)
        x3 = shifted(strides, a, da, b, db, index, k3, K)
        x4 = shifted(strides, a, da, b, db, index, k4, K)
        x5 = shifted(strides, a, da, b, db, index, k5, K)
        w0, w1 = weight(net, o, x0, k, K), weight(net, o, x1, k1, K)
        w2, w3 = weight(net, o, x2, k2, K), weight(net, o, x3, k3, K)
        w4, w5 = weight(net, o, x4, k4, K), weight(net, o, x5, k5, K)
        put(out, k, x0, K)
        put(out, k1, x1, K)
        put(out, k2, x2, K)
        put(out, k3, x3, K)
        put(out, k4, x4, K)
        put(out, k5, x5, K)
        nu += (w0 + w1) + (w2 + w3) + (w4 + w5)
        k += SIX * step
    return nu


@inline
def weight(net, o, x, k, K):
    """Return the weight of index x, the k-th of K; 0 if k is too large."""
    w = read(net.weights, o + (np.uint64(x) if k < K else ZERO))
    return w if k < K else np.float32(0)
