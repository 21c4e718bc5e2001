"""A guard: runs a program, and kills it with all its descendants when the parent process is gone.

    python -I -S guard.py LIFELINE PROGRAM ARGUMENT ...

LIFELINE is a socket that is connected with the parent alone. The guard writes the errno of the
start, or 0, and then waits: a closed socket means that the parent has ended or has no more use for
the program. The program gets the guard's streams, folder, environment and signals, in a separate
process group; the guard exits as the program does. On Linux, daemons are killed, too.

A guard is started for every program, with `-I -S`, so it imports little and nothing of tafl, and
handles signals without `signals.py`. `processes.py` is the parent's side.
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
BETWEEN_LOOKS = 0.005  # seconds

Prctl = Callable[..., int] | None


def main() -> None:
    """Run the program of the command line."""
    lifeline, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(lifeline, False)
    prctl = find_prctl()
    adopts = prctl is not None and prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    news = hear_signals()
    program, error = start(command, prctl)
    with suppress(OSError):  # the parent may have ended
        os.write(lifeline, str(error).encode())
    if error:
        os._exit(127)
    leave_streams()
    status = watch(program, lifeline, news)
    end_all(program, adopts)
    leave(status)


def find_prctl() -> Prctl:
    """Return Linux's prctl, which adopts orphans and ends a process with its parent, or None."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        found: Prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    return found


def hear_signals() -> int:
    """Return a pipe that gets the numbers of signals from now on."""
    news, pen = os.pipe()
    os.set_blocking(pen, False)
    signal.set_wakeup_fd(pen, warn_on_full_buffer=False)
    for name in ("SIGCHLD", *PASSED_ON):
        number = getattr(signal, name)
        if name == "SIGCHLD" or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda number, frame: None)
    return news


def start(command: list[str], prctl: Prctl) -> tuple[int, int]:
    """Start the program; return its process and an errno, which is 0 for success."""
    guard = os.getpid()
    answer, pen = os.pipe()  # exec closes it without an answer
    program = os.fork()
    if program == 0:
        try:
            os.setpgid(0, 0)
            for name in CHANGED_BY_PYTHON:
                signal.signal(getattr(signal, name), signal.SIG_DFL)
            if prctl is not None:
                prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)  # if the guard is killed
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
    """Close the program's pipes, so that their end is noticed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def watch(program: int, lifeline: int, news: int) -> int:
    """Wait for the end of the program or of the lifeline; return the status of the program."""
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
    """Kill all descendants of the program until none is left."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        # orphans of this round are children of the guard in the next one, if it adopts them
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
    """Yield all descendants of a process."""
    children: dict[int, list[int]] = {}
    for process, parent in parents():
        children.setdefault(parent, []).append(process)
    waiting = children.get(ancestor, [])
    while waiting:
        process = waiting.pop()
        yield process
        waiting += children.get(process, [])


def parents() -> Iterator[tuple[int, int]]:
    """Yield all processes of the machine with their parents."""
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
    """Send a signal, if the process exists."""
    with suppress(OSError):
        os.kill(process, number)


def exists(group: int) -> bool:
    """Tell whether a process group still has processes."""
    try:
        os.kill(group, 0)
    except OSError:
        return False
    return True


def leave(status: int) -> None:
    """Exit with the status of the program."""
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
