"""Ctrl-C and SIGTERM let the block under way finish; a second signal ends the process at once.

What is not needed for a checkpoint is not finished: `at_once` is for compiling and evaluating.
"""

import signal
import threading
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(KeyboardInterrupt):
    """Training was stopped by a signal, and can be continued from its last checkpoint."""

    def __init__(self, number: int, path: Path, why: str = "", command: str = "train"):
        super().__init__(f"stopped{why}; continue with: tafl {command} --resume {path}")
        self.number = number


class Noted(KeyboardInterrupt):
    """What `at_once` ends with, where a signal arrives."""


class StopSignal:
    """While it is entered, signals are noted in `number` instead of ending the process."""

    noted_at = 0.0  # the time of the last one

    def __init__(self) -> None:
        self.number = 0
        self.at_once = AtOnce()
        self._before: dict[int, Any] = {}
        self._wakeup = -1

    def __enter__(self) -> "StopSignal":
        if threading.current_thread() is threading.main_thread():
            self._wakeup = signal.set_wakeup_fd(-1)  # nobody else need know of a signal noted here
            for number in SIGNALS:
                # whoever started this process with a signal ignored wants it ignored
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *raised: object) -> None:
        if threading.current_thread() is threading.main_thread() and self._wakeup != -1:
            signal.set_wakeup_fd(self._wakeup)
            self._wakeup = -1
        while self._before:
            signal.signal(*self._before.popitem())

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.number, StopSignal.noted_at = number, monotonic()
        self.__exit__(None, None, None)
        if self.at_once.entered:
            raise Noted


class AtOnce:
    """A block that a signal leaves at once; what follows it has to look whether one did."""

    entered = False

    def __enter__(self) -> None:
        self.entered = True

    def __exit__(self, *raised: object) -> bool:
        self.entered = False
        return raised[0] is Noted
