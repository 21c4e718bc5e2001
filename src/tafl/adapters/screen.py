"""What environments show: the drawing of a position, as text (`ansi`) or printed (`human`)."""

from tafl.boards.state import State
from tafl.errors import InputError

MODES = ["ansi", "human"]


def checked_mode(mode: str | None) -> str | None:
    """A mode of rendering that there is."""
    if mode not in (None, *MODES):
        raise InputError(f"render_mode must be {', '.join(MODES)} or None, not {mode!r}")
    return mode


def rendered(state: State, mode: str | None) -> str | None:
    """The text of a position; nothing where a step has already printed it."""
    return str(state) if mode == "ansi" else None


def show(state: State, mode: str | None) -> None:
    """Prints a position to people who watch."""
    if mode == "human":
        print(f"{state}\n")
