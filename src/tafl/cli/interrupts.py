"""Ctrl-C and SIGTERM end a command: exit codes 130 and 143, no traceback, and nothing runs on.

Both raise `Interrupted` where the command is. Compiled code does not notice that: after a while a
thread, which runs beside it, ends the process instead.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from types import FrameType
from typing import Any

from tafl.core.compile.stop import insist
from tafl.training.stop import StopSignal

SIGNALS = (signal.SIGINT, signal.SIGTERM)
PATIENCE = 1.0  # seconds until compiled code is not waited for
ONE_REQUEST = 1.0  # seconds: `timeout` sends its signal twice, and wrappers pass on Ctrl-C


class Interrupted(KeyboardInterrupt):
    """A signal asks the command to end."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number


class Interrupts:
    """While it is entered, in the main thread, both signals raise `Interrupted`."""

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._answered = threading.Event()
        self._since = monotonic()
        self._asked = 0.0  # when the last signal came

    def __enter__(self) -> "Interrupts":
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                # whoever started this process with a signal ignored wants it ignored
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    self._before[number] = signal.signal(number, self._raise)
            numbers, self._pen = os.pipe()
            os.set_blocking(self._pen, False)
            self._wakeup = signal.set_wakeup_fd(self._pen, warn_on_full_buffer=False)
            threading.Thread(target=self._watch, args=[numbers], daemon=True).start()
            insist(_give_up)
        return self

    def __exit__(self, *raised: object) -> None:
        if isinstance(raised[1], KeyboardInterrupt):
            from tafl.processes import end_all

            end_all()
        if threading.current_thread() is threading.main_thread():
            signal.set_wakeup_fd(self._wakeup)
            os.close(self._pen)
            while self._before:
                signal.signal(*self._before.popitem())

    def _raise(self, number: int, frame: FrameType | None) -> None:
        if not self._same_request():
            self._asked = monotonic()
            self._answered.set()
            sys.unraisablehook = _end_if_lost
            raise Interrupted(number)

    def _same_request(self) -> bool:
        """Did a signal come just now, here or where training notes it?"""
        last = max(self._asked, StopSignal.noted_at)
        return last > self._since and monotonic() - last < ONE_REQUEST

    def _watch(self, numbers: int) -> None:
        """Ends the process when a signal is not answered; runs in a thread."""
        while number := os.read(numbers, 1):
            if number[0] not in self._before or self._same_request():
                continue
            if not self._answered.wait(PATIENCE):
                _give_up(number[0])
        os.close(numbers)


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
