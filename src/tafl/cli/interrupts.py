"""Ctrl-C and SIGTERM end a command: exit codes 130 and 143, no traceback, and nothing runs on.

Both raise `Interrupted` where the command is. Where Python does not get to it, as in a library's
machine code, the process ends after a while, and so it does where a kernel does not give way.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

from tafl.signals import Policy, insist


class Interrupted(KeyboardInterrupt):
    """A signal asks the command to end."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number


class Interrupts(Policy):
    """Raises `Interrupted` at a signal."""

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
        """End the command from where it is."""
        sys.unraisablehook = _end_if_lost
        raise Interrupted(number)


def _end_if_lost(lost: "sys.UnraisableHookArgs") -> None:
    """Ends the process where `Interrupted` could not be raised, as while an object is thrown away.

    What a signal left half made, such as a part of LLVM, complains then, too: nobody reads that.
    """
    if isinstance(lost.exc_value, Interrupted):
        _give_up(lost.exc_value.number)


_lock = threading.Lock()
_to_do: list[Callable[[], None]] = []


@contextmanager
def in_any_case(action: Callable[[], None]) -> Iterator[None]:
    """Does something at the end of a block, also of one that the process ends in the middle of."""
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
