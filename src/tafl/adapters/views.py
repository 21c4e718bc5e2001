"""Views of a position for other libraries: planes and a mask for learners, text and pixels to show.

planes = int8[values + players, cells]
    plane v                 1 where the cell has the value v
    plane values + player   1 everywhere for the player who looks; not in a game for one
"""

import numpy as np

from tafl.boards.raster import pixels
from tafl.boards.state import State
from tafl.core.games.rules import Facts
from tafl.errors import InputError

MODES = ["ansi", "rgb_array", "human"]  # of rendering


def shape(facts: Facts) -> tuple[int, int]:
    """The shape of the planes.

    >>> import tafl
    >>> shape(tafl.game("2048").facts), shape(tafl.game("connectfour").facts)
    ((15, 16), (6, 42))
    """
    return facts.values + (facts.players if facts.players > 1 else 0), facts.cells


def planes(state: State, player: int) -> np.ndarray:
    """A position as a player sees it.

    >>> import tafl
    >>> planes(tafl.game("nim(heaps=2,stones=1)").start(), player=1).tolist()
    [[0, 0], [1, 1], [0, 0], [1, 1]]
    """
    facts = state.game.facts
    seen = np.zeros(shape(facts), np.int8)
    seen[state.cells, np.arange(facts.cells)] = 1
    if facts.players > 1:
        seen[facts.values + player] = 1
    return seen


def mask(state: State, player: int) -> np.ndarray:
    """int8[actions]: 1 for what a player may do now, nothing if it is another's turn.

    >>> import tafl
    >>> mask(tafl.position("nim(heaps=2,stones=1): 0"), player=1).tolist()
    [0, 1]
    """
    allowed = np.zeros(state.game.facts.actions, np.int8)
    if state.player == player:
        allowed[state.legal_actions] = 1
    return allowed


def checked_mode(mode: str | None) -> str | None:
    """Return a mode of rendering, if there is such a one."""
    if mode not in (None, *MODES):
        raise InputError(f"render_mode must be {', '.join(MODES)} or None, not {mode!r}")
    return mode


def rendered(state: State, mode: str | None) -> str | np.ndarray | None:
    """Return the text or the picture of a position; nothing where a step has printed it."""
    if mode == "rgb_array":
        return pixels(state)
    return str(state) if mode == "ansi" else None


def show(state: State, mode: str | None) -> None:
    """Print a position to people who watch."""
    if mode == "human":
        print(f"{state}\n")
