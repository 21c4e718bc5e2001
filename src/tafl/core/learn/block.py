"""Learning by a block of threads that plays one game: the second bodies of primitives.

Learners and rules are those of the CPU. All threads of a block run them alike, with a state, a
generator and counters of their own (`BlockWork`). What costs time is divided: the K indices of a
state among the threads, the candidates among the warps, and within a warp the indices among its
lanes. A thread reads what others wrote only after a barrier; where the division changes (`look`,
`look_q`, `expect`), one stands before and one behind.
"""

import math
from typing import NamedTuple

import numpy as np

from tafl.core.compile import popcount, second_body, trailing_zeros
from tafl.core.compile.block import (
    add_to,
    ballot,
    barrier,
    block_sum,
    end_block,
    lane,
    lanes,
    thread,
    threads,
    warp,
    warp_sum,
    warps,
)
from tafl.core.compile.kernel import inline
from tafl.core.games.moves import BITS, legal_actions, legal_bits
from tafl.core.games.states import copy_state
from tafl.core.learn.adapt import MOST_MOVES, one_more
from tafl.core.learn.policy import candidate, expect, expected, look
from tafl.core.learn.qpolicy import look_q, q_activation, remember_q
from tafl.core.learn.td import remember
from tafl.core.ntuple.update import EMPTY, change, distinct, rate
from tafl.core.ntuple.value import activation, copy_index, index_change, index_state, offset, tanh


@second_body(legal_bits)
def block_legal_bits(game, s, actions):
    mask = game.legal_mask(s)
    if mask == -1 and actions <= BITS:
        mask = 0
        for first in range(0, actions, lanes()):
            a = first + lane()
            mask |= ballot(a < actions and game.legal(s, a)) << first
    return mask


@second_body(legal_actions)
def block_legal_actions(game, s, actions, out):
    barrier()
    n, mask = 0, game.legal_mask(s)
    for first in range(0, actions, lanes()):
        a = first + lane()
        if mask == -1:
            votes = ballot(a < actions and game.legal(s, a))
        else:
            votes = ballot((mask >> a) & 1 == 1)
        if (votes >> lane()) & 1 == 1:
            out[n + popcount(votes & ((1 << lane()) - 1))] = a
        n += popcount(votes)
    barrier()
    return n


@second_body(index_state)
def block_index_state(game, net, s, index):
    cells, K = net.strides.shape
    k = thread()
    while k < K:
        x = np.int64(net.base[k])
        for c in range(cells):
            x += game.cell(s, c) * net.strides[c, k]
        index[k] = x
        k += threads()


@second_body(index_change)
def block_index_change(game, net, before, after, index, out):
    add_changes(game, net, before, after, index, out, thread(), threads())


@inline
def add_changes(game, net, before, after, index, out, first, step):
    """Indices first, first + step, ... of `after` from those of `before`."""
    mask = game.changed(before, after)
    if mask != -1:
        add_cells(game, net, before, after, 0, mask, index, out, first, step)
        return
    k = first
    while k < index.size:
        out[k] = index[k]
        k += step
    cells = net.strides.shape[0]
    for c in range(0, cells, lanes()):
        mine = c + lane()
        differs = mine < cells and game.cell(before, mine) != game.cell(after, mine)
        add_cells(game, net, before, after, c, ballot(differs), out, out, first, step)


@inline
def add_cells(game, net, before, after, cell, mask, index, out, first, step):
    """The same for the changed cells of a mask, whose lowest bit is a given cell."""
    strides = net.strides
    while True:
        a, da, mask = next_cell(game, before, after, cell, mask)
        b, db, mask = next_cell(game, before, after, cell, mask)
        k = first
        while k < index.size:  # reads go ahead of writes: a write would hold them up
            x = shifted(strides, index, a, da, b, db, k)
            y = shifted(strides, index, a, da, b, db, k + step)
            z = shifted(strides, index, a, da, b, db, k + 2 * step)
            put(out, k, x)
            put(out, k + step, y)
            put(out, k + 2 * step, z)
            k += 3 * step
        if mask == 0:
            return
        index = out


@inline
def shifted(strides, index, a, da, b, db, k):
    """Index k after the change of two cells; any number where there is no such index."""
    k = k if k < index.size else 0
    return index[k] + da * strides[a, k] + db * strides[b, k]


@inline
def put(out, k, x):
    """Writes an index, if there is one of this number."""
    if k < out.size:
        out[k] = x


@inline
def next_cell(game, before, after, cell, mask):
    """The first cell of a mask, how much it changed, and the rest of the mask; 0 if it is empty."""
    if mask == 0:
        return 0, 0, mask
    c = cell + trailing_zeros(mask)
    return c, game.cell(after, c) - game.cell(before, c), mask & (mask - 1)


@second_body(copy_index)
def block_copy_index(index, out):
    k = thread()
    while k < index.size:
        out[k] = index[k]
        k += threads()


@second_body(activation)
def block_activation(net, o, index):
    nu = np.float32(0)
    k = thread()
    while k < index.size:
        nu += net.weights[o + index[k]]
        k += threads()
    return block_sum(nu)


@inline
def gather(net, o, index, first, step):
    """The sum of the weights of indices first, first + step, ...: six are on their way at a time."""
    nu = np.float32(0)
    k = first
    while k < index.size:
        a, b = weight(net, o, index, k), weight(net, o, index, k + step)
        c, d = weight(net, o, index, k + 2 * step), weight(net, o, index, k + 3 * step)
        e, f = weight(net, o, index, k + 4 * step), weight(net, o, index, k + 5 * step)
        nu += (a + b) + (c + d) + (e + f)
        k += 6 * step
    return nu


@inline
def weight(net, o, index, k):
    """The weight of index k; 0 where there is no such index."""
    w = net.weights[o + index[k if k < index.size else 0]]
    return w if k < index.size else np.float32(0)


@second_body(q_activation)
def block_q_activation(net, work, p, a):
    nu = np.float32(0)
    k = thread()
    while k < work.now.size:
        nu += net.weights[offset(net, p, net.turned[k // net.tuples, a]) + work.now[k]]
        k += threads()
    return block_sum(nu)


@second_body(tanh)
def block_tanh(x):
    """In single precision, which is fast here, and as good for a single result."""
    return math.tanh(np.float32(x))


@second_body(candidate)
def block_candidate(game, net, td, work, i, action, rng):
    s, s_after = work.state, work.trial
    copy_state(s, s_after)
    game.play(s_after, action)
    if not td.afterstates:
        game.chance(s_after, rng)
    barrier()
    index_change(game, net, s, s_after, work.now, work.indices[i])
    if thread() == 0:
        copy_state(s_after, work.afters[i])
        work.actions[i] = action
    barrier()


@second_body(look)
def block_look(game, net, td, work, p, rng):
    s, s_after, o = work.state, work.trial, offset(net, p, 0)
    n, turn = legal_actions(game, s, work.actions.size, work.actions), 0
    for i in range(n):
        mine = turn == warp()
        turn = turn + 1 if turn + 1 < warps() else 0
        if mine or not td.afterstates:
            copy_state(s, s_after)
            game.play(s_after, work.actions[i])
            if not td.afterstates:
                game.chance(s_after, rng)
        if mine:
            index = work.indices[i]
            add_changes(game, net, s, s_after, work.now, index, lane(), lanes())
            nu = warp_sum(gather(net, o, index, lane(), lanes()))
            if lane() == 0:
                copy_state(s_after, work.afters[i])
                work.activations[i] = nu
    barrier()
    return n


@second_body(look_q)
def block_look_q(game, net, work, p):
    n = legal_actions(game, work.state, work.actions.size, work.actions)
    i = warp()
    while i < n:
        nu = np.float32(0)
        k = lane()
        while k < work.now.size:
            o = offset(net, p, net.turned[k // net.tuples, work.actions[i]])
            nu += net.weights[o + work.now[k]]
            k += lanes()
        nu = warp_sum(nu)
        if lane() == 0:
            work.activations[i] = nu
        i += warps()
    barrier()
    return n


@second_body(expect)
def block_expect(game, net, td, work, n, p):
    i = thread()
    while i < n:
        work.values[i] = expected(game, net, td, work, i, p)
        i += threads()
    barrier()


@second_body(remember)
def block_remember(net, work, p, index):
    o = offset(net, p, 0)
    work.moved[p] = True
    k = thread()
    while k < index.size:
        work.last[p, k] = o + index[k]
        k += threads()


@second_body(remember_q)
def block_remember_q(net, work, p, a, explored):
    k = thread()
    while k < work.now.size:
        work.last[p, k] = offset(net, p, net.turned[k // net.tuples, a]) + work.now[k]
        k += threads()
    work.moved[p] = True
    work.explored[p] = explored


@second_body(distinct)
def block_distinct(net, index, seen, where):
    """A repeated position leaves its own place empty; activation, just before, had a barrier."""
    k = thread()
    while k < index.size:
        x = index[k]
        q = k - net.tuples
        while q >= 0:
            if index[q] == x:
                x = EMPTY
            q -= net.tuples
        where[k] = x
        k += threads()
    return index.size


@second_body(change)
def block_change(net, where, n, alpha, delta, e):
    w = net.weights
    d = np.float32(delta * e)
    step = np.float32(alpha) / np.float32(net.tuples * net.symmetries) * d
    one, two = np.uint64(1), np.uint64(2)
    total = np.float32(delta) if net.accumulate_error else d
    j = thread()
    while j < n:
        i = np.uint64(where[j])
        if where[j] != EMPTY:
            if net.width == 1:
                add_to(w, i, step)
            else:
                add_to(w, i, step * rate(net, i))
                add_to(w, i + one, total)
                add_to(w, i + two, abs(total))
        j += threads()
    barrier()


@second_body(one_more)
def block_one_more(moves):
    if moves == MOST_MOVES:
        end_block()
    return moves + 1


class BlockWork(NamedTuple):
    """What a learner finds in `Work`, and `trial`; the first line is each thread's own."""

    state: np.ndarray  # int64[words]
    trial: np.ndarray  # int64[words]: an afterstate that is looked at
    moved: np.ndarray
    explored: np.ndarray
    scores: np.ndarray
    counts: np.ndarray
    slopes: np.ndarray
    length: np.ndarray
    head: np.ndarray
    now: np.ndarray  # from here on, shared by the block
    actions: np.ndarray
    afters: np.ndarray
    indices: np.ndarray
    activations: np.ndarray
    values: np.ndarray
    last: np.ndarray
    seen: np.ndarray
    trace: np.ndarray
