"""The tree of a whole game in flat arrays: positions, choices, chance, information states.

    position    a state in which a player moves, or the end of the game
    choice      an action in a position; choice 0 is the deal before the first move
    outcome     what chance does after a choice: a position, and its probability
    info        an information state: all positions that look the same to the player to move
    slot        an action in an info; a strategy is one probability for each slot

Positions stand in the order of their plies. Equal states after the same number of plies are one
position, so a game without hidden information is a small graph.

A player with perfect recall knows which of its own slots led to an info. Then the positions of an
info can be weighted by what chance and the others did, and a best response is computed info by
info. `last` has the slot for each position; an info of a single position needs no weights.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import STOP, give_way, inline, kernel
from tafl.core.games.states import copy_state, hashed, legal_actions, same_state
from tafl.core.memory import Array, allocate

NONE, SEVERAL = -1, -2
POSITIONS, CHOICES, OUTCOMES, INFOS, SLOTS = range(5)  # of which there are used[...]
COMPLETE, FULL, UNLIKE, FORGOTTEN = range(4)  # how building ended


class GameTree(NamedTuple):
    """A game tree; the choices of a position and the slots of its info have the same order."""

    used: Annotated[Array, "int64[5]"]
    states: Annotated[Array, "int64[positions, words]"]
    plies: Annotated[Array, "int32[positions]"]
    movers: Annotated[Array, "int32[positions]"]  # the player to move, NONE at the end
    infos: Annotated[Array, "int32[positions]"]  # its info, NONE at the end
    first: Annotated[Array, "int32[positions]"]  # its first choice
    last: Annotated[Array, "int32[positions, players]"]  # a player's slot before, NONE or SEVERAL
    turns: Annotated[Array, "int32[positions, players]"]  # how often a player has moved, at most
    chances: Annotated[Array, "int32[choices]"]  # its first outcome; they end at the next choice's
    children: Annotated[Array, "int32[outcomes]"]
    shares: Annotated[Array, "float64[outcomes]"]  # probabilities
    owners: Annotated[Array, "int32[infos]"]  # the player to move
    examples: Annotated[Array, "int32[infos]"]  # the first of its positions
    lonely: Annotated[Array, "bool[infos]"]  # is there only one?
    slots: Annotated[Array, "int32[infos]"]  # its first slot; they end at the next info's
    actions: Annotated[Array, "int32[slots]"]


class Finder(NamedTuple):
    """Hash chains that find positions and infos, and scratch memory."""

    heads: Annotated[Array, "int32[buckets]"]  # 1 + the newest position of a chain, 0 if empty
    nexts: Annotated[Array, "int32[positions]"]  # 1 + the next older one
    info_heads: Annotated[Array, "int32[buckets]"]
    info_nexts: Annotated[Array, "int32[infos]"]
    after: Annotated[Array, "int64[words]"]
    state: Annotated[Array, "int64[words]"]
    moves: Annotated[Array, "int64[legal]"]


def make_game_tree(facts, positions: int, outcomes: int) -> tuple[GameTree, Finder]:
    """Return memory for a tree of this size; unused pages are never allocated."""
    sizes = vars(facts) | {"positions": positions, "outcomes": outcomes, "choices": outcomes + 1}
    sizes |= {"infos": positions + 1, "slots": outcomes, "legal": facts.actions}
    sizes |= {"buckets": 1 << positions.bit_length()}
    tree = allocate(
        GameTree, sizes, unfilled=("positions", "choices", "outcomes", "infos", "slots")
    )
    return tree, allocate(Finder, sizes, unfilled=("positions", "infos"))


@inline
def bucket(heads, h):
    """Return the chain of a hash value."""
    return np.int64(h & np.uint64(heads.size - 1))


@inline
def position_of(tree, finder, s, ply):
    """Return the position of a state after this many plies, which may be new."""
    h = np.uint64(ply)
    for j in range(s.size):
        h = hashed(h, s[j])
    b = bucket(finder.heads, h)
    i = finder.heads[b] - 1
    while i >= 0:
        if tree.plies[i] == ply and same_state(tree.states[i], s):
            return i
        i = finder.nexts[i] - 1
    i = tree.used[POSITIONS]
    tree.used[POSITIONS] += 1
    copy_state(s, tree.states[i])
    tree.plies[i] = ply
    tree.turns[i, 0] = NONE  # new
    finder.nexts[i], finder.heads[b] = finder.heads[b], i + 1
    return i


@inline
def look_the_same(game, s, other, p, cells):
    """Return whether a player sees the same cells in two states."""
    for c in range(cells):
        if game.sees(s, p, c) != game.sees(other, p, c):
            return False
    return True


@inline
def add_info(tree, finder, i, p, n):
    """Add an info with position i, where p has n moves; return its number."""
    info, slot = tree.used[INFOS], tree.used[SLOTS]
    tree.used[INFOS] += 1
    tree.used[SLOTS] += n
    tree.owners[info], tree.examples[info], tree.lonely[info] = p, i, True
    tree.slots[info], tree.slots[info + 1] = slot, slot + n
    for k in range(n):
        tree.actions[slot + k] = finder.moves[k]
    return info


@inline
def has_moves(tree, finder, info, n):
    """Return whether an info has just these moves."""
    slot = tree.slots[info]
    for k in range(min(n, tree.slots[info + 1] - slot)):
        if tree.actions[slot + k] != finder.moves[k]:
            return False
    return tree.slots[info + 1] - slot == n


@inline
def info_of(game, tree, finder, i, p, cells, n):
    """Return the info of position i, where p has n moves; NONE if moves differ in an info."""
    s, h = tree.states[i], np.uint64(p)
    for c in range(cells):
        h = hashed(h, game.sees(s, p, c))
    b = bucket(finder.info_heads, h)
    info = finder.info_heads[b] - 1
    while info >= 0:
        other = tree.states[tree.examples[info]]
        if tree.owners[info] == p and look_the_same(game, s, other, p, cells):
            tree.lonely[info] = False
            return info if has_moves(tree, finder, info, n) else NONE
        info = finder.info_nexts[info] - 1
    info = add_info(tree, finder, i, p, n)
    finder.info_nexts[info], finder.info_heads[b] = finder.info_heads[b], info + 1
    return info


@inline
def remember(tree, child, parent, p, slot):
    """Write down which of its slots each player used last on a way to a position, and how many."""
    new = tree.turns[child, 0] == NONE
    for q in range(tree.last.shape[1]):
        last, turns = NONE, 0
        if parent != NONE:
            last, turns = tree.last[parent, q], tree.turns[parent, q]
        if q == p:
            last, turns = slot, turns + 1
        tree.last[child, q] = last if new or tree.last[child, q] == last else SEVERAL
        tree.turns[child, q] = turns if new else max(tree.turns[child, q], turns)


@inline
def add_choice(game, tree, finder, parent, p, slot):
    """Add the choice that led to finder.after, with its outcomes; return whether there is room."""
    n = 1 if game.over(finder.after) else game.outcomes(finder.after)
    o, k = tree.used[OUTCOMES], tree.used[CHOICES]
    if n > tree.children.size - o or n > tree.movers.size - tree.used[POSITIONS]:
        return False
    for j in range(n):
        s, share = finder.state, 1.0
        copy_state(finder.after, s)
        if not game.over(s):
            share = game.outcome(s, j)
        child = position_of(tree, finder, s, 0 if parent == NONE else tree.plies[parent] + 1)
        remember(tree, child, parent, p, slot)
        tree.children[o + j], tree.shares[o + j] = child, share
    tree.chances[k], tree.chances[k + 1] = o, o + n
    tree.used[CHOICES] += 1
    tree.used[OUTCOMES] += n
    return True


@kernel
def build_game_tree(game, tree, finder, cells, hides):
    """Write the tree of a game; return COMPLETE, or why there is none.

    In a game that hides nothing every position is an info, whatever its cells tell of the state.
    """
    finder.after[:] = 0
    game.start(finder.after)
    if not add_choice(game, tree, finder, NONE, NONE, NONE):
        return FULL
    i = 0
    while i < tree.used[POSITIONS]:
        give_way(STOP)
        s = tree.states[i]
        tree.movers[i] = tree.infos[i] = tree.first[i] = NONE
        if not game.over(s):
            p = game.player(s)
            n = legal_actions(game, s, finder.moves.size, finder.moves)
            if n > tree.actions.size - tree.used[SLOTS]:
                return FULL
            if hides:
                info = info_of(game, tree, finder, i, p, cells, n)
            else:
                info = add_info(tree, finder, i, p, n)
            if info == NONE:
                return UNLIKE
            tree.movers[i], tree.infos[i], tree.first[i] = p, info, tree.used[CHOICES]
            for k in range(n):
                copy_state(s, finder.after)
                game.play(finder.after, finder.moves[k])
                if not add_choice(game, tree, finder, i, p, tree.slots[info] + k):
                    return FULL
        i += 1
    return COMPLETE if has_recall(tree) else FORGOTTEN


@inline
def has_recall(tree):
    """Return whether all players know which of their slots led to an info."""
    for i in range(tree.used[POSITIONS]):
        p, info = tree.movers[i], tree.infos[i]
        if p != NONE and not tree.lonely[info]:
            last = tree.last[i, p]
            if last == SEVERAL or last != tree.last[tree.examples[info], p]:
                return False
    return True
