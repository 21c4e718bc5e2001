"""Learning by a block of threads that plays one game: second bodies of what learners call.

Learners and rules are those of the CPU. All threads of a block run them in step, each with its own
state, generator and counters (see `Work`). The costly parts are divided: the K indices of a state
among the threads, the candidates among the warps, and within a warp the indices among its lanes. A
thread reads what others wrote only after a barrier.

A move of TD has two barriers. `look` begins with one: all threads have changed their weights and
written their indices of the state. Then warps make the candidates, and threads look back at the
state that will learn (`look_back`). `look` ends with the other barrier: values, candidates and sums
may be read. From there to the next move a thread uses only its own places of `now`, `last`, `queue`
and `trace`, and the weights there. Where blocks share tables, they look back as late as possible
(`Net.recall`), between two more barriers.
"""

import numpy as np

from tafl.core.compile import popcount, second_body, trailing_zeros
from tafl.core.compile.kernel import inline
from tafl.core.compile.thread_block import (
    add_parts,
    alone,
    ballot,
    barrier,
    end_block,
    lane,
    lanes,
    put_part,
    thread,
    warp,
    warp_sum,
    warps,
)
from tafl.core.games.states import BITS, copy_state, legal_actions, legal_bits, random_action
from tafl.core.learn.adapt import MOST_MOVES, newer, older, one_more
from tafl.core.learn.policy import better, candidate, expected, greedy, look, look_ahead
from tafl.core.learn.qpolicy import best_q
from tafl.core.ntuple.block_update import look_back
from tafl.core.ntuple.block_values import of_lane, q_sum, reach
from tafl.core.ntuple.net import Net
from tafl.core.ntuple.value import index_change
from tafl.core.random import below


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
    n, listed, mask = 0, game.list_moves(s, out), game.legal_mask(s)  # all write the same
    if listed != -1:
        n, actions = listed, 0
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


@second_body(random_action)
def block_random_action(game, s, scratch, rng):
    mask = legal_bits(game, s, scratch.size)
    if mask != -1:
        return trailing_zeros(without(mask, below(rng, popcount(mask))))
    n = legal_actions(game, s, scratch.size, scratch)
    return scratch[below(rng, n)]


@inline
def without(mask, n):
    """Return a mask without its n lowest bits."""
    while n > 0:
        mask &= mask - 1
        n -= 1
    return mask


@second_body(candidate)
def block_candidate(game, net, td, work, i, action, rng):
    s, s_after = work.state, work.trial
    copy_state(s, s_after)
    game.play(s_after, action)
    if not td.afterstates:
        game.chance(s_after, rng)
    barrier()
    if td.learn_from_random:
        put_part(work.parts, begin_recall(net, td, work, game.player(s)))
    index_change(game, net, s, s_after, game.player(s), work.now, work.codes[i])
    if thread() == 0:
        copy_state(s_after, work.afters[i])
        work.actions[i] = action  # read after the barriers of `activation`, which comes next


@second_body(look)
def block_look(game, net, td, work, p, rng):
    s, s_after = work.state, work.trial
    rest = legal_bits(game, s, work.actions.size)
    few = rest != -1  # else actions are too many for a mask
    barrier()
    nu_last = begin_recall(net, td, work, p)
    n = popcount(rest) if few else legal_actions(game, s, work.actions.size, work.actions)
    # without afterstates all threads make all candidates, so that their generators stay equal
    i, step, turn = warp(), warps(), warp()
    if not td.afterstates:
        i, step, turn = 0, 1, 0
    rest = without(rest, i)
    while i < n:
        action = trailing_zeros(rest) if few else work.actions[i]
        copy_state(s, s_after)
        game.play(s_after, action)
        if not td.afterstates:
            game.chance(s_after, rng)
        if turn == warp():
            nu = reach(game, net, p, s, s_after, work.now, work.codes[i])
            value = expected(game, net, td, s, s_after, nu, p)
            if lane() == 0:
                copy_state(s_after, work.afters[i])
                work.actions[i], work.activations[i], work.values[i] = action, nu, value
        if not td.afterstates:
            turn = turn + 1 if turn + 1 < warps() else 0
        i += step
        if i < n:
            rest = without(rest, step)
    put_part(work.parts, nu_last)  # its weights were loaded in the meantime
    barrier()
    return n


@inline
def begin_recall(net, td, work, p):
    """Return this thread's part of nu(s_last[p]); 0 if that does not learn now.

    With shared tables this would be too early: all blocks that pass a state during one move would
    correct the same error (ConnectFour, 256 games at a time: 0.86 of the right moves, not 0.90).
    """
    work.recalled[0] = work.moved[p] and alone() and td.backward == 0
    nu = np.float32(0)
    if work.recalled[0]:
        head = newer(work.head[p], work.trace.shape[1])
        nu = look_back(net, work.last[p], work.trace[p, head])
    return nu


@second_body(Net.recall)
def block_recall(net, work, p, k, where, rng):
    if not work.recalled[0]:
        barrier()
        put_part(work.parts, look_back(net, where, work.trace[p, k]))
        barrier()
    work.recalled[0] = False
    work.counts[p, k] = where.size
    return add_parts(work.parts)


@second_body(older)
def block_older(head, horizon):
    if horizon > 1:  # the next change may be of the same weights, by other threads
        barrier()
    return head + 1 if head + 1 < horizon else 0


@second_body(greedy)
def block_greedy(game, net, td, work, p, rng):
    best, ties, highest = 0, 0, -np.inf
    n, values = look(game, net, td, work, p, rng), work.values
    for i in range(0, n, 4):  # load four values at a time
        a, b = values[i], value_at(values, i + 1, n)
        c, d = value_at(values, i + 2, n), value_at(values, i + 3, n)
        best, ties, highest = better(best, ties, highest, i, a, rng)
        best, ties, highest = better(best, ties, highest, i + 1, b, rng)
        best, ties, highest = better(best, ties, highest, i + 2, c, rng)
        best, ties, highest = better(best, ties, highest, i + 3, d, rng)
    return best


@inline
def value_at(values, i, n):
    """Return the value of candidate i; nan, which is never better, if there is none."""
    return values[i] if i < n else np.nan


second_body(look_ahead)(lambda game, net, td, work, i, over, rng: None)


@second_body(best_q)
def block_best_q(game, net, work, p, rng):
    n = legal_actions(game, work.state, work.actions.size, work.actions)
    i = warp()
    while i < n:
        k, step = of_lane()
        nu = warp_sum(q_sum(net, work.now, p, work.actions[i], k, step))
        if lane() == 0:
            work.activations[i] = nu
        i += warps()
    barrier()
    best, ties, highest = 0, 0, -np.inf
    for i in range(n):
        best, ties, highest = better(best, ties, highest, i, work.activations[i], rng)
    return work.actions[best], net.squash(work.activations[best])


@second_body(one_more)
def block_one_more(moves):
    if moves == MOST_MOVES:
        end_block()
    return moves + 1
