"""From states to indices to values."""

import numpy as np

from tafl.core.approximators.contract import copy_code
from tafl.core.compile import inline, popcount, prefetch, trailing_zeros

# Unsigned: signed positions would be tested for being negative.
ZERO, ONE, TWO, THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
BYTE = np.uint64(255)
BITS = 64  # cells that a mask has room for
FEW = 4  # cells that `index_change` adds at once

# The number of floats from which prefetching pays (benchmarks/prefetch.py): smaller tables lie in
# the caches.
LARGE = 1 << 20


@inline
def seen_value(game, net, s, p, c, v):
    """Return value v of cell c; where one network serves all players, as if p were player 0.

    Games whose seats are not interchangeable leave the question out: it costs TicTacToe 8 %.
    """
    return np.int64(net.seats[p, c, v]) if game.rotates(s) and net.seats.size > 0 else v


@inline
def seen_place(game, net, s, p, c):
    """Return the cell where a player sees what is on cell c."""
    return np.int64(net.places[p, c]) if game.rotates(s) and net.seats.size > 0 else c


@inline
def index_state(game, net, s, p, index):
    """Write the indices of a state, from all its cells."""
    if net.rows.size > 0:
        index_packed(net, s, index)
        return
    cells, K = net.strides.shape
    for k in range(K):
        index[k] = net.base[k]
    for c in range(cells):
        v = seen_value(game, net, s, p, c, game.input(s, c))
        place = seen_place(game, net, s, p, c)
        if v != 0:
            for k in range(K):
                index[k] += v * net.strides[place, k]


@inline
def index_seen(game, net, s, p, index):
    """Write the indices of what player p sees of a state."""
    cells, K = net.strides.shape
    for k in range(K):
        index[k] = net.base[k]
    for c in range(cells):
        v = seen_value(game, net, s, p, c, game.sees(s, p, c))
        place = seen_place(game, net, s, p, c)
        if v != 0:
            for k in range(K):
                index[k] += v * net.strides[place, k]


@inline
def row(word, byte, K):
    """Return where the row of a byte of the word begins."""
    return (((word >> np.uint64(8 * byte)) & BYTE) + np.uint64(256 * byte)) * K


@inline
def index_packed(net, s, index):
    """Write the indices of a state with packed cells: eight bytes, eight rows."""
    rows, K, word = net.rows, np.uint64(index.size), np.uint64(s[0])
    a, b, c, d = row(word, 0, K), row(word, 1, K), row(word, 2, K), row(word, 3, K)
    e, f, g, h = row(word, 4, K), row(word, 5, K), row(word, 6, K), row(word, 7, K)
    for k in range(K):
        low = rows[a + k] + rows[b + k] + rows[c + k] + rows[d + k]
        index[k] = low + rows[e + k] + rows[f + k] + rows[g + k] + rows[h + k]


@inline
def index_change(game, net, before, after, p, index, out):
    """Write the indices of `after` from those of `before`, by the cells that changed."""
    if net.rows.size > 0:
        index_packed(net, after, out)
        return
    mask = game.changed(before, after)
    if mask == -1:
        copy_code(index, out)
        add_compared(game, net, before, after, p, 0, out)
        return
    mask = add_cells(game, net, before, after, p, mask, index, out)
    while mask != 0:
        mask = add_cells(game, net, before, after, p, mask, out, out)
    add_compared(game, net, before, after, p, BITS, out)


@inline
def index_candidate(game, net, work, p, i, first):
    """Write the indices of candidate i, from the state's or, if fewer cells differ, from i - 1."""
    near, index, after = work.state, work.now, work.afters[i]
    cells = popcount(game.changed(near, after))
    if i > first and FEW < cells < BITS:
        if popcount(game.changed(work.afters[i - 1], after)) < cells:
            near, index = work.afters[i - 1], work.codes[i - 1]
    index_change(game, net, near, after, p, index, work.codes[i])


@inline
def add_compared(game, net, before, after, p, first, out):
    """Add the cells that changed, from a cell on, by comparing each."""
    for c in range(first, net.strides.shape[0]):
        d = difference(game, net, before, after, p, c)
        place = seen_place(game, net, after, p, c)
        if d != 0:
            for k in range(out.size):
                out[k] += d * net.strides[place, k]


@inline
def add_cells(game, net, before, after, p, mask, index, out):
    """Add up to four cells of a mask to the indices; return the rest of the mask.

    Reading and writing the indices costs as much as a cell.
    """
    strides = net.strides
    a, da, mask = next_change(game, net, before, after, p, mask)
    if mask == 0:
        for k in range(index.size):
            out[k] = moved(index[k], da, strides[a, k])
        return mask
    b, db, mask = next_change(game, net, before, after, p, mask)
    if mask == 0:
        for k in range(index.size):
            out[k] = moved(moved(index[k], da, strides[a, k]), db, strides[b, k])
        return mask
    c, dc, mask = next_change(game, net, before, after, p, mask)
    d, dd, mask = next_change(game, net, before, after, p, mask)
    for k in range(index.size):
        x = moved(moved(index[k], da, strides[a, k]), db, strides[b, k])
        out[k] = moved(moved(x, dc, strides[c, k]), dd, strides[d, k])
    return mask


@inline
def moved(x, d, stride):
    """Return an index after one cell has changed by d, in 32 bits: vectors hold twice as many."""
    return np.uint32(x + d * stride)


@inline
def next_change(game, net, before, after, p, mask):
    """Return the first cell of a mask, its change, and the rest of the mask; 0 if it is empty."""
    if mask == 0:
        return 0, 0, mask
    c = trailing_zeros(mask)
    d = difference(game, net, before, after, p, c)
    return seen_place(game, net, after, p, c), d, mask & (mask - 1)


@inline
def difference(game, net, before, after, p, c):
    """Return by how much the value of a cell has changed, as player p sees it."""
    value = seen_value(game, net, after, p, c, game.input(after, c))
    return value - seen_value(game, net, before, p, c, game.input(before, c))


@inline
def offset(net, p, output):
    """Return where the tables of a player's output begin."""
    first = 0 if net.seats.size > 0 else p
    return np.uint64((first * net.outputs + output) * net.size)


@inline
def fetch(net, o, index):
    """Prefetch the weights that a state activates."""
    for k in range(index.size):
        prefetch(net.weights, o + index[k])


@inline
def activation(net, o, index):
    """Return nu(s'), the sum of the weights that a state activates in tables that begin at o."""
    w = net.weights
    K = np.uint64(index.size)
    n0, n1, n2, n3 = np.float32(0), np.float32(0), np.float32(0), np.float32(0)
    for block in range(K >> TWO):
        k = np.uint64(block) << TWO
        n0 += w[o + index[k]]
        n1 += w[o + index[k + ONE]]
        n2 += w[o + index[k + TWO]]
        n3 += w[o + index[k + THREE]]
    for k in range(K & ~THREE, K):
        n0 += w[o + index[k]]
    return (n0 + n1) + (n2 + n3)


@inline
def q_activation(net, now, p, a):
    """Return the activation of Q(s, a | p) of a state with these indices.

    Symmetries act on boards and actions together: what stands for Q(s, a) on a symmetric board is
    the output of the action turned the same way.
    """
    m = net.tuples
    nu = np.float32(0)
    for s in range(net.symmetries):
        nu += activation(net, offset(net, p, net.turned[s, a]), now[s * m : s * m + m])
    return nu


@inline
def q_positions(net, p, a, now, out):
    """Write the positions of Q(s, a | p)."""
    m = net.tuples
    for s in range(net.symmetries):
        o = offset(net, p, net.turned[s, a])
        for i in range(m):
            out[s * m + i] = o + now[s * m + i]
