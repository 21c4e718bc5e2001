"""Looking one move ahead with a weight for every cell."""

from tafl.core.compile import inline, kernel
from tafl.core.games.states import copy_state, legal_actions


@inline
def balance(game, weights, s, p):
    """Return the weights of a player's cells (value p + 1) minus those of the other player's."""
    total = 0.0
    for c in range(weights.size):
        owner = game.cell(s, c)
        if owner == p + 1:
            total += weights[c]
        elif owner == 2 - p:
            total -= weights[c]
    return total


@kernel
def positional_values(game, weights, by_next, s, s_after, actions, values):
    """Write the legal actions of s and the balance after each; return how many.

    The balance is the mover's, or that of the next player's opponent.
    """
    n = legal_actions(game, s, actions.size, actions)
    p = game.player(s)
    for i in range(n):
        copy_state(s, s_after)
        game.play(s_after, actions[i])
        own = 1 - game.player(s_after) if by_next else p
        values[i] = balance(game, weights, s_after, own)
    return n
