"""Machine instructions that Python has no word for, as Python functions.

`cpu.py` gives each of them a compiled body; the bodies here serve uncompiled runs.
"""


def trailing_zeros(word):
    """Position of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


def popcount(word):
    """Number of set bits of a 64-bit word."""
    return (int(word) & 0xFFFFFFFFFFFFFFFF).bit_count()


def prefetch(array, i):
    """Asks for array[i] ahead of its use."""
