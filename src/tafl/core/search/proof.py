"""Exact search for the value of a state, ordered by a PUCT tree and a trained agent.

For two players whose scores add up to 0, without chance. A search asks one question, whether a
player reaches a target:

    reaches(s) = is the score at least the target?     where the game ends
                 does it after any action?             where this player moves
                 does it after all actions?            where the other one moves

and the value of a state takes a few questions. Nothing is estimated: when its nodes are spent, the
search gives up. Good move ordering saves most of the work: the tree of PUCT near the root, then the
agent's values, further down the killer reply to the same action.

In a table, values[slot] are the lowest and the highest score of player 0 that are possible.
"""

from typing import Annotated, NamedTuple

import numpy as np

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.play.greedy import value_actions
from tafl.core.search.maxn import Stack, advance, make_stack
from tafl.core.search.table import EMPTY, HashTable, claim, find
from tafl.core.search.tree import NONE

NO, YES, OPEN = 0, 1, 2
LONGEST = 250  # plies: a search gives up at longer lines
ASKED = 16  # plies in which the agent orders actions
MOST = 1 << 30  # nodes that an entry of the table counts


class Proof(NamedTuple):
    """The memory of a search; stack.best[d, 0] is the best score of the mover so far."""

    stack: Stack
    table: HashTable
    movers: Annotated[Array, "int64[plies]"]
    ranks: Annotated[Array, "float64[plies, actions]"]  # how promising actions are
    places: Annotated[Array, "int64[plies]"]  # the node of the tree, or NONE
    began: Annotated[Array, "int64[plies]"]  # nodes before this one
    replies: Annotated[Array, "int64[players, actions]"]  # what answered an action last
    history: Annotated[Array, "int64[players, actions]"]  # how often an action answered
    nodes: Annotated[Array, "int64[1]"]  # states looked at
    value: Annotated[Array, "float64[1]"]  # what was found ...
    action: Annotated[Array, "int64[1]"]  # ... and which action gets it, NONE where all is lost


def make_proof(facts, table: HashTable) -> Proof:
    """Return memory for searches of a game."""
    sizes = vars(facts) | {"plies": LONGEST + 1}
    return allocate(Proof, sizes, stack=make_stack(facts, LONGEST), table=table)


@inline
def enough(v, p, asker, target):
    """Return whether score v is enough for p: the asker reaches the target, the other stops it."""
    return v >= target if p == asker else v > -target


@inline
def answer_of(low, high, p, asker, target):
    """Return the answer that bounds of player p's score give, and the score that gives it."""
    if enough(low, p, asker, target):
        return YES, low
    return (OPEN, 0.0) if enough(high, p, asker, target) else (NO, high)


@inline
def known(proof, tree, place, s, p, asker, target):
    """Return what the tree or the table answers for a state and player p, and the score."""
    if place != NONE and tree.solved[place]:
        v = tree.exact[place, p]
        return answer_of(v, v, p, asker, target)
    slot = find(proof.table, s)
    if slot < 0:
        return OPEN, 0.0
    low, high = proof.table.values[slot, 0], proof.table.values[slot, 1]
    if p != 0:
        low, high = -high, -low
    return answer_of(low, high, p, asker, target)


@inline
def keep(proof, d, answer):
    """Store an answer in the table, together with what it knew about the state."""
    table, s, p = proof.table, proof.stack.states[d], proof.movers[d]
    low, high = -np.inf, np.inf
    slot = find(table, s)
    if slot >= 0:
        low, high = table.values[slot, 0], table.values[slot, 1]
    v = proof.stack.best[d, 0]
    if p != 0:
        v = -v
    if (answer == YES) == (p == 0):
        low = max(low, v)
    else:
        high = min(high, v)
    slot = claim(table, s, min(proof.nodes[0] - proof.began[d], MOST), 0)
    table.values[slot, 0], table.values[slot, 1] = low, high


@inline
def child(tree, place, a):
    """Return the node of the tree that an action leads to, or NONE."""
    if place != NONE:
        for e in range(tree.edges[place], tree.edges[place] + max(tree.degrees[place], 0)):
            if tree.actions[e] == a:
                return np.int64(tree.children[e])
    return np.int64(NONE)


@inline
def sift(game, proof, tree, d, p, asker, target, at_end):
    """Keep the actions without an answer; return YES if one is enough.

    Answers come from the ends of games (at_end), or from the tree and the table.
    """
    stack, n = proof.stack, 0
    actions, s, s_after = stack.actions[d], stack.states[d], stack.states[d + 1]
    for i in range(stack.counts[d]):
        a, answer, v = actions[i], OPEN, 0.0
        copy_state(s, s_after)
        game.play(s_after, a)
        if not at_end:
            place = child(tree, proof.places[d], a)
            answer, v = known(proof, tree, place, s_after, p, asker, target)
        elif game.over(s_after):
            v = np.float64(game.score(s_after, p))
            answer, v = answer_of(v, v, p, asker, target)
        if answer == OPEN:
            actions[n] = a
            n += 1
            continue
        stack.best[d, 0] = max(stack.best[d, 0], v)
        if answer == YES:
            stack.moves[d] = a
            return YES
    stack.counts[d] = n
    return OPEN if n > 0 else NO


@inline
def rank(game, trained, proof, tree, d, p, rng):
    """Rank the actions: by the tree, the agent, or what was enough elsewhere."""
    stack, place, ranks = proof.stack, proof.places[d], proof.ranks[d]
    actions, n, i = stack.actions[d], stack.counts[d], 0
    if place != NONE and tree.degrees[place] > 0:
        for e in range(tree.edges[place], tree.edges[place] + tree.degrees[place]):
            if i < n and tree.actions[e] == actions[i]:
                ranks[i] = tree.visits[e]
                i += 1
    elif d < ASKED and trained.asked:
        copy_state(stack.states[d], trained.work.state)
        found, values = trained.actions, trained.values
        m = value_actions(game, trained.net, trained.td, trained.work, rng, found, values)
        for k in range(m):
            if i < n and found[k] == actions[i]:
                ranks[i] = values[k]
                i += 1
    else:
        reply = proof.replies[p, stack.moves[d - 1]] if d > 0 else NONE
        for i in range(n):
            ranks[i] = MOST if actions[i] == reply else proof.history[p, actions[i]]


@inline
def enter(game, trained, proof, tree, d, asker, target, rng):
    """Return the answer of a state, for its mover; OPEN if its actions must be searched."""
    stack = proof.stack
    s, p = stack.states[d], game.player(stack.states[d])
    proof.movers[d], proof.began[d] = p, proof.nodes[0]
    proof.nodes[0] += 1
    stack.best[d, 0], stack.tried[d] = -np.inf, 0
    stack.counts[d] = legal_actions(game, s, stack.actions.shape[1], stack.actions[d])
    answer = sift(game, proof, tree, d, p, asker, target, True)
    if answer == OPEN:
        answer = sift(game, proof, tree, d, p, asker, target, False)
    if answer == OPEN and stack.counts[d] > 1:
        rank(game, trained, proof, tree, d, p, rng)
    return answer


@inline
def choose(proof, d):
    """Move the most promising action that is left to the front."""
    actions, ranks, first = proof.stack.actions[d], proof.ranks[d], proof.stack.tried[d]
    best = first
    for i in range(first + 1, proof.stack.counts[d]):
        if ranks[i] > ranks[best]:
            best = i
    actions[first], actions[best] = actions[best], actions[first]
    ranks[first], ranks[best] = ranks[best], ranks[first]
    proof.stack.moves[d] = actions[first]


@inline
def take(proof, d, answer):
    """Return the answer for ply d after one action was searched; OPEN if others are left."""
    stack, p, v = proof.stack, proof.movers[d], proof.stack.best[d + 1, 0]
    yes = answer == YES
    if proof.movers[d + 1] != p:
        v, yes = -v, not yes
    stack.best[d, 0] = max(stack.best[d, 0], v)
    if not yes:
        return OPEN if stack.tried[d] < stack.counts[d] else NO
    proof.history[p, stack.moves[d]] += 1
    if d > 0:
        proof.replies[p, stack.moves[d - 1]] = stack.moves[d]
    return YES


@inline
def prove(game, trained, proof, tree, asker, target, limit, rng):
    """Return whether states[0] is enough for its mover; OPEN if the nodes do not suffice."""
    stack, d = proof.stack, 0
    answer = enter(game, trained, proof, tree, d, asker, target, rng)
    while True:
        if answer == OPEN:
            if proof.nodes[0] >= limit or d + 2 >= proof.movers.size:
                return OPEN
            choose(proof, d)
            advance(game, stack, d)
            proof.places[d + 1] = child(tree, proof.places[d], stack.moves[d])
            d += 1
            answer = enter(game, trained, proof, tree, d, asker, target, rng)
            continue
        if proof.nodes[0] - proof.began[d] > 1:
            keep(proof, d, answer)
        if d == 0:
            return answer
        d -= 1
        answer = take(proof, d, answer)


@kernel
def prove_value(game, trained, tree, proof, s, highest, nodes, rng):
    """Return whether the value of s was found; write it, for the mover, with an action."""
    # an answer never depends on earlier searches
    proof.table.left[:] = EMPTY
    proof.replies[:, :] = NONE
    proof.history[:, :] = 0
    proof.nodes[0] = proof.places[0] = 0
    proof.value[0], proof.action[0] = 0.0, NONE
    copy_state(s, proof.stack.states[0])
    p = game.player(s)
    low, high, move, hopeful = -highest, highest, NONE, False
    for e in range(tree.degrees[0]):
        hopeful = hopeful or tree.means[e] > 0.0
    while low < high:
        # hopeful: ask whether the value is `high`; else whether it is more than `low`
        asker, target = (p, high) if hopeful else (1 - p, -low)
        answer = prove(game, trained, proof, tree, asker, target, nodes, rng)
        if answer == OPEN:
            return False
        if answer == YES:
            low, move = proof.stack.best[0, 0], proof.stack.moves[0]
        else:
            high = proof.stack.best[0, 0]
        hopeful = not hopeful
    proof.value[0], proof.action[0] = low, move
    return True
