"""Alpha-beta for two players whose scores add up to 0: the values of Max-N from far fewer states.

    alphabeta(s, alpha, beta) = score of s                         where the game or the depth ends
                                max over a of -alphabeta(s', -beta, -alpha), until it reaches beta

Values and windows are those of the player to move; where a player moves twice in a row, nothing
changes sign. Promising actions come first: the one from the table, the one that last cut off at the
same ply (killer), then those that cut off often (history).
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.search.maxn import advance
from tafl.core.search.table import EXACT, LOWER, UNDECIDED, UPPER, claim, find, holds

NONE = -1
FIRST = 1 << 62  # the rank of the table's action; a killer comes after it


class Cuts(NamedTuple):
    """Memory of alpha-beta beside the stack of Max-N; stack.best[d, 0] is the value so far."""

    movers: Annotated[Array, "int64[plies]"]  # who is to move, or at the end who moved last
    alpha: Annotated[Array, "float64[plies]"]
    beta: Annotated[Array, "float64[plies]"]
    killers: Annotated[Array, "int64[plies]"]
    history: Annotated[Array, "int64[2, actions]"]


def make_cuts(facts, depth: int) -> Cuts:
    """Return memory for a search of this many plies."""
    cuts = allocate(Cuts, vars(facts) | {"plies": depth + 1})
    cuts.killers[:] = NONE
    return cuts


@inline
def turn(game, stack, cuts, d):
    """Write whose turn it is at ply d and that player's window; return whether it is over."""
    over = game.over(stack.states[d])
    cuts.movers[d] = cuts.movers[d - 1] if over else game.player(stack.states[d])
    alpha, beta = max(cuts.alpha[d - 1], stack.best[d - 1, 0]), cuts.beta[d - 1]
    swap = cuts.movers[d] != cuts.movers[d - 1]
    cuts.alpha[d], cuts.beta[d] = (-beta, -alpha) if swap else (alpha, beta)
    return over


@inline
def known(stack, cuts, table, d, left):
    """Return whether the table has the value of a state, or a sufficient bound."""
    slot = find(table, stack.states[d])
    stack.moves[d] = table.moves[slot] if slot >= 0 else NONE
    if slot < 0 or not holds(table, slot, left):
        return False
    bound, v = table.bounds[slot], table.values[slot, 0]
    high, low = bound != UPPER and v >= cuts.beta[d], bound != LOWER and v <= cuts.alpha[d]
    if bound != EXACT and not high and not low:
        return False
    stack.best[d, 0], stack.height[d] = v, table.height[slot]
    return True


@inline
def settle(game, stack, cuts, table, d, left):
    """Write the value of a state if no search is needed; else begin one."""
    s = stack.states[d]
    over = turn(game, stack, cuts, d)
    if over or left == 0:
        stack.best[d, 0] = game.score(s, cuts.movers[d])
        stack.height[d] = 0 if over else UNDECIDED
        return True
    if known(stack, cuts, table, d, left):
        return True
    stack.counts[d] = legal_actions(game, s, stack.actions.shape[1], stack.actions[d])
    stack.tried[d] = 0
    stack.height[d] = 0
    stack.best[d, 0] = -np.inf
    return False


@inline
def rank(stack, cuts, d, a):
    """Return how promising an action is."""
    if a == stack.moves[d]:
        return FIRST
    return FIRST - 1 if a == cuts.killers[d] else cuts.history[cuts.movers[d], a]


@inline
def choose(stack, cuts, d):
    """Move the most promising action that is left to the front."""
    actions, first = stack.actions[d], stack.tried[d]
    best, top = first, rank(stack, cuts, d, actions[first])
    for i in range(first + 1, stack.counts[d]):
        r = rank(stack, cuts, d, actions[i])
        if r > top:
            best, top = i, r
    actions[first], actions[best] = actions[best], actions[first]


@inline
def take(stack, cuts, d, left):
    """Compare the action just searched with the best one so far; at beta, try no more."""
    v = stack.best[d + 1, 0]
    if cuts.movers[d] != cuts.movers[d + 1]:
        v = -v
    stack.height[d] = max(stack.height[d], min(stack.height[d + 1] + 1, UNDECIDED))
    if v > stack.best[d, 0]:
        a = stack.actions[d, stack.tried[d] - 1]
        stack.best[d, 0] = v
        stack.moves[d] = a
        if v >= cuts.beta[d]:
            stack.counts[d] = stack.tried[d]
            cuts.killers[d] = a
            cuts.history[cuts.movers[d], a] += left * left


@inline
def remember(stack, cuts, table, d, left):
    """Keep the value of a state that has been searched, or the bound that was found."""
    if table.slots > 0:
        slot = claim(table, stack.states[d], left, stack.height[d])
        v = stack.best[d, 0]
        bound = LOWER if v >= cuts.beta[d] else EXACT
        table.bounds[slot] = UPPER if v <= cuts.alpha[d] else bound
        table.values[slot, 0] = v
        table.moves[slot] = stack.moves[d]


@inline
def alphabeta(game, stack, cuts, table, depth):
    """Return the value of states[1], searched this many plies deep, for the mover of ply 0."""
    d, new = 1, True
    while True:
        left = depth + 1 - d
        settled = new and settle(game, stack, cuts, table, d, left)
        if not settled and stack.tried[d] < stack.counts[d]:
            choose(stack, cuts, d)
            advance(game, stack, d)
            d, new = d + 1, True
            continue
        if not settled:
            remember(stack, cuts, table, d, left)
        if d == 1:
            return stack.best[1, 0] if cuts.movers[1] == cuts.movers[0] else -stack.best[1, 0]
        d, new = d - 1, False
        take(stack, cuts, d, left + 1)


@kernel
def alphabeta_values(game, stack, cuts, table, s, depth, highest, actions, values, heights):
    """Write the legal actions of s and the score that each leads to; return how many.

    heights: within how many plies all lines of an action end, or UNDECIDED.
    """
    n = legal_actions(game, s, actions.size, actions)
    cuts.movers[0] = game.player(s)
    cuts.alpha[0], cuts.beta[0] = -highest, highest
    stack.best[0, 0] = -np.inf
    for i in range(n):
        copy_state(s, stack.states[1])
        game.play(stack.states[1], actions[i])
        values[i] = alphabeta(game, stack, cuts, table, depth - 1)
        heights[i] = stack.height[1]
    return n
