"""States and legal actions of any game, as kernels handle them."""

import numpy as np

from tafl.core.compile import inline, popcount, trailing_zeros
from tafl.core.random import below

BITS = 64
MIX, HALF = np.uint64(0xD6E8FEB86659FD93), np.uint64(32)


@inline
def hashed(h, word):
    """Return a hash value with one more word in it."""
    h = (h ^ np.uint64(word)) * MIX
    return h ^ (h >> HALF)


@inline
def copy_state(s, to):
    """Copy the state s to `to`."""
    for j in range(s.size):
        to[j] = s[j]


@inline
def same_state(s, other):
    """Return whether two states are equal."""
    for j in range(s.size):
        if s[j] != other[j]:
            return False
    return True


@inline
def legal_bits(game, s, actions):
    """Return the legal actions as bits of a word; -1 if there are too many."""
    mask = game.legal_mask(s)
    if mask == -1 and actions <= BITS:
        mask = 0
        for a in range(actions):
            if game.legal(s, a):
                mask |= 1 << a
    return mask


@inline
def legal_actions(game, s, actions, out):
    """Write the legal actions in ascending order; return how many there are."""
    listed = game.list_moves(s, out)
    if listed != -1:
        return listed
    n, mask = 0, legal_bits(game, s, actions)
    if mask == -1:
        for a in range(actions):
            if game.legal(s, a):
                out[n] = a
                n += 1
        return n
    while mask != 0:
        out[n] = trailing_zeros(mask)
        n += 1
        mask &= mask - 1
    return n


@inline
def random_action(game, s, scratch, rng):
    """Return a legal action, chosen uniformly at random; `scratch` has room for all actions."""
    listed = game.list_moves(s, scratch)
    if listed != -1:
        return scratch[below(rng, listed)]
    actions = scratch.size
    mask = legal_bits(game, s, actions)
    if mask != -1:
        for _ in range(below(rng, popcount(mask))):
            mask &= mask - 1
        return trailing_zeros(mask)
    n = 0
    for a in range(actions):
        if game.legal(s, a):
            n += 1
    left = below(rng, n)
    for a in range(actions):
        if game.legal(s, a):
            if left == 0:
                return a
            left -= 1
    return -1
