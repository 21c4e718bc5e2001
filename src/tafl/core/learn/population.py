"""Many agents, or many games of one agent, on a GPU: a grid of blocks, each of which plays games.

Block b plays for agent b // games. The tables of all agents lie one after the other; what belongs
to a block, or to an agent, is a row of an array. Where several blocks play for an agent, each
begins with a few episodes and then takes more of those that nobody has yet: so all end together.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile.block import MOST_WARPS, barrier, block, device, take, thread
from tafl.core.compile.kernel import inline
from tafl.core.learn.adapt import TD
from tafl.core.learn.block import BlockWork
from tafl.core.ntuple.net import RATES, Net
from tafl.core.ntuple.value import copy_index

NEAR = 47 << 10  # bytes of memory that the threads of a block may share
PARTS = 4  # a block takes this part of what would be its share of the episodes that are left


class Rows(NamedTuple):
    """Scratch memory of all blocks: as `Work`, with one more dimension."""

    now: np.ndarray
    actions: np.ndarray
    afters: np.ndarray
    indices: np.ndarray
    activations: np.ndarray
    values: np.ndarray
    last: np.ndarray
    trace: np.ndarray
    queue: np.ndarray
    gained: np.ndarray
    links: np.ndarray
    counts: np.ndarray
    slopes: np.ndarray
    length: np.ndarray
    head: np.ndarray
    keep: np.ndarray
    middle: np.ndarray
    rng: np.ndarray  # uint64[blocks]
    totals: np.ndarray  # float64[blocks, 1 + players]
    first: np.ndarray  # int64[blocks]: the first episode ...
    episodes: np.ndarray  # int64[blocks]: ... and how many, to begin with
    free: np.ndarray  # int64[blocks]: at an agent's number, the first episode that nobody has yet
    finished: np.ndarray  # int64[blocks]: how many blocks have come to their end


@inline
def net_of(net, agent, size, strides, rate):
    """The network of one agent."""
    return Net(
        net.weights[agent * size : (agent + 1) * size],
        strides,
        net.base[agent],
        net.rows,
        net.size,
        net.outputs,
        net.by_action,
        net.turned,
        net.tuples,
        net.symmetries,
        net.width,
        net.tanh,
        rate,
        net.exponential,
        net.accumulate_error,
    )


@inline
def settings_of(td, agent):
    """The settings of one agent: row by row of what was an array of each."""
    return TD(
        td.alpha[agent],
        td.alpha_final[agent],
        td.alpha_linear[agent],
        td.epsilon[agent],
        td.epsilon_final[agent],
        td.gamma[agent],
        td.lam[agent],
        td.reset[agent],
        td.trace_across_episodes[agent],
        td.farl_others[agent],
        td.farl_terminal[agent],
        td.afterstates[agent],
        td.learn_from_random[agent],
        td.learn_from_start[agent],
        td.zero_next[agent],
        td.zero_terminal[agent],
        td.reuse_action[agent],
        td.backward[agent],
        td.start_plies[agent],
        td.start_probability[agent],
        td.start_again[agent],
    )


def population(train, shared, words, players, actions, cells, indices, horizon):
    """The kernel that runs a learner in every block, for games and networks of these sizes.

    Do several blocks share the tables and the episodes of an agent?
    """
    play = (share if shared else own)(train)
    columns = 1 + players  # moves, scores
    room = NEAR - scratch_bytes(words, players, actions, indices, horizon)
    scratch = (near if room >= 0 else far)(words, players, actions, indices, horizon)
    tables = near_tables(cells, indices) if room >= 4 * cells * indices else far_tables

    def train_blocks(game, net, td, rows, games, size, total, end):
        b = block()
        agent = b // games
        now, candidates, afters, index, activations, values, last, trace = scratch(rows, b)
        work = BlockWork(
            device.local.array(words, np.int64),
            device.local.array(words, np.int64),
            device.local.array(1, np.bool_),
            device.local.array(players, np.bool_),
            device.local.array(players, np.bool_),
            device.local.array(players, np.float64),
            device.local.array((players, horizon), np.int64),
            device.local.array((players, horizon), np.float32),
            device.local.array(players, np.int64),
            device.local.array(players, np.int64),
            device.local.array(players, np.int64),
            device.local.array(1, np.int64),
            device.local.array(words, np.int64),
            now,
            candidates,
            afters,
            index,
            activations,
            values,
            last,
            activations,  # nobody looks at these two
            now,
            trace,
            rows.queue[b],
            rows.gained[b],
            rows.links[b],
            device.shared.array(MOST_WARPS, np.float32),
        )
        rng = device.local.array(1, np.uint64)
        totals = device.local.array(columns, np.float64)
        take_up(work, rows, b, rng, totals)
        copy_trace(rows.trace[b], work.trace)
        strides, rate = tables(net, agent)
        one, settings = net_of(net, agent, size, strides, rate), settings_of(td, agent)
        play(game, one, settings, work, rows, b, games, total, end, rng, totals)
        copy_trace(work.trace, rows.trace[b])
        if thread() == 0:
            lay_down(work, rows, b, rng, totals)

    return train_blocks


def own(train):
    """A block plays the episodes of an agent that is its own: in a loop it would be slower."""

    @inline
    def play(game, net, td, work, rows, b, games, total, end, rng, totals):
        train(game, net, td, work, rows.first[b], rows.episodes[b], total, rng, totals)

    return play


def share(train):
    """A block plays some episodes, and then those that no other block of the agent has taken."""

    @inline
    def play(game, net, td, work, rows, b, games, total, end, rng, totals):
        first, episodes = rows.first[b], rows.episodes[b]
        taken = device.shared.array(2, np.int64)
        while episodes > 0:
            train(game, net, td, work, first, episodes, total, rng, totals)
            first, episodes = take_more(rows.free, b // games, games, end, taken)

    return play


@inline
def take_more(free, agent, games, end, taken):
    """The next episodes of an agent, up to `end`, that no block has; none are left at the end."""
    if thread() == 0:
        count = max((end - take(free, agent, 0)) // (PARTS * games), 1)
        taken[0], taken[1] = take(free, agent, count), count
    barrier()
    first = taken[0]
    episodes = min(taken[1], end - first)
    barrier()
    return first, episodes


def scratch_bytes(words, players, actions, indices, horizon):
    """The size of the scratch memory of a block."""
    rows = 1 + actions + players * (1 + horizon)
    return 4 * rows * indices + actions * (8 * words + 8 + 4 + 8)


def near(words, players, actions, indices, horizon):
    """Scratch memory in what the threads of a block share."""

    @inline
    def scratch(rows, b):
        now = device.shared.array(indices, np.uint32)
        candidates = device.shared.array(actions, np.int64)
        afters = device.shared.array((actions, words), np.int64)
        index = device.shared.array((actions, indices), np.uint32)
        activations = device.shared.array(actions, np.float32)
        values = device.shared.array(actions, np.float64)
        last = device.shared.array((players, indices), np.uint32)
        trace = device.shared.array((players, horizon, indices), np.uint32)
        return now, candidates, afters, index, activations, values, last, trace

    return scratch


def far(words, players, actions, indices, horizon):
    """Scratch memory in that of the device."""

    @inline
    def scratch(rows, b):
        first = rows.now[b], rows.actions[b], rows.afters[b], rows.indices[b]
        return (*first, rows.activations[b], rows.values[b], rows.last[b], rows.trace[b])

    return scratch


def near_tables(cells, indices):
    """What moves read of a network besides weights, copied next to the threads."""

    @inline
    def tables(net, agent):
        strides = device.shared.array((cells, indices), np.int32)
        rate = device.shared.array(RATES, np.float32)
        for c in range(cells):
            copy_index(net.strides[agent, c], strides[c])
        copy_index(net.rate[agent], rate)
        barrier()
        return strides, rate

    return tables


@inline
def far_tables(net, agent):
    """The same where it is."""
    return net.strides[agent], net.rate[agent]


@inline
def copy_trace(trace, to):
    """Each thread copies the positions that are its own."""
    for p in range(trace.shape[0]):
        for h in range(trace.shape[1]):
            copy_index(trace[p, h], to[p, h])


@inline
def take_up(work, rows, b, rng, totals):
    """What outlives a launch: every thread gets its own."""
    rng[0], work.recalled[0] = rows.rng[b], False
    for i in range(totals.size):
        totals[i] = rows.totals[b, i]
    work.keep[0] = rows.keep[b, 0]
    for j in range(work.state.size):
        work.state[j], work.middle[j] = 0, rows.middle[b, j]
    for p in range(work.moved.size):
        work.moved[p], work.explored[p], work.scores[p] = False, False, 0.0
        work.length[p], work.head[p] = rows.length[b, p], rows.head[b, p]
        for k in range(work.counts.shape[1]):
            work.counts[p, k], work.slopes[p, k] = rows.counts[b, p, k], rows.slopes[b, p, k]


@inline
def lay_down(work, rows, b, rng, totals):
    """One thread says what has become of it."""
    rows.rng[b], rows.keep[b, 0] = rng[0], work.keep[0]
    for j in range(work.middle.size):
        rows.middle[b, j] = work.middle[j]
    for i in range(totals.size):
        rows.totals[b, i] = totals[i]
    for p in range(work.moved.size):
        rows.length[b, p], rows.head[b, p] = work.length[p], work.head[p]
        for k in range(work.counts.shape[1]):
            rows.counts[b, p, k], rows.slopes[b, p, k] = work.counts[p, k], work.slopes[p, k]
    rows.finished[b] += 1
