"""A watchdog that ends a call of the rules that does not return, in plain Python.

A thread checks at intervals which method of the rules is running. If it is the same call several
times, an exception is raised in it. Checks are counted, not seconds, so suspended time is ignored.
"""

import ctypes
import sys
import threading
from inspect import getfile
from pathlib import Path
from types import CodeType, FrameType

from tafl.boards.game import Game
from tafl.core.compile.cache import source_files
from tafl.errors import GameError, place, raised_at

SECONDS = 0.5  # between two checks
LOOKS = 10  # checks that find the same call


class StillBusy(BaseException):
    """Raised in a call that lasts too long; rules do not catch it by mistake."""


class Watchdog:
    """A context in which a call of the rules that does not return raises a GameError."""

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
            file, line = raised_at(error, source_files(Path(getfile(type(self.game.rules)))))
            where = f"{place(file, line)}, in" if file else f"{self.game.name},"
            text = f"it does not return, even after {SECONDS * LOOKS:g} seconds"
            raise GameError(f"{where} {self.found}(): {text}") from None

    def _watch(self) -> None:
        """Run the thread."""
        seen, times = None, 0
        while not self.left.wait(SECONDS):
            call = self._call()
            times = times + 1 if call is seen else 1
            seen = call
            if call is not None and times > LOOKS:
                with self.lock:
                    if not self.left.is_set():
                        self.found = self.names[call.f_code]
                        thread, kind = ctypes.c_ulong(self.guarded), ctypes.py_object(StillBusy)
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, kind)
                return

    def _call(self) -> FrameType | None:
        """Return the frame of the outermost running method of the rules."""
        frame, call = sys._current_frames().get(self.guarded), None
        while frame is not None:
            if frame.f_code in self.names:
                call = frame
            frame = frame.f_back
        return call
