"""Learning by a block of threads that plays one game: second bodies of what learners call.

Learners and rules are those of the CPU. All threads of a block run them alike, with a state, a
generator and counters of their own (`BlockWork`). What costs time is divided: the K indices of a
state among the threads, the candidates among the warps, and within a warp the indices among its
lanes. A thread reads what others wrote only after a barrier; where the division changes (`look`,
`best_q`), one stands before and one behind.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import popcount, second_body
from tafl.core.compile.block import (
    ballot,
    barrier,
    block_sum,
    end_block,
    lane,
    lanes,
    read,
    thread,
    threads,
    warp,
    warp_sum,
    warps,
)
from tafl.core.games.moves import BITS, legal_actions, legal_bits
from tafl.core.games.states import copy_state
from tafl.core.learn.adapt import MOST_MOVES, one_more
from tafl.core.learn.policy import better, candidate, expected, greedy, look, look_ahead
from tafl.core.learn.qpolicy import best_q, q_activation, remember_q
from tafl.core.learn.td import remember
from tafl.core.ntuple.block import add_changes, gather
from tafl.core.ntuple.value import index_change, offset, squash


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


@second_body(q_activation)
def block_q_activation(net, work, p, a):
    nu = np.float32(0)
    k = thread()
    while k < work.now.size:
        nu += read(net.weights, offset(net, p, net.turned[k // net.tuples, a]) + work.now[k])
        k += threads()
    return block_sum(nu)


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
                work.values[i] = expected(game, net, td, work, i, p)
    barrier()
    return n


@second_body(greedy)
def block_greedy(game, net, td, work, p, rng):
    best, ties, highest = 0, 0, -np.inf
    for i in range(look(game, net, td, work, p, rng)):
        best, ties, highest = better(best, ties, highest, i, work.values[i], rng)
    return best


@second_body(look_ahead)
def block_look_ahead(game, net, td, work, i, over, rng):
    pass


@second_body(best_q)
def block_best_q(game, net, work, p, rng):
    n = legal_actions(game, work.state, work.actions.size, work.actions)
    i = warp()
    while i < n:
        nu = np.float32(0)
        k = lane()
        while k < work.now.size:
            o = offset(net, p, net.turned[k // net.tuples, work.actions[i]])
            nu += read(net.weights, o + work.now[k])
            k += lanes()
        nu = warp_sum(nu)
        if lane() == 0:
            work.activations[i] = nu
        i += warps()
    barrier()
    best, ties, highest = 0, 0, -np.inf
    for i in range(n):
        best, ties, highest = better(best, ties, highest, i, work.activations[i], rng)
    return work.actions[best], squash(net, work.activations[best])


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
    sums: np.ndarray
    seen: np.ndarray
    trace: np.ndarray
