"""The dice of Backgammon: the higher one, the lower one, and how often a double is still played."""

from tafl.core.compile import inline
from tafl.core.games.backgammon_moves import PIPS
from tafl.core.random import below

HIGH, LOW, MORE, PLAYER, BEGUN, WORDS = (PIPS + 2 + i for i in range(6))  # words of a state
SIDES, OPENINGS, ROLLS = 6, 30, 21


@inline
def cast(state, one, other):
    """Set the dice: the higher one first; four moves by one die if they are equal."""
    state[HIGH], state[LOW] = max(one, other), min(one, other)
    if one == other:
        state[LOW], state[MORE] = 0, 3


@inline
def cast_first(state, i):
    """Set the i-th of 30 first rolls, one die each and not equal; the higher one begins."""
    mine, theirs = i // 5, i % 5
    theirs += 1 if theirs >= mine else 0
    cast(state, 1 + mine, 1 + theirs)
    state[PLAYER], state[BEGUN] = 1 if theirs > mine else 0, 1


@inline
def rolls(state):
    """Return the number of different rolls that may come: 1, no roll, where dice are left."""
    if state[BEGUN] == 0:
        return OPENINGS
    return ROLLS if state[HIGH] | state[LOW] == 0 else 1


@inline
def cast_random(state, rng):
    """Cast the dice."""
    if state[BEGUN] == 0:
        cast_first(state, below(rng, OPENINGS))
    else:
        cast(state, 1 + below(rng, SIDES), 1 + below(rng, SIDES))


@inline
def cast_numbered(state, i):
    """Set the dice to the i-th roll, of 21 1-1, 2-1, 2-2, 3-1, ...; return its probability."""
    if state[BEGUN] == 0:
        cast_first(state, i)
        return 1 / OPENINGS
    one = 1
    while i >= one:
        i -= one
        one += 1
    cast(state, one, 1 + i)
    return (1 if one == 1 + i else 2) / (SIDES * SIDES)


@inline
def clear(state):
    """Take the dice from the board."""
    state[HIGH] = state[LOW] = state[MORE] = 0


@inline
def use(state, word):
    """Mark a die as played."""
    if state[MORE] > 0:
        state[MORE] -= 1
    else:
        state[word] = 0


@inline
def die_shown(state, k):
    """Return the k-th of up to four dice that are left, 0 without one."""
    if k == 1 and state[LOW] > 0:
        return state[LOW]
    return state[HIGH] if k <= state[MORE] else 0
