"""Ctrl-C and SIGTERM while machine code runs.

Python calls the handler of a signal between two of its own instructions: not before a kernel has
come to its end. But the number of the signal is in a pipe at once (`signal.set_wakeup_fd`), and a
kernel does not hold the interpreter's lock. So a thread reads the pipe and raises the level that
kernels look at (`give_way`), then Python goes on, calls the handler, and nobody sees a result.

    RUN      there was no signal
    STOP     searches end; an episode does not, as only then a network is whole
    ABANDON  an episode ends, too: it has had its time, or there was a second signal

What still runs a while later is a method that does not return. Nothing can end that but the end of
the process, which is what commands ask for (`insist`).
"""

import os
import signal
import threading
from collections.abc import Callable
from ctypes import c_int64
from select import select
from time import monotonic
from typing import Any

RUN, STOP, ABANDON = 0, 1, 2
SECONDS = {STOP: 3.0, ABANDON: 1.5}  # until the next level
ONE_REQUEST = 1.0  # seconds: `timeout` sends its signal twice, and wrappers pass on Ctrl-C
SIGNALS = (signal.SIGINT, signal.SIGTERM)

LEVEL = (c_int64 * 1)()  # where compiled code looks, too


class Interrupted(Exception):
    """What a kernel raises when it gives way; compiled code knows no KeyboardInterrupt."""


class KernelInterrupt(KeyboardInterrupt):
    """A kernel gave way to a signal whose handler has raised nothing."""


class Listener:
    """Hears signals while the main thread is in a kernel."""

    def __init__(self) -> None:
        self.calls = 0  # of kernels, so far
        self.call = 0  # the one under way, or 0
        self.last_resort: Callable[[int], None] | None = None
        self.before = -1  # who was woken by signals otherwise
        self.ends: tuple[int, int] | None = None  # of the pipe

    def begin(self) -> None:
        """A kernel begins."""
        if self.ends is None:
            self.ends = os.pipe()
            os.set_blocking(self.ends[1], False)
            threading.Thread(target=self._listen, name="tafl-signals", daemon=True).start()
        self.calls += 1
        self.call, LEVEL[0] = self.calls, RUN
        before = signal.set_wakeup_fd(self.ends[1], warn_on_full_buffer=False)
        if before != self.ends[1]:
            self.before = before

    def _listen(self) -> None:
        """The thread: a signal, or time that passes in the same kernel, raises the level."""
        assert self.ends is not None
        pipe, number, call, level, last = self.ends[0], 0, 0, RUN, -ONE_REQUEST
        while True:
            ready = select([pipe], [], [], SECONDS.get(level))[0]
            heard = [n for n in os.read(pipe, 64) if n in SIGNALS] if ready else []
            again = heard and call == self.call and monotonic() - last < ONE_REQUEST
            if (ready and not heard) or again:
                continue
            last = monotonic() if heard else last
            number = heard[-1] if heard else number
            same = call and call == self.call
            call, level = self.call, level + 1 if same else STOP
            if not call or not (same or heard):
                level = RUN
            elif level > ABANDON:
                self._end(number)
            else:
                LEVEL[0] = level

    def _end(self, number: int) -> None:
        if self.last_resort is not None:
            self.last_resort(number)


_listener = Listener()


def _listen_anew() -> None:
    """A new process has no thread, and a pipe of its parent."""
    _listener.call, _listener.before, _listener.ends = 0, -1, None


os.register_at_fork(after_in_child=_listen_anew)


def exit_now(number: int) -> None:
    """Ends this process as a signal would."""
    os._exit(128 + number)


def insist(last_resort: Callable[[int], None] = exit_now) -> None:
    """Lets a signal end this process, in this way, where compiled code does not answer it."""
    _listener.last_resort = last_resort


def interruptible(function: Callable, *arguments: Any) -> Any:
    """Calls a kernel, or something that waits for kernels, so that signals are heard."""
    mine = threading.current_thread() is threading.main_thread()  # who gets all signals
    try:
        try:
            if mine:
                _listener.begin()
            return function(*arguments)
        finally:
            _call_handlers()
    except Interrupted:
        raise KernelInterrupt from None
    finally:
        if mine:  # no Python code is called in here, so no handler can come in between
            _listener.call, LEVEL[0] = 0, RUN
            signal.set_wakeup_fd(_listener.before)


def _call_handlers() -> None:
    """Python calls the handlers of signals when it enters a function: here, if one has arrived."""
