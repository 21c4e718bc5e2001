"""Opponents that agents of several studies are judged against."""

import shutil

import numpy as np

from tafl.boards import State
from tafl.core.compile import inline, popcount
from tafl.core.games.backgammon_moves import PIPS, at_least_two, held

LEVELS = (1, 2, 3)  # of gtp-rhino
ERRORS = (0.1, 0.2, 0.3)  # of perfect ConnectFour play that can be beaten


def gtp_rhino(level: int) -> str:
    """Return the agent string of gtp-rhino at a level."""
    return f"gtp('gtp-rhino --level={level} --book=0')"  # openings of its book are random


def has_gtp_rhino() -> bool:
    """Return whether gtp-rhino is installed."""
    return shutil.which("gtp-rhino") is not None


def shown(opponent: str) -> str:
    """Return the name of an opponent for tables.

    >>> shown(gtp_rhino(1)), shown("ab-dl")
    ('gtp-rhino, level 1', 'ab-dl')
    """
    names = {gtp_rhino(level): f"gtp-rhino, level {level}" for level in LEVELS}
    return names.get(opponent, opponent)


@inline
def linear_value(state: np.ndarray, p: int) -> int:
    """Return how good checkers of Backgammon are for player p, by hand: pips, points, own blots.

    A blot is a point with one checker, a point is made by two. Blots of the other player count as
    nothing: who is on the bar has more pips to go.
    """
    q, board = 1 - p, (1 << 25) - 2
    made, theirs = at_least_two(state, p) & board, at_least_two(state, q) & board
    blots = held(state, p) & board & ~made
    lead = state[PIPS + q] - state[PIPS + p]
    value: int = lead + 2 * (popcount(made) - popcount(theirs) - popcount(blots))
    return value


class Linear:
    """Plays Backgammon one checker at a time, by `linear_value`; of equal moves the first."""

    def act(self, state: State) -> int:
        """Return the best action."""
        values = self.values(state)
        return max(values, key=values.__getitem__)

    def values(self, state: State) -> dict[int, float]:
        """Return the value of the position after each legal action."""
        after = {action: state.afterstate(action).words for action in state.legal_actions}
        with np.errstate(over="ignore"):
            return {a: float(linear_value(words, state.player)) for a, words in after.items()}
