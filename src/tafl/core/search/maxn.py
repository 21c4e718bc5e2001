"""Max-N: every player maximises its own score, for any number of players, without chance.

    maxn(s) = score tuple of s                              where the game or the depth ends
              maxn(s') of the action that is best for the player to move, else; of equals the first

Depth-first with a stack of states: stack.states[d] is the state after d plies.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.search.table import EXACT, UNDECIDED, claim, find, holds


class Stack(NamedTuple):
    """Memory of a search for each ply."""

    states: Annotated[Array, "int64[plies, words]"]
    actions: Annotated[Array, "int64[plies, actions]"]  # the legal ones
    counts: Annotated[Array, "int64[plies]"]  # how many
    tried: Annotated[Array, "int64[plies]"]  # how many of them have been tried
    best: Annotated[Array, "float64[plies, players]"]  # the score tuple of the best one so far
    moves: Annotated[Array, "int64[plies]"]  # the best one so far
    height: Annotated[Array, "int64[plies]"]  # how far below everything ended


def make_stack(facts, depth: int) -> Stack:
    """Return a stack for a search of this many plies."""
    return allocate(Stack, vars(facts) | {"plies": depth + 1})


@inline
def settle(game, stack, table, d, left):
    """Write the score tuple of a state if no search is needed; else begin one."""
    s, best = stack.states[d], stack.best[d]
    over = game.over(s)
    if over or left == 0:
        for p in range(best.size):
            best[p] = game.score(s, p)
        stack.height[d] = 0 if over else UNDECIDED
        return True
    slot = find(table, s)
    if slot >= 0 and holds(table, slot, left):
        for p in range(best.size):
            best[p] = table.values[slot, p]
        stack.height[d] = table.height[slot]
        return True
    stack.counts[d] = legal_actions(game, s, stack.actions.shape[1], stack.actions[d])
    stack.tried[d] = 0
    stack.height[d] = 0
    best[game.player(s)] = -np.inf
    return False


@inline
def advance(game, stack, d):
    """Make states[d + 1] what the next action of states[d] leads to."""
    give_way(STOP)
    copy_state(stack.states[d], stack.states[d + 1])
    game.play(stack.states[d + 1], stack.actions[d, stack.tried[d]])
    stack.tried[d] += 1


@inline
def take(game, stack, d):
    """Compare the action just searched with the best one so far."""
    best, found = stack.best[d], stack.best[d + 1]
    stack.height[d] = max(stack.height[d], min(stack.height[d + 1] + 1, UNDECIDED))
    p = game.player(stack.states[d])
    if found[p] > best[p]:
        stack.moves[d] = stack.actions[d, stack.tried[d] - 1]
        for q in range(best.size):
            best[q] = found[q]


@inline
def remember(stack, table, d, left):
    """Keep the score tuple of a state that has been searched."""
    if table.slots > 0:
        slot = claim(table, stack.states[d], left, stack.height[d])
        for p in range(stack.best.shape[1]):
            table.values[slot, p] = stack.best[d, p]
        table.bounds[slot] = EXACT
        table.moves[slot] = stack.moves[d]


@inline
def maxn(game, stack, table, depth):
    """Make stack.best[0] the score tuple of states[0], searched this many plies deep."""
    d, new = 0, True
    while True:
        settled = new and settle(game, stack, table, d, depth - d)
        if not settled and stack.tried[d] < stack.counts[d]:
            advance(game, stack, d)
            d, new = d + 1, True
            continue
        if not settled:
            remember(stack, table, d, depth - d)
        if d == 0:
            return
        d, new = d - 1, False
        take(game, stack, d)


@kernel
def maxn_scores(game, stack, table, s, depth, actions, scores):
    """Write the legal actions of s and the score tuple that each leads to; return how many."""
    n = legal_actions(game, s, actions.size, actions)
    for i in range(n):
        copy_state(s, stack.states[0])
        game.play(stack.states[0], actions[i])
        maxn(game, stack, table, depth - 1)
        for p in range(scores.shape[1]):
            scores[i, p] = stack.best[0, p]
    return n
