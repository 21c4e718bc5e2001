"""The shortest solutions of all positions of the 2x2x2 cube, by breadth-first search."""

from functools import cache
from typing import Any

import numpy as np

from tafl.boards import Game
from tafl.core.games.cube_pieces import SOLVED_CORNERS


@cache
def shortest(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Return the corners of all positions, sorted, and the moves that each needs."""
    rules, front = game.rules, np.array([SOLVED_CORNERS])
    levels, before = [front], np.zeros(0, np.int64)
    while front.size:
        found = []
        for action in range(game.facts.actions):
            state: list[Any] = [front.copy(), 0, 0]  # rules play on all positions at once
            rules.play(state, action)
            found.append(state[0])
        following = np.unique(np.concatenate(found))
        # moves can be taken back, so what is known is at most two moves away
        new = following[~np.isin(following, front) & ~np.isin(following, before)]
        before, front = front, new
        levels.append(front)
    corners = np.concatenate(levels)
    moves = np.concatenate([np.full(level.size, far) for far, level in enumerate(levels)])
    order = np.argsort(corners)
    return corners[order], moves[order]


def moves_needed(game: Game, words: np.ndarray) -> int:
    """Return the length of a shortest solution.

    >>> import tafl
    >>> game = tafl.game("cube")
    >>> moves_needed(game, game.scrambled(1, seed=3).words)
    1
    """
    corners, moves = shortest(game)
    return int(moves[np.searchsorted(corners, words[0])])
