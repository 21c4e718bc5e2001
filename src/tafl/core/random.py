"""Random numbers for kernels: SplitMix64, one word of state, the same compiled and uncompiled.

A generator is an array: rng = np.array([seed], np.uint64)
"""

import numpy as np

from tafl.core.compile import inline

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31, S32 = (np.uint64(n) for n in (11, 27, 30, 31, 32))


@inline
def bits(rng):
    """Return the next 64 random bits."""
    rng[0] += GOLDEN
    z = rng[0]
    z = (z ^ (z >> S30)) * MIX1
    z = (z ^ (z >> S27)) * MIX2
    return z ^ (z >> S31)


@inline
def below(rng, n):
    """Return a random whole number from 0 to n - 1."""
    return np.int64(((bits(rng) >> S32) * np.uint64(n)) >> S32)


@inline
def uniform(rng):
    """Return a random number from 0 up to, but not including, 1."""
    return np.float64(bits(rng) >> S11) * (1.0 / 9007199254740992.0)
