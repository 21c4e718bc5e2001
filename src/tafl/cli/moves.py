"""`--moves "3 3 2"`: a position as the moves that lead to it."""

import re
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tafl.errors import IllegalAction, InputError

if TYPE_CHECKING:
    from tafl.games import Game, State

Moves = Annotated[str, Parameter(help='Actions from the start, such as "3 3 2".')]
Seed = Annotated[int, Parameter(help="Where chance comes from.")]


def after_moves(game: "Game", moves: str, seed: int) -> "State":
    """The position after some moves."""
    state = game.start(seed=seed)
    for number, word in enumerate(moves.replace(",", " ").split(), start=1):
        if not re.fullmatch(r"-?\d+", word, re.ASCII):
            raise InputError(f"--moves, move {number}: {word!r} is no whole number")
        try:
            state.play(int(word))
        except IllegalAction as error:
            raise InputError(f"--moves, move {number}: {error}") from None
    return state
