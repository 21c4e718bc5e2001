"""Kernels that give way to Ctrl-C and SIGTERM; `tafl/signals.py` tells how signals get here.

The listener raises the level that kernels look at (`give_way`) while they run. Then Python goes on
and calls the handler. A method that does not return can only be ended with the process, which
commands ask for (`insist`).
"""

from collections.abc import Callable
from signal import set_wakeup_fd
from typing import Any

from tafl.signals import LEVEL, LISTENER, RUN, in_main_thread


class Interrupted(Exception):
    """Raised by a kernel that gives way; compiled code knows no KeyboardInterrupt."""


class CallFailed(Exception):
    """Raised by a kernel when a Python function that it called has failed (FAILURES)."""


FAILURES: list[BaseException] = []  # of Python functions that kernels called, until they are raised


class KernelInterrupt(KeyboardInterrupt):
    """A kernel gave way to a signal whose handler has raised nothing."""


def interruptible(function: Callable, *arguments: Any) -> Any:
    """Call a kernel, or a function that waits for kernels, and handle signals meanwhile."""
    mine = in_main_thread() and not LISTENER.call
    try:
        try:
            if mine:
                LISTENER.begin()
            return function(*arguments)
        finally:
            _call_handlers()
    except Interrupted:
        raise KernelInterrupt from None
    except CallFailed:
        raise FAILURES.pop() from None
    finally:
        if mine:  # no Python function is called in here, so no handler can come in between
            LISTENER.call, LEVEL[0] = 0, RUN
            set_wakeup_fd(LISTENER.before)


def _call_handlers() -> None:
    """Enter a function, where Python calls the handlers of signals that have arrived."""
