"""ConnectFour solved exactly: null-window searches on bitboards, cut short by a book of openings.

A score k > 0 means that the player to move wins with its k-th last stone, and k < 0 that the other
one does, so the best move is the fastest win or the slowest loss; 0 is a draw. A search asks one
question, whether a score reaches a target, and the exact score takes a few questions. In a search
the player to move never has a winning move: looking one ply ahead prevents that.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel, popcount, prefetch
from tafl.core.games.connectfour import CELLS, COLS
from tafl.core.memory import Array, allocate
from tafl.core.search.connectfour_board import (
    BOTTOM,
    COLUMN,
    HEIGHT,
    by_columns,
    mirrored,
    reachable,
    several,
    winning,
)

HIGHEST = CELLS // 2  # a win with the first stone

# The middle columns first: most lines run through them. An eighth without cells makes the loop over
# them fit vector instructions.
MASKS = np.array([*(COLUMN << HEIGHT * c for c in (3, 2, 4, 1, 5, 0, 6)), 0])

NO, YES, OPEN = 0, 1, 2

# A slot of the table holds a key, the lowest and the highest score that is possible.
BITS = 6
FIELD = (1 << BITS) - 1
ZERO = 1 << (BITS - 1)
SPREAD = 0x1E3779B97F4A7C15  # an odd number that mixes the bits of keys

# The number of stones at which ...
FOLDED = 13  # searches no longer meet both a position and its mirror image
FORESEEN = 28  # looking all moves up in the table before searching one no longer pays
KEPT = 34  # a position is solved faster than found in the table


class Solver(NamedTuple):
    """The memory of a search, and what it knows beforehand."""

    keys: Annotated[Array, "int64[entries]"]  # the positions of the book, in ascending order
    scores: Annotated[Array, "int8[entries]"]
    plies: int  # bit n: the book has all positions of n stones without a quick end
    table: Annotated[Array, "int64[slots]"]  # a power of 2
    own: Annotated[Array, "int64[plies]"]  # the path of a search
    taken: Annotated[Array, "int64[plies]"]
    key: Annotated[Array, "int64[plies]"]  # 0 if the table is not used
    moves: Annotated[Array, "int64[plies, columns]"]  # one bit each, the most promising first
    ranks: Annotated[Array, "int64[plies, columns]"]
    promise: Annotated[Array, "int64[8]"]  # the ranks of the moves in the order of MASKS
    counts: Annotated[Array, "int64[plies]"]
    tried: Annotated[Array, "int64[plies]"]
    nodes: Annotated[Array, "int64[1]"]  # positions looked at


def make_solver(keys: np.ndarray, scores: np.ndarray, plies: int, bits: int = 20) -> Solver:
    """Return a solver with a book, which may be empty, and a table of 2**bits slots."""
    sizes = {"plies": CELLS + 1, "columns": COLS, "slots": 1 << bits}
    return allocate(Solver, sizes, keys=keys, scores=scores, plies=plies)


@inline
def position_key(own, taken):
    """Return a key of a position; early in the game, mirror images have the same one."""
    key = own + taken + BOTTOM  # in each column the mover's stones, and above them its height
    return min(key, mirrored(key)) if popcount(taken) < FOLDED else key


@inline
def slot_of(table, key):
    """Return the slot of a position."""
    mixed = key * SPREAD
    return ((mixed >> 20) ^ (mixed >> 41)) & (table.size - 1)


@inline
def known(table, key, target):
    """Return the table's answer to the question."""
    entry = table[slot_of(table, key)]
    if entry >> 2 * BITS == key:
        if ((entry >> BITS) & FIELD) - ZERO >= target:
            return YES
        if (entry & FIELD) - ZERO < target:
            return NO
    return OPEN


@inline
def remember(table, key, n, target, answer):
    """Store an answer, together with what the table knew about the position."""
    slot = slot_of(table, key)
    entry = table[slot]
    lowest, highest = -((CELLS - 2 - n) // 2), (CELLS - 1 - n) // 2
    if entry >> 2 * BITS == key:
        lowest, highest = ((entry >> BITS) & FIELD) - ZERO, (entry & FIELD) - ZERO
    if answer == YES:
        lowest = target
    else:
        highest = target - 1
    table[slot] = (key << 2 * BITS) | ((lowest + ZERO) << BITS) | (highest + ZERO)


@inline
def book_score(solver, key):
    """Return the score of a position that is in the book."""
    low, high = 0, solver.keys.size - 1
    while low < high:
        middle = (low + high) >> 1
        if solver.keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return np.int64(solver.scores[low])


@inline
def rate(solver, own, taken, moves, threats):
    """Rank moves by the threats that they make; return whether one is a double threat.

    A threat above one of the other player never comes true, and an urgent one is gone after the
    answer.
    """
    promise, hopeful, decisive = solver.promise, ~(threats << 1), 0
    for i in range(promise.size):
        move = moves & MASKS[i]
        made = winning(own | move, taken | move)
        urgent = made & reachable(taken | move)
        decisive |= (urgent & (urgent - 1)) | (urgent & (made >> 1))
        promise[i] = 2 * popcount(made & hopeful) - (1 if urgent != 0 else 0)
    return decisive != 0


@inline
def order(solver, d, n, moves, threats, target):
    """Order the moves of ply d; return YES or NO if that already answers the question."""
    own, taken, ranks, ordered = solver.own[d], solver.taken[d], solver.ranks[d], solver.moves[d]
    if rate(solver, own, taken, moves, threats):
        return YES  # no win is quicker
    count, solver.tried[d] = 0, 0
    for i in range(COLS):
        move = moves & MASKS[i]
        if move == 0:
            continue
        if n < FORESEEN:
            answer = known(solver.table, position_key(own ^ taken, taken | move), 1 - target)
            if answer == NO:
                return YES
            if answer == YES:
                continue
        at, rank = count, solver.promise[i]
        while at > 0 and ranks[at - 1] < rank:
            ranks[at], ordered[at] = ranks[at - 1], ordered[at - 1]
            at -= 1
        ranks[at], ordered[at] = rank, move
        count += 1
    solver.counts[d] = count
    return OPEN if count > 0 else NO


@inline
def ask(solver, d, target):
    """Return whether the score of ply d reaches the target; OPEN if moves must be searched."""
    own, taken = solver.own[d], solver.taken[d]
    n = popcount(taken)
    key = 0
    if n < KEPT:
        key = position_key(own, taken)
        prefetch(solver.table, np.uint64(slot_of(solver.table, key)))
    solver.key[d] = key
    # Answer threats, and do not play below a cell where the other player wins.
    threats = winning(own ^ taken, taken)
    moves = reachable(taken)
    if threats & moves != 0:
        moves = 0 if several(threats & moves) else threats & moves
    moves &= ~(threats >> 1)
    if moves == 0:
        return YES if -((CELLS - n) // 2) >= target else NO
    if n >= CELLS - 2:
        return YES if target <= 0 else NO
    if (CELLS - 1 - n) // 2 < target:
        return NO
    if -((CELLS - 2 - n) // 2) >= target:
        return YES
    if (solver.plies >> n) & 1 == 1:
        return YES if book_score(solver, key) >= target else NO
    if not several(moves):
        solver.key[d], solver.moves[d, 0] = 0, moves
        solver.counts[d], solver.tried[d] = 1, 0
        return OPEN
    answer = known(solver.table, key, target) if key != 0 else OPEN
    return order(solver, d, n, moves, threats, target) if answer == OPEN else answer


@inline
def reaches(solver, own, taken, target):
    """Return whether a score reaches the target; the player to move cannot win at once."""
    solver.own[0], solver.taken[0] = own, taken
    d = 0
    answer = ask(solver, d, target)
    solver.nodes[0] += 1
    while True:
        if answer == OPEN:
            move = solver.moves[d, solver.tried[d]]
            solver.tried[d] += 1
            solver.own[d + 1] = solver.own[d] ^ solver.taken[d]
            solver.taken[d + 1] = solver.taken[d] | move
            d, target = d + 1, 1 - target
            answer = ask(solver, d, target)
            solver.nodes[0] += 1
            if solver.nodes[0] & 1023 == 0:
                give_way(STOP)
            continue
        if d == 0:
            return answer == YES
        # if the opponent fails, the target is reached; else try the next move
        d, target = d - 1, 1 - target
        if answer == NO:
            answer = YES
        else:
            answer = OPEN if solver.tried[d] < solver.counts[d] else NO
        if answer != OPEN and solver.key[d] != 0:
            n = popcount(solver.taken[d])
            remember(solver.table, solver.key[d], n, target, answer)


@inline
def score_within(solver, own, taken, low, high, guess):
    """Return the score of a position, or the end of the window that lies nearer to it."""
    n = popcount(taken)
    if winning(own, taken) & reachable(taken) != 0:
        return min(max((CELLS + 1 - n) // 2, low), high)
    lowest, highest = max(low, -((CELLS - n) // 2)), min(high, (CELLS - 1 - n) // 2)
    target, step = guess, 1
    while lowest < highest:
        target = min(max(target, lowest + 1), highest)
        if reaches(solver, own, taken, target):
            lowest = target
            target += step
        else:
            highest = target - 1
            target -= step
        step *= 2
    return min(max(lowest, low), high)


@kernel
def position_score(game, solver, s, low, high):
    """Return the score of a state that is not over, cut off at low and high."""
    p = game.player(s)
    own, other = by_columns(s[p]), by_columns(s[1 - p])
    return score_within(solver, own, own | other, low, high, 0)


@kernel
def move_scores(game, solver, s, low, high, actions, scores):
    """Write the legal actions of s and their scores, cut off at low and high; return how many."""
    p = game.player(s)
    own, other = by_columns(s[p]), by_columns(s[1 - p])
    taken = own | other
    wins, free = winning(own, taken), reachable(taken)
    n, guess = 0, 0
    for c in range(COLS):
        move = free & (COLUMN << HEIGHT * c)
        if move == 0:
            continue
        k = (CELLS + 1 - popcount(taken)) // 2
        if move & wins == 0:
            guess = score_within(solver, other, taken | move, -high, -low, guess)
            k = -guess
        actions[n], scores[n] = c, min(max(k, low), high)
        n += 1
    return n
