"""Signals while training: the block under way is finished, and a checkpoint is saved.

Work that a checkpoint does not need is abandoned: `at_once` is for compiling and evaluating. A
second request ends the process at once: it goes to the policy that was in force before.
"""

from pathlib import Path

from tafl.arguments import resuming
from tafl.signals import Policy


class Stopped(KeyboardInterrupt):
    """Training was stopped by a signal, and can be continued from its last checkpoint."""

    def __init__(self, number: int, path: Path, why: str = "", command: str = "train"):
        super().__init__(f"stopped{why}; continue with: {resuming(path, command)}")
        self.number = number


class Noted(KeyboardInterrupt):
    """Ends the block `at_once` when a signal arrives."""


class StopSignal(Policy):
    """Notes a signal in `number` instead of ending the process."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0
        self.at_once = AtOnce()

    def answer(self, number: int) -> None:
        """Note the signal, and leave the next one to the policy before."""
        self.number = number
        self.__exit__()
        if self.at_once.entered:
            self.at_once.left = True
            raise Noted


class AtOnce:
    """A block that a signal leaves at once; what follows it has to look whether one did."""

    entered = left = False

    def __enter__(self) -> None:
        self.entered = True

    def __exit__(self, *raised: object) -> bool:
        self.entered = False
        # a library may have lost the exception, and then fail at what is half made
        return self.left and isinstance(raised[1], Noted | Exception)
