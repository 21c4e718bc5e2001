"""Games played out to the end, at random or by a trained agent, from any state."""

from typing import Annotated, NamedTuple

from tafl.core.compile import STOP, give_way, inline
from tafl.core.games.states import copy_state, random_action
from tafl.core.learn.regret import Moves, average_policy, draw
from tafl.core.learn.store import Store
from tafl.core.memory import Array
from tafl.core.play.greedy import any_best, value_actions
from tafl.core.search.foresee import Trained


class Mixed(NamedTuple):
    """A trained agent with an average policy, and memory for asking it."""

    store: Store
    work: Moves
    actions: Annotated[Array, "int64[actions]"]
    values: Annotated[Array, "float64[actions]"]
    policy: Annotated[Array, "float64[actions]"]


class Guide(NamedTuple):
    """The agent that plays games out: one of these, or none for random games."""

    trained: Trained | None = None
    mixed: Mixed | None = None


@inline
def pick(game, trained, mixed, s, moves, rng):
    """Return an action of the guide, or a random one; `moves` has room for all actions.

    The agents are None or not when this is compiled, so only one of the three is in the code.
    """
    if mixed is not None:
        copy_state(s, mixed.work.state)
        found = mixed.actions, mixed.values, mixed.policy
        n = average_policy(game, mixed.store, mixed.work, found[0], found[1], found[2])
        return found[0][draw(mixed.policy, n, rng)]
    if trained is not None:
        work, actions, values = trained.work, trained.actions, trained.values
        copy_state(s, work.state)
        n = value_actions(game, trained.net, trained.td, work, rng, actions, values)
        return any_best(actions, values, n, rng)
    return random_action(game, s, moves, rng)


@inline
def play_out(game, guide, s, moves, plies, rng):
    """Play on from a state to the end, or for this many plies."""
    while plies > 0 and not game.over(s):
        give_way(STOP)
        game.play(s, pick(game, guide.trained, guide.mixed, s, moves, rng))
        game.chance(s, rng)
        plies -= 1
