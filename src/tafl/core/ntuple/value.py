"""From states to indices to values."""

import math

import numpy as np

from tafl.core.compile import inline, prefetch, trailing_zeros


@inline
def index_state(game, net, s, index):
    """The indices of a state, from all its cells."""
    cells, K = net.strides.shape
    for k in range(K):
        index[k] = net.base[k]
    for c in range(cells):
        v = game.cell(s, c)
        if v != 0:
            for k in range(K):
                index[k] += v * net.strides[c, k]


@inline
def index_change(game, net, before, after, index, out):
    """The indices of `after` from those of `before`: only cells that changed are added."""
    cells, K = net.strides.shape
    mask = game.changed(before, after)
    if mask == -1:
        for k in range(K):
            out[k] = index[k]
        for c in range(cells):
            d = game.cell(after, c) - game.cell(before, c)
            if d != 0:
                for k in range(K):
                    out[k] += d * net.strides[c, k]
    else:
        first = True
        while mask != 0:
            c = trailing_zeros(mask)
            mask &= mask - 1
            d = game.cell(after, c) - game.cell(before, c)
            if first:
                for k in range(K):
                    out[k] = index[k] + d * net.strides[c, k]
                first = False
            else:
                for k in range(K):
                    out[k] += d * net.strides[c, k]
        if first:
            for k in range(K):
                out[k] = index[k]


@inline
def fetch(net, p, index):
    """Asks for the weights of a state ahead of their use."""
    o = np.uint64(p * net.size)
    for k in range(index.size):
        prefetch(net.weights, o + index[k])


@inline
def activation(net, p, index):
    """nu(s'): the sum of all weights that a state activates for player p."""
    o = np.uint64(p * net.size)
    nu = np.float32(0)
    for k in range(index.size):
        nu += net.weights[o + index[k]]
    return nu


@inline
def squash(net, nu):
    """sigma(nu)."""
    if net.tanh:
        return np.float32(math.tanh(nu))
    return nu


@inline
def slope(net, v):
    """sigma'(nu) where sigma(nu) = v."""
    if net.tanh:
        return np.float32(1) - v * v
    return np.float32(1)
