"""The numbers that regret matching keeps: critic, regrets and average policy of information states.

An information state is what the player to move sees. It has one or several rows of `tables`, and
each of its numbers, one per action, is a sum over these rows:

    exact       one row, taken at the first visit. A hash table with open addresses finds it; its
                key, the player and all that it sees, is compared in full
    n-tuples    one row in the table of each n-tuple, as in a network (core/ntuple/net.py)
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import count_up, inline
from tafl.core.memory import Array, allocate
from tafl.core.ntuple.net import Net
from tafl.core.random import GOLDEN, S32
from tafl.errors import FullStore

CRITIC, REGRETS, AVERAGE = 0, 1, 2  # Q(s, a), R(s, a) and the sum of policies that were played
WORD = 64  # bits


class Store(NamedTuple):
    """The tables of all players; without n-tuples in `net` they are exact."""

    net: Net  # how to index n-tuples; its own weights are not used
    bits: int  # of a cell in a key
    tables: Annotated[Array, "float64[rows, 3, actions]"]
    keys: Annotated[Array, "uint64[states, key]"]
    slots: Annotated[Array, "uint32[slots]"]  # a row + 1, by hash; 0: empty
    used: Annotated[Array, "int64[1]"]  # how many rows are


def make_store(facts, net: Net, states: int) -> Store:
    """Return an empty store; without n-tuples in the net an exact one with this many states."""
    bits, words = key_size(facts)
    rows = facts.players * net.size if net.tuples else states
    sizes = vars(facts) | {"rows": rows, "states": 0 if net.tuples else states, "key": words}
    sizes["slots"] = slots_of(0 if net.tuples else states)
    return allocate(Store, sizes, net=net, bits=bits)


def key_size(facts) -> tuple[int, int]:
    """Return the bits of a cell in a key, and the words of a key; the player comes first."""
    bits = max(1, (max(facts.values, facts.players) - 1).bit_length())
    return bits, -(-(facts.cells + 1) // (WORD // bits))


def slots_of(states: int) -> int:
    """Return the size of a hash table of which at most half is in use."""
    return 2 ** (2 * states - 1).bit_length() if states else 0


def store_bytes(facts, net: Net, states: int) -> int:
    """Return the most memory that a store takes; an exact one takes it state by state."""
    row = 3 * 8 * facts.actions
    if net.tuples:
        return int(facts.players * net.size * row)
    return int(states * (row + 8 * key_size(facts)[1]) + 4 * slots_of(states))


def rows_used(store: Store) -> int:
    """Return how many rows of the tables mean something."""
    return store.tables.shape[0] if store.net.tuples else states_used(store)


def states_used(store: Store) -> int:
    """Return how many information states have a row; one that found no room counted, too."""
    return min(int(store.used[0]), len(store.keys))


@inline
def write_key(game, store, s, p, key):
    """Write the player and what it sees, cell by cell."""
    word, shift, i = np.uint64(p), store.bits, 0
    for c in range(store.net.strides.shape[0]):
        if shift + store.bits > WORD:
            key[i] = word
            word, shift, i = np.uint64(0), 0, i + 1
        word |= np.uint64(game.sees(s, p, c)) << np.uint64(shift)
        shift += store.bits
    key[i] = word


@inline
def mixed(h, word):
    """Return a hash with one more word in it."""
    h = (h ^ word) * GOLDEN
    return h ^ (h >> S32)


@inline
def first_slot(store, key):
    """Return the slot that a key belongs to."""
    h = np.uint64(0)
    for i in range(key.size):
        h = mixed(h, key[i])
    return np.int64(h & np.uint64(store.slots.size - 1))


@inline
def has_key(store, row, key):
    """Return whether this key belongs to a row."""
    for i in range(key.size):
        if store.keys[row, i] != key[i]:
            return False
    return True


@inline
def row_of_key(store, key, new):
    """Return the row of a key, a new one if wanted and needed, else -1."""
    slot = first_slot(store, key)
    while store.slots[slot] != 0:
        row = np.int64(store.slots[slot]) - 1
        if has_key(store, row, key):
            return row
        slot = (slot + 1) & (store.slots.size - 1)
    if not new:
        return -1
    return new_row(store, slot, key)


@inline
def new_row(store, slot, key):
    """Take the next row for a key, and enter it at an empty slot.

    Of threads that share a store each takes another row. Where two of them enter the same slot at
    once, one of the rows is lost: its key gets another one at its next visit.
    """
    row = count_up(store.used, 0)
    if row >= store.keys.shape[0]:
        no_row_left()
    for i in range(key.size):
        store.keys[row, i] = key[i]
    store.slots[slot] = row + 1
    return row


@inline
def no_row_left():
    """End all episodes."""
    raise FullStore


@inline
def find_rows(game, store, s, new, work, rows):
    """Write the rows of what the player to move sees; return whether the store has them."""
    if store.net.tuples == 0:
        write_key(game, store, s, game.player(s), work.key)
        rows[0] = row_of_key(store, work.key, new)
        return rows[0] >= 0
    store.net.encode(game, s, game.player(s), work.now)
    for k in range(rows.size):
        rows[k] = game.player(s) * store.net.size + work.now[k]
    return True


@inline
def total(store, rows, kind, action):
    """Return a number of an information state and action."""
    value = 0.0
    for k in range(rows.size):
        value += store.tables[rows[k], kind, action]
    return value


@inline
def add(store, rows, kind, action, change):
    """Add to a number of an information state and action; all rows take an equal part."""
    for k in range(rows.size):
        store.tables[rows[k], kind, action] += change / rows.size


def fill_slots(store: Store) -> None:
    """Enter the rows that were read from a file into the hash table, as when they were new."""
    n, last = states_used(store), store.slots.size - 1
    hashes = np.zeros(n, np.uint64)
    for i in range(store.keys.shape[1]):
        hashes = mixed(hashes, store.keys[:n, i])
    for row, h in enumerate(hashes.tolist()):
        slot = h & last
        while store.slots[slot]:
            slot = (slot + 1) & last
        store.slots[slot] = row + 1
