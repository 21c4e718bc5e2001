"""A game that was played, played again."""

from tafl.core.compile import STOP, give_way, kernel


@kernel
def play_again(game, s, moves, rng):
    """Makes s the state after these moves, with chance as it was drawn then."""
    game.start(s)
    game.chance(s, rng)
    for i in range(moves.size):
        give_way(STOP)
        game.play(s, moves[i])
        game.chance(s, rng)
