"""Pieces of Rubik's cube in two words: where each is, how turns move them, all mixed up."""

from tafl.core.compile import inline
from tafl.core.random import below

CORNERS, EDGES, MOVES = 0, 1, 2  # where in the state
PIECE, BITS = 31, 5  # a piece takes five bits of a word
SOLVED_CORNERS = sum(3 * i << BITS * i for i in range(8))
SOLVED_EDGES = sum(2 * i << BITS * i for i in range(12))


@inline
def solved(state, size):
    """Return whether all pieces are where they belong."""
    return state[CORNERS] == SOLVED_CORNERS and (size == 2 or state[EDGES] == SOLVED_EDGES)


@inline
def turned(turn, word, count):
    """Return where a turn brings pieces."""
    after = 0
    for i in range(count):
        after |= turn[(word >> BITS * i) & PIECE] << BITS * i
    return after


@inline
def moved(masks, before, after, count, kind):
    """Return the facelets where pieces were, are, or belong that have moved."""
    mask = 0
    for i in range(count):
        a, b = (before >> BITS * i) & PIECE, (after >> BITS * i) & PIECE
        if a != b:
            mask |= masks[a] | masks[b] | masks[kind * i]
    return mask


@inline
def shuffled(word, count, kind, rng):
    """Return pieces in random order, each turned at random, and whether the order is odd.

    The sum of all turns stays what it is, as it does when faces are turned.
    """
    odd, sum_of_turns = 0, 0
    for i in range(count - 1, -1, -1):
        j = below(rng, i + 1)
        odd ^= i != j
        a, b = (word >> BITS * i) & PIECE, (word >> BITS * j) & PIECE
        word ^= (((a ^ b) << BITS * i) | ((a ^ b) << BITS * j)) if i != j else 0
    for i in range(count):
        turn = below(rng, kind) if i < count - 1 else (kind - sum_of_turns % kind) % kind
        sum_of_turns += turn
        word += turn << BITS * i
    return word, odd
