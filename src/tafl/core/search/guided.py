"""Alpha-beta over the values of a trained agent: those of n-ply search from far fewer states.

    guided(s, alpha, beta) = score of s                                  where the game ends
                             score of s + the agent's highest value      at the last ply
                             max over a of -guided(s', -beta, -alpha), until it reaches beta

The agent also says in which order actions are tried, after the one that a shallower search found
best. The search begins with one ply, which is the agent itself, and gets deeper ply by ply.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state
from tafl.core.memory import Array, allocate
from tafl.core.play.greedy import value_actions
from tafl.core.search.alphabeta import NONE, Cuts, known, make_cuts, remember, take, turn
from tafl.core.search.maxn import Stack, advance, make_stack
from tafl.core.search.table import UNDECIDED, HashTable

LESS = 1e-12  # a bound lies below the best value by this much, so that ties are detected


class Guided(NamedTuple):
    """The memory of a search."""

    stack: Stack
    cuts: Cuts
    table: HashTable  # of one agent: its values are in there
    values: Annotated[Array, "float64[plies, actions]"]  # the agent's; the root's get better


def make_guided(facts, table: HashTable, depth: int) -> Guided:
    """Return memory for a search of this many plies."""
    stack, cuts = make_stack(facts, depth), make_cuts(facts, depth)
    sizes = vars(facts) | {"plies": depth + 1}
    return allocate(Guided, sizes, stack=stack, cuts=cuts, table=table)


@inline
def ask(game, trained, guided, d, rng):
    """Write the actions of states[d] and the agent's values; return the best value."""
    stack, values = guided.stack, guided.values[d]
    copy_state(stack.states[d], trained.work.state)
    n = value_actions(game, trained.net, trained.td, trained.work, rng, stack.actions[d], values)
    stack.counts[d] = n
    best = values[0]
    for i in range(1, n):
        best = max(best, values[i])
    return best


@inline
def settle(game, trained, guided, d, left, rng):
    """Write the value of a state if no search is needed; else begin one."""
    stack, cuts = guided.stack, guided.cuts
    s = stack.states[d]
    if turn(game, stack, cuts, d):
        stack.best[d, 0], stack.height[d] = game.score(s, cuts.movers[d]), 0
        return True
    if known(stack, cuts, guided.table, d, left):
        return True
    best = ask(game, trained, guided, d, rng)
    if left == 1:
        best += game.score(s, cuts.movers[d])
        stack.best[d, 0] = max(cuts.alpha[0], min(best, cuts.beta[0]))  # within the range of scores
        stack.height[d] = UNDECIDED
        remember(stack, cuts, guided.table, d, left)
        return True
    stack.tried[d], stack.height[d], stack.best[d, 0] = 0, 0, -np.inf
    return False


@inline
def choose(guided, d):
    """Move the most promising action that is left to the front."""
    stack, values = guided.stack, guided.values[d]
    actions, first = stack.actions[d], stack.tried[d]
    best = first
    for i in range(first, stack.counts[d]):
        if actions[i] == stack.moves[d]:
            best = i
            break
        if values[i] > values[best]:
            best = i
    actions[first], actions[best] = actions[best], actions[first]
    values[first], values[best] = values[best], values[first]


@inline
def search(game, trained, guided, depth, rng):
    """Return the value of states[1] for the mover of ply 0, in a search of this depth."""
    stack, cuts = guided.stack, guided.cuts
    d, new = 1, True
    while True:
        left = depth - d
        settled = new and settle(game, trained, guided, d, left, rng)
        if not settled and stack.tried[d] < stack.counts[d]:
            choose(guided, d)
            advance(game, stack, d)
            d, new = d + 1, True
            continue
        if not settled:
            remember(stack, cuts, guided.table, d, left)
        if d == 1:
            return stack.best[1, 0] if cuts.movers[1] == cuts.movers[0] else -stack.best[1, 0]
        d, new = d - 1, False
        take(stack, cuts, d, left + 1)


@inline
def deepen(game, trained, guided, depth, narrow, rng):
    """Search the actions of the root to this depth, best first; return the highest value.

    Where only the best matter (narrow), others get a bound that is lower than the best value.
    """
    stack, top = guided.stack, -np.inf
    stack.moves[0] = NONE
    for i in range(stack.counts[0]):
        stack.tried[0] = i
        choose(guided, 0)
        stack.best[0, 0] = top - LESS if narrow else -np.inf
        advance(game, stack, 0)
        guided.values[0, i] = search(game, trained, guided, depth, rng)
        top = max(top, guided.values[0, i])
    return top


@inline
def write_down(guided, actions, values):
    """Write the actions of the root and their values; return how many there are."""
    n = guided.stack.counts[0]
    for i in range(n):
        actions[i], values[i] = guided.stack.actions[0, i], guided.values[0, i]
    return n


@kernel
def guided_values(game, trained, guided, s, depth, highest, narrow, rng, actions, values):
    """Write the legal actions of s and the score expected of each; return how many.

    Where only the best action matters (narrow), a win that is found ends the search, so that the
    fastest one is played; and where all is lost, the answer is that of one ply less, so that the
    slowest loss is.
    """
    cuts = guided.cuts
    copy_state(s, guided.stack.states[0])
    cuts.movers[0] = game.player(s)
    cuts.alpha[0], cuts.beta[0] = -highest, highest
    ask(game, trained, guided, 0, rng)
    for i in range(guided.stack.counts[0]):
        guided.values[0, i] += game.score(s, cuts.movers[0])
    n = write_down(guided, actions, values)
    for plies in range(2, depth + 1):
        top = deepen(game, trained, guided, plies, narrow, rng)
        if narrow and top <= -highest:
            break
        write_down(guided, actions, values)
        if narrow and top >= highest:
            break
    return n
