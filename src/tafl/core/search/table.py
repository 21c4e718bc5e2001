"""A hash table of searched states: open addressing in arrays, found by hash, verified by all words.

An entry says what a search of `left` plies found. Where everything below the state ended within
`height` plies, the depth limit played no part, and the entry holds for any search at least as deep;
else only for one of exactly the same depth. So a table never changes a result, whatever is in it.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.states import copy_state, hashed, same_state
from tafl.core.memory import Array, allocate

WINDOW = 8  # slots where an entry may lie
EMPTY = -1
UNDECIDED = 1 << 20  # a height: somewhere below, the depth limit was reached
EXACT, LOWER, UPPER = 0, 1, 2  # kinds of values: exact, or a bound of the true one

SEED = np.uint64(0x9E3779B97F4A7C15)


class HashTable(NamedTuple):
    """One row or number a slot; an empty table has no slot."""

    words: Annotated[Array, "int64[rows, words]"]
    left: Annotated[Array, "int32[rows]"]  # EMPTY, or how many plies were searched
    height: Annotated[Array, "int32[rows]"]
    values: Annotated[Array, "float64[rows, players]"]
    bounds: Annotated[Array, "int8[rows]"]
    moves: Annotated[Array, "int32[rows]"]  # the best action
    slots: int  # a power of 2, or 0


def make_table(facts, bits: int) -> HashTable:
    """Return an empty table of 2**bits slots; without any for 0 bits."""
    slots = 1 << bits if bits else 0
    table = allocate(HashTable, vars(facts) | {"rows": slots + WINDOW}, slots=slots)
    table.left[:] = EMPTY
    return table


@inline
def home(table, s):
    """Return the first slot of a state's window."""
    h = SEED
    for j in range(s.size):
        h = hashed(h, s[j])
    return np.int64(h & np.uint64(table.slots - 1))


@inline
def find(table, s):
    """Return the slot of a state, or -1."""
    if table.slots > 0:
        first = home(table, s)
        for slot in range(first, first + WINDOW):
            if table.left[slot] == EMPTY:
                return -1
            if same_state(s, table.words[slot]):
                return slot
    return -1


@inline
def holds(table, slot, left):
    """Return whether an entry is valid for a search of `left` plies."""
    return table.left[slot] == left or table.height[slot] <= left


@inline
def claim(table, s, left, height):
    """Return a slot for a state: its own, an empty one, or the least valuable one."""
    first = home(table, s)
    worst = first
    for slot in range(first, first + WINDOW):
        if table.left[slot] == EMPTY or same_state(s, table.words[slot]):
            worst = slot
            break
        if table.left[slot] < table.left[worst]:
            worst = slot
    copy_state(s, table.words[worst])
    table.left[worst] = left
    table.height[worst] = height
    return worst
