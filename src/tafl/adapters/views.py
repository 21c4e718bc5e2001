"""Views of a position for other libraries: planes and mask for learners, text and pixels.

planes = int8[values + players, cells]
    plane v                 1 where the cell has the value v
    plane values + player   1 everywhere for the observing player; not in a game for one player
"""

import numpy as np

from tafl.boards.raster import pixels
from tafl.boards.state import State
from tafl.core.games.rules import Facts
from tafl.errors import InputError

MODES = ["ansi", "rgb_array", "human"]  # of rendering


def shape(facts: Facts) -> tuple[int, int]:
    """Return the shape of the planes.

    >>> import tafl
    >>> shape(tafl.game("2048").facts), shape(tafl.game("connectfour").facts)
    ((15, 16), (6, 42))
    """
    return facts.values + (facts.players if facts.players > 1 else 0), facts.cells


def planes(state: State, player: int, *, everything: bool = False) -> np.ndarray:
    """Return a position as a player sees it, or all of it.

    >>> import tafl
    >>> planes(tafl.game("nim(heaps=2,stones=1)").start(), player=1).tolist()
    [[0, 0], [1, 1], [0, 0], [1, 1]]
    """
    facts = state.game.facts
    seen = np.zeros(shape(facts), np.int8)
    cells = state.cells if everything else state.seen_by(player)
    seen[cells, np.arange(facts.cells)] = 1
    if facts.players > 1:
        seen[facts.values + player] = 1
    return seen


def mask(state: State, player: int) -> np.ndarray:
    """Return int8[actions]: 1 for each legal action of a player, 0 in the turn of another.

    >>> import tafl
    >>> mask(tafl.position("nim(heaps=2,stones=1): 0"), player=1).tolist()
    [0, 1]
    """
    allowed = np.zeros(state.game.facts.actions, np.int8)
    if state.player == player:
        allowed[state.legal_actions] = 1
    return allowed


def checked_mode(mode: str | None) -> str | None:
    """Return a render mode, or refuse an unknown one."""
    if mode not in (None, *MODES):
        raise InputError(f"render_mode must be {', '.join(MODES)} or None, not {mode!r}")
    return mode


def rendered(state: State, mode: str | None, player: int) -> str | np.ndarray | None:
    """Return the text or the picture of a position as a player sees it; None for other modes."""
    if mode == "rgb_array":
        return pixels(state, player=player)
    return state.drawn(player) if mode == "ansi" else None


def show(state: State, mode: str | None, player: int) -> None:
    """Print a position in the mode "human", as a player sees it."""
    if mode == "human":
        print(f"{state.drawn(player)}\n")
