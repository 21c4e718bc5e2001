"""The value of strategies for each player, and a best response to them, in a game tree.

    value(end, p) = the final score of p
    value(i, p)   = sum of policy(slot) * value(choice, p)     where p keeps to the strategies
                    value of the slot that is best in i's info          where p responds

The best slot of an info has the highest sum over its positions of reach * value, where reach is the
probability that chance and the other players lead to a position.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.memory import Array
from tafl.core.play.game_tree import NONE, GameTree


class Solver(NamedTuple):
    """Orders of a tree's positions, and memory for values."""

    order: Annotated[Array, "int32[players, positions]"]  # all that follows for p comes before
    members: Annotated[Array, "int32[members]"]  # positions, info by info
    groups: Annotated[Array, "int32[infos]"]  # the first member; they end at the next info's
    reach: Annotated[Array, "float64[positions, players]"]
    value: Annotated[Array, "float64[positions]"]
    best: Annotated[Array, "int32[infos]"]  # its best slot, counted from 0


def make_solver(tree: GameTree) -> Solver:
    """Return orders and memory for a tree that is complete."""
    positions, players = tree.turns.shape
    moving = np.flatnonzero(tree.infos != NONE).astype(np.int32)
    infos = tree.infos[moving]
    turns = tree.turns[::-1]
    order = [np.argsort(-turns[:, p], kind="stable").astype(np.int32) for p in range(players)]
    return Solver(
        order=positions - 1 - np.array(order, np.int32),
        members=moving[np.argsort(infos, kind="stable")],
        groups=np.searchsorted(np.sort(infos), np.arange(tree.slots.size)).astype(np.int32),
        reach=np.zeros((positions, players)),
        value=np.zeros(positions),
        best=np.zeros(tree.slots.size, np.int32),
    )


@inline
def worth(tree, value, k):
    """Return the mean value after a choice, over the outcomes of chance."""
    total = 0.0
    for o in range(tree.chances[k], tree.chances[k + 1]):
        total += tree.shares[o] * value[tree.children[o]]
    return total


@inline
def slots_of(tree, info):
    """Return the first slot of an info, and the number of its slots."""
    return tree.slots[info], tree.slots[info + 1] - tree.slots[info]


@kernel
def find_reach(game, tree, solver, policy):
    """Write reach[i, q]: the probability that all but q lead to position i, if q heads for it."""
    reach = solver.reach
    reach[:] = 0.0
    for o in range(tree.chances[0], tree.chances[1]):
        for q in range(reach.shape[1]):
            reach[tree.children[o], q] += tree.shares[o]
    for i in range(tree.movers.size):
        give_way(STOP)
        if tree.movers[i] == NONE:
            continue
        slot, n = slots_of(tree, tree.infos[i])
        for j in range(n):
            k = tree.first[i] + j
            for o in range(tree.chances[k], tree.chances[k + 1]):
                for q in range(reach.shape[1]):
                    chosen = 1.0 if q == tree.movers[i] else policy[slot + j]
                    reach[tree.children[o], q] += reach[i, q] * tree.shares[o] * chosen


@inline
def best_slot(tree, solver, info, p):
    """Return the best slot of an info of player p; of equals the first."""
    best, top = 0, -np.inf
    for j in range(slots_of(tree, info)[1]):
        total = 0.0
        for m in range(solver.groups[info], solver.groups[info + 1]):
            i = solver.members[m]
            total += solver.reach[i, p] * worth(tree, solver.value, tree.first[i] + j)
        if total > top:
            best, top = j, total
    return best


@kernel
def find_value(game, tree, solver, policy, p, responds):
    """Return the value of the strategies for player p, or of its best response to the others."""
    value, best = solver.value, solver.best
    best[:] = NONE
    for i in solver.order[p]:
        give_way(STOP)
        info = tree.infos[i]
        if info == NONE:
            value[i] = game.score(tree.states[i], p)
            continue
        if responds and tree.movers[i] == p:
            if best[info] == NONE:
                best[info] = best_slot(tree, solver, info, p)
            value[i] = worth(tree, value, tree.first[i] + best[info])
            continue
        slot, n = slots_of(tree, info)
        value[i] = 0.0
        for j in range(n):
            value[i] += policy[slot + j] * worth(tree, value, tree.first[i] + j)
    return worth(tree, value, 0)
