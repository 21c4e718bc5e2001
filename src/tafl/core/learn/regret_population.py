"""Regret matching on a GPU: many agents, each learned by one thread, game after game as on the CPU.

No two threads share anything, so the same seed gives the same bits. What belongs to an agent is a
row of an array.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.compile.fields import field_by_field, replaced, row_of
from tafl.core.compile.kernel import body_of_thread
from tafl.core.compile.thread_block import block, end_block, thread, threads
from tafl.core.learn.adapt import MOST_MOVES, one_more
from tafl.core.learn.regret import Moves, Regret, too_long, train_regret
from tafl.core.learn.store import Store, no_row_left
from tafl.core.ntuple.net import Net


class RegretRows(NamedTuple):
    """Memory of all agents."""

    strides: np.ndarray  # int32[agents, cells, K]: of their n-tuples
    base: np.ndarray  # uint32[agents, K]
    rng: np.ndarray  # uint64[agents, 1]
    totals: np.ndarray  # float64[agents, 1 + players]
    finished: np.ndarray  # int64[agents]: how many launches have come to their end


way_of = row_of(Regret)
moves_of = row_of(Moves)
net_of = replaced(Net, "strides", "base")
TABLES = ("tables", "keys", "slots", "used")
store_of = field_by_field(
    Store,
    "stores, net, a",
    {"net": "net", "bits": "stores.bits"} | {name: f"stores.{name}[a]" for name in TABLES},
)


def train_agents(game, stores, ways, moves, rows, first, episodes):
    """Let every agent play episodes first, first + 1, ..."""
    a = block() * threads() + thread()
    if a < rows.rng.shape[0]:
        net = net_of(stores.net, rows.strides[a], rows.base[a])
        store, way, work = store_of(stores, net, a), way_of(ways, a), moves_of(moves, a)
        train_regret(game, store, way, work, first, episodes, rows.rng[a], rows.totals[a])
        rows.finished[a] += 1


@body_of_thread(no_row_left)
@inline
def end_without_room():
    end_block()


@body_of_thread(too_long)
@inline
def end_too_long():
    end_block()


@body_of_thread(one_more)
@inline
def end_endless(moves):
    if moves == MOST_MOVES:
        end_block()
    return moves + 1
