"""Runs a program, and ends it and all that it has started when whoever wanted it is gone.

    python -I -S guard.py LIFELINE PROGRAM ARGUMENT ...

LIFELINE is a socket whose other end only the process has that wants the program. It says there how
the start went, a number of errno or 0, and then listens: the end of the line means that this
process has ended, whatever ended it, or that it wants no more. The program gets the guard's
standard streams, folder, environment and signals, in a process group of its own, and the guard
ends as the program does. On Linux also programs that have left their parents, daemons, end with it.

It is started for every program, with `-I -S`, so it imports little, and nothing of tafl: its way to
hear signals is not that of `signals.py`. `processes.py` is the other end.
"""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
PASSED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2")
CHANGED_BY_PYTHON = ("SIGPIPE", "SIGXFSZ")  # it ignores them, which a program would inherit
PATIENCE = 3.0  # seconds for killed processes to be gone
BETWEEN_LOOKS = 0.005

Prctl = Callable[..., int] | None


def main() -> None:
    """Runs the program that the command line names."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(lifeline, False)
    prctl = find_prctl()
    adopts = prctl is not None and prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    news = hear_signals()
    program, error = start(command, prctl)
    with suppress(OSError):  # nobody may be left to hear it
        os.write(lifeline, str(error).encode())
    if error:
        os._exit(127)
    leave_streams()
    status = watch(program, lifeline, news)
    end_all(program, adopts)
    leave(status)


def find_prctl() -> Prctl:
    """Linux's way to adopt orphans, and to die with a parent; None elsewhere."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        found: Prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    return found


def hear_signals() -> int:
    """Where the numbers of signals can be read from now on."""
    news, pen = os.pipe()
    os.set_blocking(pen, False)
    signal.set_wakeup_fd(pen, warn_on_full_buffer=False)
    for name in ("SIGCHLD", *PASSED_ON):
        number = getattr(signal, name)
        if name == "SIGCHLD" or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)
    return news


def start(command: list[str], prctl: Prctl) -> tuple[int, int]:
    """Starts the program; returns its process and, if there is none, the number of the error."""
    guard = os.getpid()
    answer, pen = os.pipe()  # closed by exec: then there is no answer
    program = os.fork()
    if program == 0:
        try:
            os.setpgid(0, 0)
            for name in CHANGED_BY_PYTHON:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            if prctl is not None:
                prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)  # should the guard be killed
            if os.getppid() == guard:
                os.execv(command[0], command)
        except OSError as error:
            os.write(pen, str(error.errno).encode())
        finally:
            os._exit(127)
    os.close(pen)
    number = os.read(answer, 16)
    os.close(answer)
    return program, int(number or 0)


def leave_streams() -> None:
    """Lets go of the program's pipes: who closes the last end of one is heard."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def watch(program: int, lifeline: int, news: int) -> int:
    """Waits until the program ends or nobody wants it any more; how it ended, or will end."""
    ears = select.poll()
    ears.register(lifeline, select.POLLIN)
    ears.register(news, select.POLLIN)
    while True:
        heard = [ear for ear, _ in ears.poll()]
        if lifeline in heard:
            return int(signal.SIGKILL)
        for number in os.read(news, 256):
            if number != signal.SIGCHLD:
                kill(program, number)
        gone, status = os.waitpid(-1, os.WNOHANG)
        while gone:  # an orphan, or the program
            if gone == program:
                return status
            gone, status = os.waitpid(-1, os.WNOHANG)


def end_all(program: int, adopts: bool) -> None:
    """Kills all that the program has started, until nothing is left of it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        # whoever is orphaned by this is a child of the guard the next time, if it adopts
        for process in list(descendants(os.getpid())):
            kill(process, signal.SIGKILL)
        if not adopts:
            kill(-program, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            if adopts or not exists(-program):
                return
        time.sleep(BETWEEN_LOOKS)


def descendants(ancestor: int) -> Iterator[int]:
    """All processes below one."""
    children: dict[int, list[int]] = {}
    for process, parent in parents():
        children.setdefault(parent, []).append(process)
    waiting = children.get(ancestor, [])
    while waiting:
        process = waiting.pop()
        yield process
        waiting += children.get(process, [])


def parents() -> Iterator[tuple[int, int]]:
    """All processes of the machine, and their parents."""
    if sys.platform != "linux":
        with os.popen("ps -A -o pid=,ppid=") as table:
            for line in table:
                process, parent = line.split()
                yield int(process), int(parent)
        return
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    after_the_name = file.read().rpartition(b")")[2]
            except OSError:
                continue  # it has just ended
            yield int(name), int(after_the_name.split()[1])


def kill(process: int, number: int) -> None:
    """Sends a signal, if there is somebody to get it."""
    with suppress(OSError):
        os.kill(process, number)


def exists(group: int) -> bool:
    """Is anybody left in a group of processes?"""
    try:
        os.kill(group, 0)
    except OSError:
        return False
    return True


def leave(status: int) -> None:
    """Ends as the program did."""
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # one memory dump is enough
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
