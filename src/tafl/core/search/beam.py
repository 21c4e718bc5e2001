"""Beam search for puzzles: of all positions after 1, 2, ... moves keep the most promising ones.

    beam = {s}
    repeat   candidates = all actions in all positions of the beam, worth score + r + gamma V(s')
             beam       = the `width` best of the positions after them that are new
    until    no candidate promises more than the best end that was found

Positions that look the same to a network count as one. A candidate is put into one of BINS classes
by its worth, which takes linear time; those of one class stay in the order they were found in.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, hashed
from tafl.core.memory import Array, allocate
from tafl.core.play.greedy import value_actions

BINS = 4096
WINDOW = 8  # slots of the table where a position may lie
SLOTS = 8  # of the table, for each position of a beam
SEED, NEVER = np.uint64(0x9E3779B97F4A7C15), -1
SPREAD = np.uint64(40)  # high bits of a hash are the better ones


class Beam(NamedTuple):
    """The memory of a search."""

    states: Annotated[Array, "int64[2, width, words]"]  # the beam of this ply, and the next one
    scores: Annotated[Array, "float64[width]"]  # of the positions in the beam
    parents: Annotated[Array, "int32[plies, width]"]  # of a position after that many moves, ...
    moves: Annotated[Array, "int32[plies, width]"]  # ... and the action that led to it
    worth: Annotated[Array, "float64[found]"]  # of the candidates
    sources: Annotated[Array, "int32[found]"]  # their places in the beam
    actions: Annotated[Array, "int32[found]"]
    order: Annotated[Array, "int32[found]"]  # the candidates, best class first
    bins: Annotated[Array, "int64[bins]"]
    known: Annotated[Array, "uint64[slots]"]  # hashes of positions
    plies: Annotated[Array, "int32[slots]"]  # the ply of each, NEVER if a slot is free
    after: Annotated[Array, "int64[words]"]
    listed: Annotated[Array, "int64[actions]"]
    values: Annotated[Array, "float64[actions]"]
    best: Annotated[Array, "float64[1]"]  # the highest score of an end
    end: Annotated[Array, "int64[3]"]  # its ply, the place before it, and the last action


def make_beam(facts, width: int, plies: int) -> Beam:
    """Return memory for a beam of this width, and at most this many plies."""
    slots = 1 << (SLOTS * width - 1).bit_length()
    sizes = {"width": width, "plies": plies + 1, "found": width * facts.actions}
    sizes |= {"bins": BINS + 1, "slots": slots + WINDOW}
    return allocate(Beam, vars(facts) | sizes, unfilled=("plies", "found"))


@inline
def is_new(game, beam, s, ply, cells):
    """Note a position; return whether it is not among those noted before.

    Where there is no room left, the position of the earliest ply has to go.
    """
    h = SEED
    for c in range(cells):
        h = hashed(h, game.input(s, c))
    first = np.int64((h ^ (h >> SPREAD)) & np.uint64(beam.known.size - WINDOW - 1))
    slot = first
    for i in range(first, first + WINDOW):
        if beam.plies[i] != NEVER and beam.known[i] == h:
            return False
        if beam.plies[i] < beam.plies[slot]:
            slot = i
    beam.known[slot], beam.plies[slot] = h, ply
    return True


@inline
def expand(game, trained, beam, ply, n, rng):
    """Write all actions in the n positions of the beam as candidates; return how many."""
    found = 0
    for i in range(n):
        give_way(STOP)
        s = beam.states[ply & 1, i]
        copy_state(s, trained.work.state)
        count = value_actions(
            game, trained.net, trained.td, trained.work, rng, beam.listed, beam.values
        )
        beam.scores[i] = game.score(s, 0)
        for k in range(count):
            beam.worth[found] = beam.scores[i] + beam.values[k]
            beam.sources[found], beam.actions[found] = i, beam.listed[k]
            found += 1
    return found


@inline
def bin_of(worth, low, high):
    """Return the class of a candidate, 0 for the best."""
    if high <= low:
        return 0
    return min(np.int64((high - worth) / (high - low) * BINS), BINS - 1)


@inline
def arrange(beam, found):
    """Write the order of the candidates."""
    low, high = np.inf, -np.inf
    for k in range(found):
        low, high = min(low, beam.worth[k]), max(high, beam.worth[k])
    beam.bins[:] = 0
    for k in range(found):
        beam.bins[1 + bin_of(beam.worth[k], low, high)] += 1
    for b in range(BINS):
        beam.bins[b + 1] += beam.bins[b]
    for k in range(found):
        b = bin_of(beam.worth[k], low, high)
        beam.order[beam.bins[b]] = k
        beam.bins[b] += 1


@inline
def keep(game, beam, ply, found, cells):
    """Make the best new positions the next beam; return how many, and what the best promises."""
    n, top, s = 0, -np.inf, beam.after
    for k in beam.order[:found]:
        if n == beam.scores.size:
            break
        i, action = beam.sources[k], beam.actions[k]
        copy_state(beam.states[ply & 1, i], s)
        game.play(s, action)
        if game.over(s):
            if game.score(s, 0) > beam.best[0]:
                beam.best[0] = game.score(s, 0)
                beam.end[0], beam.end[1], beam.end[2] = ply, i, action
        elif is_new(game, beam, s, ply, cells):
            copy_state(s, beam.states[1 - (ply & 1), n])
            beam.parents[ply + 1, n], beam.moves[ply + 1, n] = i, action
            top, n = max(top, beam.worth[k]), n + 1
    return n, top


@kernel
def beam_search(game, trained, beam, s, plies, cells, rng, plan):
    """Write the actions of the best way to an end that is found; return how many, 0 if none."""
    beam.best[0], n = -np.inf, 1
    beam.plies[:] = NEVER
    copy_state(s, beam.states[0, 0])
    is_new(game, beam, s, 0, cells)
    for ply in range(plies):
        found = expand(game, trained, beam, ply, n, rng)
        arrange(beam, found)
        n, top = keep(game, beam, ply, found, cells)
        if n == 0 or beam.best[0] >= top:
            break
    if beam.best[0] == -np.inf:
        return 0
    last, i = beam.end[0], beam.end[1]
    plan[last] = beam.end[2]
    for ply in range(last, 0, -1):
        plan[ply - 1] = beam.moves[ply, i]
        i = beam.parents[ply, i]
    return last + 1
