"""Finds a call of the rules that does not return, in plain Python, and ends it.

A thread looks now and then which method of the rules is being called. Where it is the very same
call, seen again and again, an exception is raised in there. Looks are counted, not seconds: a
process that was suspended has lost no time.
"""

import ctypes
import sys
import threading
from inspect import getfile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tafl.boards.game import Game
from tafl.core.compile.cache import source_files
from tafl.errors import GameError, place, raised_at

SECONDS = 0.5  # between two looks
LOOKS = 10  # at the same call


class StillBusy(BaseException):
    """What is raised in a call that lasts too long; rules do not catch it by mistake."""


class Watchdog:
    """Within it, a call of the rules that does not return becomes a GameError."""

    def __init__(self, game: Game):
        self.game = game
        kind = type(game.rules)
        methods = {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}
        self.names: dict[CodeType, str] = {
            method.__code__: name for name, method in methods.items() if hasattr(method, "__code__")
        }
        self.guarded = threading.get_ident()
        self.left, self.lock = threading.Event(), threading.Lock()
        self.found = ""  # the method that does not return

    def __enter__(self) -> "Watchdog":
        threading.Thread(target=self._watch, name="tafl-watchdog", daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        with self.lock:
            self.left.set()
        error = raised[1]
        if isinstance(error, StillBusy):
            raise GameError(self._described(error)) from None

    def _described(self, error: BaseException) -> str:
        """Which method it was, and at which line it was."""
        file, line = raised_at(error, source_files(Path(getfile(type(self.game.rules)))))
        where = f"{place(file, line)}, in" if file else f"{self.game.name},"
        return f"{where} {self.found}(): it does not return, even after {SECONDS * LOOKS:g} seconds"

    def _watch(self) -> None:
        """The thread."""
        seen, times = None, 0
        while not self.left.wait(SECONDS):
            call = self._call()
            times = times + 1 if call is seen else 1
            seen = call
            if call is not None and times > LOOKS:
                self._raise(call)
                return

    def _call(self) -> FrameType | None:
        """The call of a method of the rules that is under way."""
        frame, call = sys._current_frames().get(self.guarded), None
        while frame is not None:
            if frame.f_code in self.names:
                call = frame
            frame = frame.f_back
        return call

    def _raise(self, call: FrameType) -> None:
        with self.lock:
            if not self.left.is_set():
                self.found = self.names[call.f_code]
                thread, kind = ctypes.c_ulong(self.guarded), ctypes.py_object(StillBusy)
                raised: Any = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raised(thread, kind)
