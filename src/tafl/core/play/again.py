"""A game that was played, played again."""

from tafl.core.compile import STOP, give_way, kernel


@kernel
def play_again(game, s, moves, rng):
    """Make s the state after these moves, with the same chance events."""
    game.start(s)
    game.chance(s, rng)
    for i in range(moves.size):
        give_way(STOP)
        game.play(s, moves[i])
        game.chance(s, rng)
