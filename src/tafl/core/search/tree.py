"""A search tree in arrays: nodes are states, edges are actions.

The edges of a node lie side by side, so that choosing one reads memory in order. Where there is
chance, an action may lead to several states: they are drawn as play would draw them, and the nodes
of those that came up hang on the edge in a list. So below a node the state is always known, values
are means over what chance does, and no game has to enumerate it. (An open-loop tree, whose nodes
stand for sequences of actions alone, would have to play the same whatever chance has done.)
"""

from typing import NamedTuple

import numpy as np

from tafl.core.compile import inline
from tafl.core.games.moves import legal_actions
from tafl.core.games.states import copy_state, same_state

NONE = -1
UNSEEN = -1  # a degree: the node has no edges yet


class Tree(NamedTuple):
    """Nodes, edges, and the way of the current iteration; node 0 is the root."""

    used: np.ndarray  # int64[2]: how many nodes and edges there are
    states: np.ndarray  # int64[nodes, words]
    degrees: np.ndarray  # int32[nodes]: number of edges, 0 at the end of the game, or UNSEEN
    edges: np.ndarray  # int32[nodes]: its first edge
    tried: np.ndarray  # int32[nodes]: how many of its edges have been tried
    through: np.ndarray  # int32[nodes]: how many iterations have gone through
    siblings: np.ndarray  # int32[nodes]: the next outcome of the same action, or NONE
    solved: np.ndarray  # bool[nodes]: is it known how the game ends from here?
    exact: np.ndarray  # float64[nodes, players]: with these scores
    actions: np.ndarray  # int32[edges]
    children: np.ndarray  # int32[edges]: its first outcome, or NONE
    visits: np.ndarray  # int32[edges]
    totals: np.ndarray  # float64[edges]: the sum of what came out, for the player who moves
    means: np.ndarray  # float64[edges]: totals / visits
    extra: np.ndarray  # float64[edges]: what makes an edge worth trying besides its mean
    guesses: np.ndarray  # float64[actions]: scratch
    nodes: np.ndarray  # int64[plies + 1]: those on the way, from the root
    way: np.ndarray  # int64[plies]: the edges from the root
    movers: np.ndarray  # int64[plies]: who chose them
    before: np.ndarray  # float64[plies + 1, players]: the scores on the way
    returns: np.ndarray  # float64[players]: what comes out
    state: np.ndarray  # int64[words]: scratch
    moves: np.ndarray  # int64[actions]: scratch


def make_tree(facts, nodes: int, edges: int, plies: int) -> Tree:
    """Memory for this many nodes and edges; pages that are never used are never taken."""
    return Tree(
        used=np.zeros(2, np.int64),
        states=np.empty((nodes, facts.words), np.int64),
        degrees=np.empty(nodes, np.int32),
        edges=np.empty(nodes, np.int32),
        tried=np.empty(nodes, np.int32),
        through=np.empty(nodes, np.int32),
        siblings=np.empty(nodes, np.int32),
        solved=np.empty(nodes, np.bool_),
        exact=np.empty((nodes, facts.players), np.float64),
        actions=np.empty(edges, np.int32),
        children=np.empty(edges, np.int32),
        visits=np.empty(edges, np.int32),
        totals=np.empty(edges, np.float64),
        means=np.empty(edges, np.float64),
        extra=np.empty(edges, np.float64),
        guesses=np.zeros(facts.actions, np.float64),
        nodes=np.zeros(plies + 1, np.int64),
        way=np.zeros(plies, np.int64),
        movers=np.zeros(plies, np.int64),
        before=np.zeros((plies + 1, facts.players), np.float64),
        returns=np.zeros(facts.players, np.float64),
        state=np.zeros(facts.words, np.int64),
        moves=np.zeros(facts.actions, np.int64),
    )


@inline
def plant(game, tree, s):
    """Begins a new tree at a state."""
    tree.used[0] = tree.used[1] = 0
    add_node(game, tree, s)


@inline
def has_room(tree):
    """Is there memory for one more node with all its edges?"""
    return tree.used[0] < tree.degrees.size and tree.used[1] + tree.moves.size <= tree.actions.size


@inline
def add_node(game, tree, s):
    """A new node."""
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
    """Gives a node an edge for each legal action."""
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
    """Adds what came out to an edge."""
    tree.visits[e] += 1
    tree.totals[e] += came_out
    tree.means[e] = tree.totals[e] / tree.visits[e]


@inline
def follow(game, tree, node, e, random, rng):
    """The node that an edge leads to, which may be new, and whether it is."""
    child = tree.children[e]
    if child != NONE and not random:
        return np.int64(child), False
    s = tree.state
    copy_state(tree.states[node], s)
    game.play(s, tree.actions[e])
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
