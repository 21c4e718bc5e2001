"""Solved nodes of a search tree, from which the end of the game is known.

A node is solved if the game is over, if one of its actions leads to the highest possible score for
the player to move, or if all its actions are solved (Winands, Bjornsson and Saito, Monte-Carlo Tree
Search Solver, 2008; here for any number of players, without chance).
"""

from tafl.core.compile import inline
from tafl.core.search.tree import NONE


@inline
def is_solved(tree, e):
    """Return whether it is known how the game ends after an edge."""
    child = tree.children[e]
    return child != NONE and tree.solved[child]


@inline
def settle(tree, highest, node, p):
    """Solve a node of player p, if its actions allow it; return whether they do."""
    best, complete = NONE, True
    for e in range(tree.edges[node], tree.edges[node] + tree.degrees[node]):
        if not is_solved(tree, e):
            complete = False
        elif best == NONE or tree.exact[tree.children[e], p] > tree.exact[best, p]:
            best = tree.children[e]
    if best == NONE or (not complete and tree.exact[best, p] < highest):
        return False
    tree.solved[node] = True
    for q in range(tree.exact.shape[1]):
        tree.exact[node, q] = tree.exact[best, q]
    return True


@inline
def prove(game, tree, highest, node, depth):
    """Solve a leaf where the game has ended, and what follows from it on the way to the root."""
    if tree.degrees[node] == 0:
        tree.solved[node] = True
        for q in range(tree.exact.shape[1]):
            tree.exact[node, q] = game.score(tree.states[node], q)
    d = depth - 1
    while d >= 0 and tree.solved[tree.nodes[d + 1]]:
        if not settle(tree, highest, tree.nodes[d], tree.movers[d]):
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
