"""Information-set Monte Carlo tree search, for any number of players (Cowling et al., 2012).

Each iteration deals again all that the player to move cannot know, and goes down a tree with one
node for what the *mover* there sees. So no player in it uses what it could not know, neither the
searching player nor the others (multiple observers). It chooses by the highest

    mean + K sqrt(ln(m) / n)

where n counts the visits of an action and m how often it could be chosen, until it meets a new
node. From there the game is played out, and every action on the way learns its mover's reward.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, hashed, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.random import below
from tafl.core.search.mcts import reward_all
from tafl.core.search.rollout import play_out

NONE = -1


class InfoTree(NamedTuple):
    """Nodes, found by the player to move and what it sees, and the way of the iteration."""

    used: Annotated[Array, "int64[1]"]  # how many nodes there are
    heads: Annotated[Array, "int32[buckets]"]  # 1 + the newest node of a hash chain, 0 if empty
    nexts: Annotated[Array, "int32[nodes]"]  # 1 + the next older one
    owners: Annotated[Array, "int32[nodes]"]  # the player to move
    seen: Annotated[Array, "int64[nodes, cells]"]
    available: Annotated[Array, "int64[nodes, actions]"]  # how often it could be chosen
    visits: Annotated[Array, "int64[nodes, actions]"]
    totals: Annotated[Array, "float64[nodes, actions]"]  # the sum of returns, for the owner
    nodes: Annotated[Array, "int64[plies]"]  # those on the way
    way: Annotated[Array, "int64[plies]"]  # the actions
    state: Annotated[Array, "int64[words]"]
    moves: Annotated[Array, "int64[actions]"]
    returns: Annotated[Array, "float64[players]"]


def make_info_tree(facts, nodes: int, plies: int) -> InfoTree:
    """Return memory for this many nodes; unused pages are never allocated."""
    sizes = {"nodes": nodes, "plies": plies, "buckets": 1 << nodes.bit_length()}
    return allocate(InfoTree, vars(facts) | sizes, unfilled=("nodes",))


@inline
def sees_node(game, tree, i, s, p):
    """Return whether node i is that of player p in a state."""
    if tree.owners[i] != p:
        return False
    for c in range(tree.seen.shape[1]):
        if tree.seen[i, c] != game.sees(s, p, c):
            return False
    return True


@inline
def find_node(game, tree, s, p):
    """Return the node of the player to move, and whether it is new; NONE if there is no room."""
    h = np.uint64(p)
    for c in range(tree.seen.shape[1]):
        h = hashed(h, game.sees(s, p, c))
    b = np.int64(h & np.uint64(tree.heads.size - 1))
    i = np.int64(tree.heads[b]) - 1
    while i >= 0:
        if sees_node(game, tree, i, s, p):
            return i, False
        i = np.int64(tree.nexts[i]) - 1
    i = tree.used[0]
    if i == tree.owners.size:
        return np.int64(NONE), False
    tree.used[0] += 1
    tree.nexts[i], tree.heads[b] = tree.heads[b], i + 1
    tree.owners[i] = p
    for c in range(tree.seen.shape[1]):
        tree.seen[i, c] = game.sees(s, p, c)
    tree.available[i, :], tree.visits[i, :], tree.totals[i, :] = 0, 0, 0.0
    return i, True


@inline
def select(tree, k, i, n, rng):
    """Return one of n moves: a random untried one, or that with the highest bound."""
    untried = 0
    best, top = 0, -np.inf
    for j in range(n):
        a = tree.moves[j]
        tree.available[i, a] += 1
        visits = tree.visits[i, a]
        if visits == 0:
            untried += 1
            if below(rng, untried) == 0:
                best = a
        elif untried == 0:
            spread = np.sqrt(np.log(np.float64(tree.available[i, a])) / visits)
            bound = tree.totals[i, a] / visits + k * spread
            if bound > top:
                best, top = a, bound
    return best


@inline
def descend(game, tree, uct, s, rng):
    """Play from the root to the first new node below it; return how many moves."""
    depth = 0
    while depth < tree.way.size and not game.over(s):
        i, new = find_node(game, tree, s, game.player(s))
        if i == NONE or (new and depth > 0):
            break
        n = legal_actions(game, s, tree.moves.size, tree.moves)
        a = select(tree, uct.k, i, n, rng)
        tree.nodes[depth], tree.way[depth] = i, a
        depth += 1
        game.play(s, a)
        game.chance(s, rng)
    return depth


@inline
def back_up(tree, depth):
    """Add the rewards to the actions on the way."""
    for d in range(depth):
        i, a = tree.nodes[d], tree.way[d]
        tree.visits[i, a] += 1
        tree.totals[i, a] += tree.returns[tree.owners[i]]


@kernel
def ismcts_search(game, guide, tree, uct, root, iterations, rng, actions, values, visits):
    """Write the actions that were tried, their mean rewards and visits; return how many."""
    p, s = game.player(root), tree.state
    tree.used[0], tree.heads[:] = 0, 0
    for _ in range(iterations):
        give_way(STOP)
        copy_state(root, s)
        game.redeal(s, p, rng)
        depth = descend(game, tree, uct, s, rng)
        play_out(game, guide, s, tree.moves, uct.rollout_depth - depth, rng)
        reward_all(game, uct, s, tree.returns)
        back_up(tree, depth)
    tried = 0
    for a in range(actions.size):  # node 0 is the root
        if tree.visits[0, a] > 0:
            actions[tried], visits[tried] = a, tree.visits[0, a]
            values[tried] = tree.totals[0, a] / tree.visits[0, a]
            tried += 1
    return tried
