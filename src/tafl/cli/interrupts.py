"""Ctrl-C and SIGTERM end a command with exit code 130 or 143, without traceback or child processes.

Both raise `Interrupted` in the command. Where Python cannot raise it, as in a library's machine
code or in a kernel that does not give way, the process exits after a while.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from tafl.signals import Policy, insist


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number


class Interrupts(Policy):
    """The policy of commands: a signal raises `Interrupted`."""

    patience = 1.0

    def __enter__(self) -> Self:
        insist(_give_up)
        return super().__enter__()

    def __exit__(self, *raised: object) -> None:
        if isinstance(raised[1], KeyboardInterrupt):
            from tafl.processes import end_all

            end_all()
        super().__exit__(*raised)

    def answer(self, number: int) -> None:
        """End the command by an exception."""
        sys.unraisablehook = _end_if_lost
        raise Interrupted(number)


def _end_if_lost(lost: "sys.UnraisableHookArgs") -> None:
    """Exit if `Interrupted` could not be raised, for example while an object is deleted.

    Other errors, as of objects that a signal left incomplete, are not printed.
    """
    if isinstance(lost.exc_value, Interrupted):
        _give_up(lost.exc_value.number)


_lock = threading.Lock()
_to_do: list[Callable[[], None]] = []


@contextmanager
def in_any_case(action: Callable[[], None]) -> Iterator[None]:
    """Call a function at the end of a block, also if the process exits inside it."""
    _to_do.append(action)
    try:
        yield
    finally:
        with _lock:
            _to_do.remove(action)
            action()


def _give_up(number: int) -> None:
    try:
        with _lock:
            for action in _to_do:
                action()
    finally:
        os._exit(128 + number)
