"""A search tree in arrays: nodes are states, edges are actions.

The edges of a node lie side by side, so that choosing one reads memory in order. Where there is
chance, an action may lead to several states: they are drawn as play would draw them, and the nodes
of those that came up hang on the edge in a list. So below a node the state is always known, values
are means over what chance does, and no game has to enumerate it. (An open-loop tree, whose nodes
stand for sequences of actions alone, would have to play the same whatever chance has done.)

From a solved node the end of the game is known: the game is over, one of its actions leads to the
highest possible score for the player to move, or all its actions are solved (Winands, Bjornsson and
Saito, Monte-Carlo Tree Search Solver, 2008; here for any number of players, without chance).
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.states import copy_state, legal_actions, same_state
from tafl.core.memory import Array, allocate

NONE = -1
UNSEEN = -1  # a degree: the node has no edges yet


class Tree(NamedTuple):
    """Nodes, edges, and the way of the current iteration; node 0 is the root."""

    used: Annotated[Array, "int64[2]"]  # how many nodes and edges there are
    states: Annotated[Array, "int64[nodes, words]"]
    degrees: Annotated[Array, "int32[nodes]"]  # how many edges, 0 at the end, or UNSEEN
    edges: Annotated[Array, "int32[nodes]"]  # its first edge
    tried: Annotated[Array, "int32[nodes]"]  # how many of its edges have been tried
    through: Annotated[Array, "int32[nodes]"]  # how many iterations have gone through
    siblings: Annotated[Array, "int32[nodes]"]  # the next outcome of the same action, or NONE
    solved: Annotated[Array, "bool[nodes]"]  # is it known how the game ends from here?
    exact: Annotated[Array, "float64[nodes, players]"]  # with these scores
    actions: Annotated[Array, "int32[edges]"]
    children: Annotated[Array, "int32[edges]"]  # its first outcome, or NONE
    visits: Annotated[Array, "int32[edges]"]
    totals: Annotated[Array, "float64[edges]"]  # the sum of returns, for the mover
    means: Annotated[Array, "float64[edges]"]  # totals / visits
    extra: Annotated[Array, "float64[edges]"]  # exploration term or prior
    guesses: Annotated[Array, "float64[actions]"]  # scratch
    nodes: Annotated[Array, "int64[stops]"]  # those on the way, from the root
    way: Annotated[Array, "int64[plies]"]  # the edges from the root
    movers: Annotated[Array, "int64[plies]"]  # the players who chose them
    before: Annotated[Array, "float64[stops, players]"]  # the scores on the way
    returns: Annotated[Array, "float64[players]"]  # of the current iteration
    state: Annotated[Array, "int64[words]"]  # scratch
    moves: Annotated[Array, "int64[actions]"]  # scratch


def make_tree(facts, nodes: int, edges: int, plies: int) -> Tree:
    """Return memory for this many nodes and edges; unused pages are never allocated."""
    sizes = {"nodes": nodes, "edges": edges, "plies": plies, "stops": plies + 1}
    return allocate(Tree, vars(facts) | sizes, unfilled=("nodes", "edges"))


@inline
def plant(game, tree, s):
    """Begin a new tree at a state."""
    tree.used[0] = tree.used[1] = 0
    add_node(game, tree, s)


@inline
def has_room(tree):
    """Return whether there is memory for one more node with all its edges."""
    return tree.used[0] < tree.degrees.size and tree.used[1] + tree.moves.size <= tree.actions.size


@inline
def add_node(game, tree, s):
    """Add a node for a state; return its number."""
    node = tree.used[0]
    tree.used[0] += 1
    copy_state(s, tree.states[node])
    tree.degrees[node] = 0 if game.over(s) else UNSEEN
    tree.tried[node] = 0
    tree.through[node] = 0
    tree.siblings[node] = NONE
    tree.solved[node] = False
    return node


@inline
def add_edges(game, tree, node):
    """Give a node an edge for each legal action."""
    n = legal_actions(game, tree.states[node], tree.moves.size, tree.moves)
    first = tree.used[1]
    tree.used[1] += n
    tree.edges[node] = first
    tree.degrees[node] = n
    for i in range(n):
        tree.actions[first + i] = tree.moves[i]
        tree.children[first + i] = NONE
        tree.visits[first + i] = 0
        tree.totals[first + i] = 0.0
    return n


@inline
def learn(tree, e, came_out):
    """Add a return to an edge."""
    tree.visits[e] += 1
    tree.totals[e] += came_out
    tree.means[e] = tree.totals[e] / tree.visits[e]


@inline
def follow(game, tree, node, e, random, rng):
    """Return the node that an edge leads to, which may be new, and whether it is."""
    child = tree.children[e]
    if child != NONE and not random:
        return np.int64(child), False
    s = tree.state
    copy_state(tree.states[node], s)
    game.play(s, np.int64(tree.actions[e]))
    if random:
        game.chance(s, rng)
        while child != NONE:
            if same_state(s, tree.states[child]):
                return np.int64(child), False
            child = tree.siblings[child]
    new = add_node(game, tree, s)
    tree.siblings[new] = tree.children[e]
    tree.children[e] = new
    return new, True


@inline
def is_solved(tree, e):
    """Return whether it is known how the game ends after an edge."""
    child = tree.children[e]
    return child != NONE and tree.solved[child]


@inline
def worth(scores, p, root, paranoid):
    """Return what player p makes of all players' scores in a search for player root.

    It is p's own score, or with `paranoid` in part what the root player does not get.
    """
    if p == root or paranoid == 0.0:
        return scores[p]
    return (1.0 - paranoid) * scores[p] - paranoid * scores[root]


@inline
def settle(tree, puct, node, p):
    """Solve a node of player p, if its actions allow it; return whether they do.

    Where several actions are best for p, others expect the mean of what these lead to.
    """
    root, paranoid, top, complete = tree.movers[0], puct.paranoid, -np.inf, True
    first, end = np.int64(tree.edges[node]), np.int64(tree.edges[node]) + tree.degrees[node]
    for e in range(first, end):
        if is_solved(tree, e):
            top = max(top, worth(tree.exact[tree.children[e]], p, root, paranoid))
        else:
            complete = False
    goal = puct.highest
    if p != root:
        goal -= paranoid * (puct.highest + puct.lowest)
    if not complete and top < goal:
        return False
    tree.solved[node] = True
    ties, players = 0, tree.exact.shape[1]
    for e in range(first, end):
        child = tree.children[e]
        if is_solved(tree, e) and worth(tree.exact[child], p, root, paranoid) == top:
            ties += 1
            for q in range(players):
                mean = tree.exact[node, q] if ties > 1 else 0.0
                tree.exact[node, q] = mean + (tree.exact[child, q] - mean) / ties
    return True


@inline
def prove(game, tree, puct, node, depth):
    """Solve a leaf where the game has ended, and what follows from it on the way to the root."""
    if tree.degrees[node] == 0:
        tree.solved[node] = True
        for q in range(tree.exact.shape[1]):
            tree.exact[node, q] = game.score(tree.states[node], q)
    d = depth - 1
    while d >= 0 and tree.solved[tree.nodes[d + 1]]:
        if not settle(tree, puct, tree.nodes[d], tree.movers[d]):
            break
        d -= 1


@inline
def judge(tree, p, lowest, iterations):
    """Adjust the visits of the root to what is certain: the most visited action is played.

    The best action of a solved root gets all iterations, preferably one that ends the game. If the
    root is not solved, lost actions get none. Where all is lost nothing changes: what was tried
    most often is hardest to refute.
    """
    best = NONE
    for e in range(tree.edges[0], tree.edges[0] + tree.degrees[0]):
        if is_solved(tree, e):
            child = tree.children[e]
            if not tree.solved[0] and tree.exact[child, p] <= lowest:
                tree.visits[e] = 0
            at_once = tree.degrees[child] == 0
            if tree.exact[child, p] == tree.exact[0, p] and (best == NONE or at_once):
                best = e
    if tree.solved[0] and tree.exact[0, p] > lowest and best != NONE:
        tree.visits[best] += iterations
