"""Games played out to the end, at random or by a trained agent, from any state."""

from tafl.core.compile import STOP, give_way, inline
from tafl.core.games.states import copy_state, random_action
from tafl.core.play.greedy import any_best, value_actions


@inline
def pick(game, trained, s, moves, rng):
    """Return an action of a trained agent, or a random one if `trained` is None.

    `moves` has room for all actions.
    """
    if trained is None:
        return random_action(game, s, moves, rng)
    work, found = trained.work, (trained.actions, trained.values)
    copy_state(s, work.state)
    n = value_actions(game, trained.net, trained.td, work, rng, found[0], found[1])
    return any_best(found[0], found[1], n, rng)


@inline
def play_out(game, trained, s, moves, plies, rng):
    """Play on from a state to the end, or for this many plies."""
    while plies > 0 and not game.over(s):
        give_way(STOP)
        game.play(s, pick(game, trained, s, moves, rng))
        game.chance(s, rng)
        plies -= 1
