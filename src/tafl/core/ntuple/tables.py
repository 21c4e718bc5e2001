"""Layout of the weights of n-tuples: sizes of tables, and what a cell adds to an index.

An n-tuple with more patterns than any table has room for, a whole board say, adds random numbers
instead of powers: a hash of its cells, and linear in them, too. With `hash_bits` = b so do all
n-tuples with more than 2^b patterns, in tables of about that size; 0 stands for the usual limits.
"""

import numpy as np

from tafl.core.compile import inline

# Tables are powers in size: without a gap the same index of all tables would fall into the same few
# cache sets.
GAP = 155
MOST = 2**32 - 1  # a position in the tables is a 32-bit number
HASHED = 2**26  # approximate size of a table that is hashed
CACHE, LINE = 1 << 19, 64  # bytes of a cache that holds `rows`, and of its lines


@inline
def patterns(values, length):
    """Return values^length, the number of patterns of `length` cells, at most MOST + 1."""
    count = 1
    for _ in range(length):
        count = min(count * values, MOST + 1)
    return count


@inline
def step(values, length, j, hash_bits):
    """Return what the j-th cell of an n-tuple adds to the index per value."""
    most, hashed = MOST, HASHED
    if hash_bits > 0:
        most = hashed = 1 << hash_bits
    if patterns(values, length) <= most:
        return patterns(values, j)
    random = 48271
    for _ in range(j + 1):
        random = random * 48271 % 2147483647  # Lehmer's generator
    return random * (2 * hashed // (length * (values - 1))) // 2147483647


@inline
def entries(values, length, hash_bits):
    """Return the number of weights in the table of an n-tuple, up to its largest index."""
    largest = 0
    for j in range(length):
        largest += (values - 1) * step(values, length, j, hash_bits)
    return largest + 1


@inline
def lay_out(tuples, lengths, boards, values, hash_bits, width, strides, base):
    """Lay out tables one after the other, with gaps: fill strides and base, which are 0.

    Row i of `tuples` begins with the lengths[i] cells of n-tuple i; row s of `boards` is a
    symmetric board. Returns how many floats the tables of one output take.
    """
    m, end = lengths.size, 0
    for i in range(m):
        for j in range(lengths[i]):
            added = width * step(values, lengths[i], j, hash_bits)
            for s in range(boards.shape[0]):
                strides[boards[s, tuples[i, j]], s * m + i] += added
        for s in range(boards.shape[0]):
            base[s * m + i] = end
        end += width * (entries(values, lengths[i], hash_bits) + GAP)
    return end


def ragged(tuples: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return lists of several lengths as rows of one array, and the length of each.

    >>> ragged([[4], [0, 1]])
    (array([[4, 0],
           [0, 1]]), array([1, 2]))
    """
    lengths = np.array([len(cells) for cells in tuples])
    rows = np.zeros((len(tuples), max(lengths, default=0)), np.int64)
    for row, cells in zip(rows, tuples, strict=True):
        row[: len(cells)] = cells
    return rows, lengths


def rows_of_bytes(facts, strides: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Return what each value of each byte of a packed word adds to the indices.

    None if the game does not say how cells are packed, or if a cache would not hold the rows.
    """
    cells, K = strides.shape
    packed, size = facts.packed, 8 * 256 * K
    if packed is None or size * base.itemsize > CACHE:
        return np.zeros(0, np.uint32)
    room = np.zeros(size + LINE // base.itemsize, np.uint32)
    first = -room.ctypes.data % LINE // base.itemsize
    rows = room[first : first + size].reshape(8, 256, K)
    rows[0] = base
    for c in range(cells):
        byte, shift = divmod(packed.bits * c, 8)
        bits = (np.arange(256) >> shift) & ((1 << packed.bits) - 1)
        rows[byte] += np.outer(np.array(packed.values)[bits], strides[c]).astype(np.uint32)
    return rows.reshape(size)
