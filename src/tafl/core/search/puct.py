"""PUCT: a tree search around a trained agent, for any number of players and with chance.

Each iteration goes down the tree by the highest

    q + c P sqrt(N) / (1 + n)

where q is the mean of what came out so far for the player who moves (at first what the agent says
of the action) and P the agent's softmax over its values of the actions, to a new state. There the
agent foresees what is to come for each player, and on the way back every action learns it.

Without chance, what is certain is kept (tree.py): an action whose end is known is worth just that
and is not explored, the search ends when the root is solved, and a lost action is not played.

With three and more players it is open what the others want. Each adds up its own returns (Max-N,
paranoid = 0), those of the player who searches with the sign changed (paranoid = 1), or a mean of
both.

Values have no fixed scale (2048 counts in millionths): q and the softmax are relative to the range
of values that the player has met in this tree.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state
from tafl.core.search.foresee import foresee
from tafl.core.search.tree import (
    UNSEEN,
    add_edges,
    follow,
    has_room,
    is_solved,
    judge,
    learn,
    plant,
    prove,
    worth,
)


class PUCT(NamedTuple):
    """The settings of a search."""

    c: float  # how much the prior counts
    temperature: float  # of the softmax: lower follows the agent more
    random: bool  # is there chance in the game?
    lowest: float  # the range of scores
    highest: float
    ranges: np.ndarray  # float64[players, 2]: the smallest and largest value met
    paranoid: float = 0.0  # how much the other players want the one who searches to lose


@inline
def widen(ranges, p, v):
    """Note a value that a player has met."""
    ranges[p, 0] = min(ranges[p, 0], v)
    ranges[p, 1] = max(ranges[p, 1], v)


@inline
def per_range(ranges, p):
    """Return 1 / the range of values that a player has met."""
    width = ranges[p, 1] - ranges[p, 0]
    return 1.0 / width if width > 0.0 else 1.0


@inline
def set_priors(game, tree, puct, node, guesses):
    """Make the agent's values of the actions the first means, and their softmax the priors."""
    first, p = np.int64(tree.edges[node]), game.player(tree.states[node])
    best = guesses[0]
    for i in range(guesses.size):
        best = max(best, guesses[i])
    root = game.player(tree.states[0])
    more = worth(tree.returns, p, root, puct.paranoid) - tree.returns[p]
    for i in range(guesses.size):
        tree.means[first + i] = guesses[i] + more
        widen(puct.ranges, p, guesses[i] + more)
    scale, total = per_range(puct.ranges, p) / puct.temperature, 0.0
    for i in range(guesses.size):
        tree.extra[first + i] = np.exp((guesses[i] - best) * scale)
        total += tree.extra[first + i]
    for i in range(guesses.size):
        tree.extra[first + i] /= total


@inline
def select(tree, puct, node, p):
    """Return the edge with the highest q + c P sqrt(N) / (1 + n)."""
    first = np.int64(tree.edges[node])
    scale, c = per_range(puct.ranges, p), puct.c * np.sqrt(np.float64(tree.through[node]))
    best, top = first, -np.inf
    for e in range(first, first + tree.degrees[node]):
        bound = tree.means[e] * scale
        if not is_solved(tree, e):
            bound += c * tree.extra[e] / (1 + tree.visits[e])
        if bound > top:
            best, top = e, bound
    return best


@inline
def expand(game, trained, tree, puct, node, rng):
    """Write the rewards to come after a leaf, and give a new node its edges."""
    s, to_come = tree.states[node], tree.returns
    n = foresee(game, trained, s, rng, tree.moves, tree.guesses, to_come)
    if tree.degrees[node] == UNSEEN and has_room(tree):
        add_edges(game, tree, node)
        if not puct.random:  # the values of actions that end the game are known
            s_after, p = tree.state, game.player(s)
            for i in range(n):
                copy_state(s, s_after)
                game.play(s_after, tree.moves[i])
                if game.over(s_after):
                    tree.guesses[i] = game.score(s_after, p) - game.score(s, p)
        set_priors(game, tree, puct, node, tree.guesses[:n])


@inline
def note(game, tree, node, depth):
    """Write down a node on the way, and its scores."""
    tree.nodes[depth] = node
    for q in range(tree.returns.size):
        tree.before[depth, q] = game.score(tree.states[node], q)


@inline
def descend(game, tree, puct, rng):
    """Select; return the leaf that an iteration reaches, and its depth."""
    node, depth = np.int64(0), 0
    note(game, tree, node, depth)
    while tree.degrees[node] > 0 and depth < tree.way.size and has_room(tree):
        if tree.solved[node]:
            break
        p = game.player(tree.states[node])
        e = select(tree, puct, node, p)
        tree.through[node] += 1
        tree.way[depth], tree.movers[depth] = e, p
        depth += 1
        node, _ = follow(game, tree, node, e, puct.random, rng)
        note(game, tree, node, depth)
    return node, depth


@inline
def back_up(tree, puct, gamma, depth):
    """Add the returns, from each state on the path, to the actions of the movers."""
    root = tree.movers[0]
    for d in range(depth - 1, -1, -1):
        e, p = tree.way[d], tree.movers[d]
        solved = is_solved(tree, e)
        for q in range(tree.returns.size):
            if solved:
                tree.returns[q] = tree.exact[tree.nodes[d + 1], q] - tree.before[d + 1, q]
        tree.returns[p] *= gamma
        for q in range(tree.returns.size):
            tree.returns[q] += tree.before[d + 1, q] - tree.before[d, q]
        value = worth(tree.returns, p, root, puct.paranoid)
        learn(tree, e, value)
        if solved:
            tree.totals[e], tree.means[e] = value * tree.visits[e], value
        widen(puct.ranges, p, tree.means[e])


@kernel
def puct_search(game, trained, tree, puct, s, iterations, rng):
    """Run iterations of the search in a new tree for the state s."""
    plant(game, tree, s)
    puct.ranges[:, 0], puct.ranges[:, 1] = np.inf, -np.inf
    # with gamma < 1 it also matters when a game ends
    certain = not puct.random and trained.td.gamma == 1.0
    for _ in range(iterations + 1):  # the first one only looks at the root
        give_way(STOP)
        node, depth = descend(game, tree, puct, rng)
        expand(game, trained, tree, puct, node, rng)
        if certain:
            prove(game, tree, puct, node, depth)
        back_up(tree, puct, trained.td.gamma, depth)
        if tree.solved[0]:
            break
    judge(tree, game.player(s), puct.lowest, iterations)
