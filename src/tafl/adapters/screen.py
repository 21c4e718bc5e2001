"""What environments show of a position: text (`ansi`), pixels (`rgb_array`), print (`human`)."""

import numpy as np

from tafl.boards.raster import pixels
from tafl.boards.state import State
from tafl.errors import InputError

MODES = ["ansi", "rgb_array", "human"]


def checked_mode(mode: str | None) -> str | None:
    """A mode of rendering that there is."""
    if mode not in (None, *MODES):
        raise InputError(f"render_mode must be {', '.join(MODES)} or None, not {mode!r}")
    return mode


def rendered(state: State, mode: str | None) -> str | np.ndarray | None:
    """The text or the picture of a position; nothing where a step has already printed it."""
    if mode == "rgb_array":
        return pixels(state)
    return str(state) if mode == "ansi" else None


def show(state: State, mode: str | None) -> None:
    """Prints a position to people who watch."""
    if mode == "human":
        print(f"{state}\n")
