"""Monte Carlo tree search with UCT, for any number of players and with chance.

Each iteration goes down the tree by the highest

    mean + K sqrt(ln(N + 1) / n)

to an action that was never tried, plays on from there at random, and adds what came out to the mean
of every action on the way, as the reward of the player who chose it. Rewards are the final scores,
mapped from the range of scores to 0 ... 1.
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state
from tafl.core.random import below
from tafl.core.search.rollout import Guide, play_out
from tafl.core.search.tree import UNSEEN, add_edges, follow, has_room, learn, plant

RANDOM = Guide()  # games are played out at random


class UCT(NamedTuple):
    """The settings of a search."""

    k: float  # K: how much uncertainty counts
    tree_depth: int  # plies from the root that the tree may reach
    rollout_depth: int  # plies from the root that an iteration may reach
    random: bool  # is there chance in the game?
    lowest: float  # the range of scores
    highest: float


@inline
def untried(tree, node, rng):
    """Return a random edge that has not been tried."""
    first, tried = tree.edges[node], tree.tried[node]
    e, other = first + tried, first + tried + below(rng, tree.degrees[node] - tried)
    tree.actions[e], tree.actions[other] = tree.actions[other], tree.actions[e]
    tree.tried[node] += 1
    return np.int64(e)


@inline
def highest_bound(tree, uct, node):
    """Return the edge with the highest upper confidence bound; all edges have been tried."""
    first = np.int64(tree.edges[node])
    c = uct.k * np.sqrt(np.log(tree.through[node] + 1.0))
    best, top = first, -np.inf
    for e in range(first, first + tree.degrees[node]):
        bound = tree.means[e] + c * tree.extra[e]
        if bound > top:
            best, top = e, bound
    return best


@inline
def descend(game, tree, uct, rng):
    """Select and expand; return the node to play on from, and its depth."""
    node, depth = np.int64(0), 0
    while depth < uct.tree_depth and tree.degrees[node] != 0:
        if not has_room(tree):
            break
        if tree.degrees[node] == UNSEEN:
            add_edges(game, tree, node)
        if tree.tried[node] < tree.degrees[node]:
            e = untried(tree, node, rng)
        else:
            e = highest_bound(tree, uct, node)
        tree.through[node] += 1
        tree.way[depth] = e
        tree.movers[depth] = game.player(tree.states[node])
        depth += 1
        node, new = follow(game, tree, node, e, uct.random, rng)
        if new:
            break
    return node, depth


@inline
def rollout(game, guide, tree, uct, node, depth, rng):
    """Play from a node to the end, or to the depth limit, for the rewards of all."""
    s = tree.state
    copy_state(tree.states[node], s)
    play_out(game, guide, s, tree.moves, uct.rollout_depth - depth, rng)
    reward_all(game, uct, s, tree.returns)


@inline
def reward_all(game, uct, s, returns):
    """Write the reward of each player for a final state."""
    scale = 1.0 / (uct.highest - uct.lowest)
    for p in range(returns.size):
        returns[p] = (game.score(s, p) - uct.lowest) * scale


@inline
def back_up(tree, depth):
    """Add the rewards to the actions on the way."""
    for d in range(depth):
        e = tree.way[d]
        learn(tree, e, tree.returns[tree.movers[d]])
        tree.extra[e] = 1.0 / np.sqrt(tree.visits[e])


@inline
def grow(game, guide, tree, uct, s, iterations, rng):
    """Run iterations of the search; a tree planted for the state s before grows on."""
    if tree.used[0] == 0:
        plant(game, tree, s)
    for _ in range(iterations):
        give_way(STOP)
        node, depth = descend(game, tree, uct, rng)
        rollout(game, guide, tree, uct, node, depth, rng)
        back_up(tree, depth)


@kernel
def mcts(game, tree, uct, s, iterations, rng):
    """Run iterations of the search with random games."""
    grow(game, RANDOM, tree, uct, s, iterations, rng)
