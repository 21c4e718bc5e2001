"""Many agents, or many games of one agent, on a GPU: a grid of blocks, each of which plays games.

Block b plays for agent b // games. The tables of all agents lie one after the other; what belongs
to a block, or to an agent, is a row of an array. Where several blocks play for an agent, each
begins with a few episodes and then takes more of those that are left: so all end together.
"""

import math
from typing import NamedTuple

import numpy as np

from tafl.core.approximators.contract import copy_code
from tafl.core.compile.fields import field_by_field, replaced, row_of
from tafl.core.compile.kernel import inline
from tafl.core.compile.thread_block import MOST_WARPS, barrier, block, device, take, thread
from tafl.core.learn import block_learning  # noqa: F401  second bodies of what learners call
from tafl.core.learn.adapt import TD
from tafl.core.learn.work import CPU, NEAR, OWN, SHARED, Work
from tafl.core.memory import form
from tafl.core.ntuple.net import RATES, Net

NEAR_BYTES = 47 << 10  # of memory that the threads of a block may share
PARTS = 4  # a block takes this part of what would be its share of the episodes that are left
PLACES = {name: Work.__annotations__[name].__metadata__[1] for name in Work._fields}


class Rows(NamedTuple):
    """Memory of all blocks."""

    work: Work  # with one more dimension: the block
    rng: np.ndarray  # uint64[blocks]
    totals: np.ndarray  # float64[blocks, 1 + players]
    first: np.ndarray  # int64[blocks]: the first episode ...
    episodes: np.ndarray  # int64[blocks]: ... and how many, to begin with
    free: np.ndarray  # int64[blocks]: at an agent's number, the first episode that is left
    finished: np.ndarray  # int64[blocks]: how many blocks have come to their end


def rows_of(work: Work, blocks: int) -> Work:
    """Return arrays with one more dimension, of zeros; what only the CPU uses takes no memory."""
    made = {}
    for name, array in work._asdict().items():
        if name == "memory":
            made[name] = array
            continue
        shape = [0] * array.ndim if PLACES[name] == CPU else array.shape
        made[name] = np.zeros((blocks, *shape), array.dtype)
    return Work(**made)


# The settings and the network of one agent.
settings_of = row_of(TD)
net_of = replaced(Net, "weights", "strides", "base", "rate")


def population(train, shared, words, players, actions, cells, indices, horizon):
    """Return the kernel that runs a learner in every block, for games and networks of these sizes.

    With `shared`, several blocks share the tables and the episodes of an agent.
    """
    play = (share if shared else own)(train)
    columns = 1 + players  # moves, scores
    sizes = {"words": words, "players": players, "actions": actions}
    sizes |= {"K": indices, "horizon": horizon, "warps": MOST_WARPS}
    forms = [form(Work, name, sizes) for name, place in PLACES.items() if place == SHARED]
    room = NEAR_BYTES - sum(math.prod(shape) * dtype.itemsize for shape, dtype in forms)
    scratch = scratch_of(sizes, near=room >= 0)
    tables = near_tables(cells, indices) if room >= 4 * cells * indices else far_tables

    def train_blocks(game, net, td, rows, games, size, total, end):
        b = block()
        agent = b // games
        work = scratch(rows.work, b)
        rng = device.local.array(1, np.uint64)
        totals = device.local.array(columns, np.float64)
        take_up(work, rows, b, rng, totals)
        copy_trace(rows.work.trace[b], work.trace)
        strides, rate = tables(net, agent)
        weights = net.weights[agent * size : (agent + 1) * size]
        one, settings = net_of(net, weights, strides, net.base[agent], rate), settings_of(td, agent)
        play(game, one, settings, work, rows, b, games, total, end, rng, totals)
        copy_trace(work.trace, rows.work.trace[b])
        if thread() == 0:
            lay_down(work, rows, b, rng, totals)

    return train_blocks


def scratch_of(sizes, near: bool):
    """Make the function (rows, b) that gives block b its memory, each array in its place."""
    values = {}
    for name, place in PLACES.items():
        if place == CPU:
            values[name] = f"rows.{name}"
            continue
        memory = {OWN: "local", NEAR: "shared", SHARED: "shared" if near else ""}.get(place)
        values[name] = f"rows.{name}[b]"
        if memory:
            shape, dtype = form(Work, name, sizes)
            values[name] = f"device.{memory}.array({shape}, np.{dtype.type.__name__})"
    return field_by_field(Work, "rows, b", values, device=device, np=np)


def own(train):
    """Play all episodes of an agent that has one block: a loop would be slower."""

    @inline
    def play(game, net, td, work, rows, b, games, total, end, rng, totals):
        train(game, net, td, work, rows.first[b], rows.episodes[b], total, rng, totals)

    return play


def share(train):
    """Play some episodes, and then those that no other block of the agent has taken."""

    @inline
    def play(game, net, td, work, rows, b, games, total, end, rng, totals):
        first, episodes = rows.first[b], rows.episodes[b]
        taken = device.shared.array(2, np.int64)
        while episodes > 0:
            train(game, net, td, work, first, episodes, total, rng, totals)
            if thread() == 0:
                agent = b // games
                count = max((end - take(rows.free, agent, 0)) // (PARTS * games), 1)
                taken[0], taken[1] = take(rows.free, agent, count), count
            barrier()
            first = taken[0]
            episodes = min(taken[1], end - first)
            barrier()

    return play


def near_tables(cells, indices):
    """Copy the tables that moves read besides weights into shared memory."""

    @inline
    def tables(net, agent):
        strides = device.shared.array((cells, indices), np.int32)
        rate = device.shared.array(RATES, np.float32)
        for c in range(cells):
            copy_code(net.strides[agent, c], strides[c])
        copy_code(net.rate[agent], rate)
        barrier()
        return strides, rate

    return tables


@inline
def far_tables(net, agent):
    """Return the network itself: its tables stay in global memory."""
    return net.strides[agent], net.rate[agent]


@inline
def copy_trace(trace, to):
    """Copy the positions that belong to this thread."""
    for p in range(trace.shape[0]):
        for h in range(trace.shape[1]):
            copy_code(trace[p, h], to[p, h])


@inline
def take_up(work, rows, b, rng, totals):
    """Load what outlives a launch into the memory of every thread."""
    kept = rows.work
    rng[0], work.recalled[0] = rows.rng[b], False
    for i in range(totals.size):
        totals[i] = rows.totals[b, i]
    work.keep[0] = kept.keep[b, 0]
    for j in range(work.state.size):
        work.state[j], work.middle[j] = 0, kept.middle[b, j]
    for p in range(work.moved.size):
        work.moved[p], work.explored[p], work.scores[p] = False, False, 0.0
        work.length[p], work.head[p] = kept.length[b, p], kept.head[b, p]
        for k in range(work.counts.shape[1]):
            work.counts[p, k], work.slopes[p, k] = kept.counts[b, p, k], kept.slopes[b, p, k]


@inline
def lay_down(work, rows, b, rng, totals):
    """Store what outlives a launch, by one thread."""
    kept = rows.work
    rows.rng[b], kept.keep[b, 0] = rng[0], work.keep[0]
    for j in range(work.middle.size):
        kept.middle[b, j] = work.middle[j]
    for i in range(totals.size):
        rows.totals[b, i] = totals[i]
    for p in range(work.moved.size):
        kept.length[b, p], kept.head[b, p] = work.length[p], work.head[p]
        for k in range(work.counts.shape[1]):
            kept.counts[b, p, k], kept.slopes[b, p, k] = work.counts[p, k], work.slopes[p, k]
    rows.finished[b] += 1
