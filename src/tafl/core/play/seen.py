"""Positions as a player sees them, for a page in a browser, which cannot call Python."""

from tafl.core.compile import kernel
from tafl.core.learn.regret import draw


@kernel
def look_as(game, s, player, view):
    """Write the cells of a state as a player sees them."""
    for c in range(view.cells.size):
        view.cells[c] = game.sees(s, player, c)


@kernel
def deal_again(game, s, player, rng):
    """Draw again all that a player cannot know of a state."""
    game.redeal(s, player, rng)


@kernel
def draw_move(policy, n, rng):
    """Return which of n moves is drawn from a policy."""
    return draw(policy, n, rng)
