"""Signals, handled in one place: Ctrl-C, SIGTERM, and Ctrl-Break on Windows.

A signal is a request to end. It takes two ways at once.

- Python calls the handler of the innermost `Policy` in the main thread, between two instructions.
  `StopSignal` (training/stop.py) notes the request and lets training save; `Interrupts`
  (cli/interrupts.py) raises an exception in the command.
- While compiled code runs, no handler is called. But Python writes the number of the signal into a
  socket at once, and the thread of the `Listener` reads it and raises the level that kernels read
  (core/compile/stop.py).

The levels, which rise with time or further requests:

    RUN      no request
    STOP     searches end; an episode continues, because a network is consistent only at its end
    ABANDON  an episode ends, too
    and then the last resort, if the process has one (`insist`): it ends the process

Outside of kernels the only step is the last resort, after the `patience` of the policy.
"""

import os
import signal
import socket
import threading
from collections.abc import Callable
from ctypes import c_int64
from math import inf
from time import monotonic
from types import FrameType
from typing import Any, Self

RUN, STOP, ABANDON = 0, 1, 2  # kernels are compiled with these numbers
SECONDS = {STOP: 3.0, ABANDON: 1.5}  # until the next level, in a kernel
ONE_REQUEST = 1.0  # seconds: `timeout` sends its signal twice, and wrappers pass on Ctrl-C

REQUESTS = {int(number): int(number) for number in (signal.SIGINT, signal.SIGTERM)}
"""The signals that ask a process to end, and the number in its exit code."""
if hasattr(signal, "SIGBREAK"):  # Windows has no SIGTERM that a program can handle
    REQUESTS[int(signal.SIGBREAK)] = int(signal.SIGTERM)

LEVEL = (c_int64 * 1)()  # compiled code reads it, too


class Listener:
    """A thread that gets requests also while the main thread is in a kernel."""

    def __init__(self) -> None:
        self.calls = 0  # of kernels, so far
        self.call = 0  # the current one, or 0
        self.policies: list[Policy] = []  # that are entered, the innermost last
        self.answered = -inf  # time of the last request that a policy got
        self.last_resort: Callable[[int], None] | None = None
        self.before = -1  # file descriptor that signals woke before this kernel
        self._ends: tuple[socket.socket, socket.socket] | None = None

    def begin(self) -> None:
        """Begin a kernel."""
        self.before = self.wake()
        self.calls += 1
        self.call, LEVEL[0] = self.calls, RUN

    def wake(self) -> int:
        """Let signals wake the thread; return the file descriptor that they woke before."""
        if self._ends is None:
            self._ends = socket.socketpair()  # Windows wakes only sockets
            self._ends[1].setblocking(False)
            threading.Thread(target=self._listen, name="tafl-signals", daemon=True).start()
        return signal.set_wakeup_fd(self._ends[1].fileno(), warn_on_full_buffer=False)

    def forget(self) -> None:
        """Reset in a forked process, which lacks the thread and has the socket of its parent."""
        if self._ends is not None:
            woken = signal.set_wakeup_fd(-1)
            if woken != self._ends[1].fileno():
                signal.set_wakeup_fd(woken)
        self.call, self.before, self._ends = 0, -1, None

    def _listen(self) -> None:
        """Raise the level with each request and with time; runs in the thread.

        `call` is the kernel that ran at the last request, or 0.
        """
        assert self._ends is not None
        ear, number, call, level, heard_at = self._ends[0], 0, 0, RUN, -inf
        while True:
            ear.settimeout(self._patience(call, level))
            try:
                heard = [n for n in ear.recv(64) if n in REQUESTS]
                if not heard or self._known(call, heard_at):
                    continue
                number = REQUESTS[heard[-1]]
            except TimeoutError:
                heard = []
            same = level != RUN and call == self.call and (call or self.answered < heard_at)
            call, heard_at = self.call, monotonic() if heard else heard_at
            if same:
                level += 1
            else:
                level = self._first_level() if heard else RUN
            if level > ABANDON:
                if self.last_resort is not None:
                    self.last_resort(number)
                level = level if call else RUN
            elif call:
                LEVEL[0] = level

    def _patience(self, call: int, level: int) -> float | None:
        """Return the seconds until the next level; None if only a request raises it."""
        if call or level != ABANDON:
            return SECONDS.get(level)
        return self.policies[-1].patience if self.policies else None

    def _known(self, call: int, heard_at: float) -> bool:
        """Return whether a signal belongs to an earlier request."""
        again = call == self.call and monotonic() - heard_at < ONE_REQUEST
        return again or (not self.call and self.is_answered())

    def _first_level(self) -> int:
        """Return the level of a new request; outside of kernels the last resort is next."""
        if self.call:
            return STOP
        return ABANDON if self._patience(0, ABANDON) is not None else RUN

    def is_answered(self) -> bool:
        """Return whether a policy has just got a request, to which this signal belongs."""
        return monotonic() - self.answered < ONE_REQUEST


LISTENER = Listener()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=LISTENER.forget)


class Policy:
    """The answer to requests while it is entered; it has no effect outside of the main thread.

    `patience` are the seconds that code outside of kernels may take until Python calls the handler;
    None is no limit.
    """

    patience: float | None = None

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._wakeup = -1
        self._entered = inf

    def __enter__(self) -> Self:
        self._entered = monotonic()
        if in_main_thread():
            for number in REQUESTS:
                # a signal that the parent ignores stays ignored
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    self._before[number] = signal.signal(number, self._handle)
            self._wakeup = LISTENER.wake()
            LISTENER.policies.append(self)
        return self

    def __exit__(self, *raised: object) -> None:
        if in_main_thread() and self in LISTENER.policies:
            LISTENER.policies.remove(self)
            signal.set_wakeup_fd(self._wakeup)
            while self._before:
                signal.signal(*self._before.popitem())

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if LISTENER.answered > self._entered and LISTENER.is_answered():
            return
        LISTENER.answered = monotonic()
        self.answer(REQUESTS[number])

    def answer(self, number: int) -> None:
        """Answer a request; called once for each, in the main thread."""
        raise NotImplementedError


def in_main_thread() -> bool:
    """Return whether this is the main thread, which gets all signals."""
    return threading.current_thread() is threading.main_thread()


def exit_now(number: int) -> None:
    """Exit as a signal would end this process."""
    os._exit(128 + number)


def insist(last_resort: Callable[[int], None] = exit_now) -> None:
    """Set the last resort, for code that does not answer a request."""
    LISTENER.last_resort = last_resort
