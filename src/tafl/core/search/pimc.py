"""Perfect-information Monte Carlo: search in worlds that the player cannot tell apart.

    repeat for each world: deal again all that the player to move cannot know,
                           search there with MCTS, as if everybody saw everything,
                           add the mean of each action
    play the action with the highest sum

Its weakness is known as strategy fusion: within a world it plays as if it knew the world, so it
sees no use in hiding or in finding out anything (Frank and Basin, 1998). `ismcts` does not.
"""

from typing import Annotated, NamedTuple

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.memory import Array, allocate
from tafl.core.search.mcts import grow


class Worlds(NamedTuple):
    """The sums over worlds for each action."""

    world: Annotated[Array, "int64[words]"]
    sums: Annotated[Array, "float64[actions]"]  # of its means
    counts: Annotated[Array, "int64[actions]"]  # in how many worlds it was tried


def make_worlds(facts) -> Worlds:
    """Return memory for the sums of all actions."""
    return allocate(Worlds, vars(facts))


@inline
def add_means(tree, worlds):
    """Add the means of the actions at the root of a tree."""
    for e in range(tree.edges[0], tree.edges[0] + tree.tried[0]):
        worlds.sums[tree.actions[e]] += tree.means[e]
        worlds.counts[tree.actions[e]] += 1


@kernel
def pimc_search(game, guide, tree, uct, worlds, s, number, iterations, rng, actions, values):
    """Write the actions that were tried, and their mean rewards; return how many."""
    p, n = game.player(s), legal_actions(game, s, actions.size, actions)
    worlds.sums[:], worlds.counts[:] = 0.0, 0
    for _ in range(number):
        copy_state(s, worlds.world)
        game.redeal(worlds.world, p, rng)
        tree.used[:] = 0
        grow(game, guide, tree, uct, worlds.world, iterations, rng)
        add_means(tree, worlds)
    tried = 0
    for i in range(n):
        a = actions[i]
        if worlds.counts[a] > 0:
            actions[tried], values[tried] = a, worlds.sums[a] / worlds.counts[a]
            tried += 1
    return tried
