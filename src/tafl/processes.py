"""Programs that end when this process does, whatever ends it, with all that they have started.

Each has a guard, a small process that starts the program and holds one end of a lifeline; the other
end closes when this process is gone. The guard takes the program's place: signals for it go to the
program, and it ends as the program ends. `guard.py` needs `fork`; without that, as on Windows,
`guard_without_fork.py` does the same.

Processes share the numbers of a `SharedArray`, and divide the `cores()`.
"""

import errno
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

GUARD = Path(__file__).with_name("guard.py")
GUARD_WITHOUT_FORK = Path(__file__).with_name("guard_without_fork.py")
BARE = ("-I", "-S")  # Python without a look at its environment: it starts in half the time
PATIENCE = 5.0  # seconds for a guard to end, which has less for its program
BETWEEN_LOOKS = 0.2  # seconds

Stream = int | IO[bytes] | None


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Guarded:
    """A program that Ctrl-C in our terminal does not reach; it ends when this object is dropped.

    >>> import subprocess
    >>> program = Guarded(["/bin/echo", "hello"], stdout=subprocess.PIPE)
    >>> program.process.communicate()[0], program.process.returncode
    (b'hello\\n', 0)
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: Stream = None,
        stdout: Stream = None,
        stderr: Stream = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ):
        streams = {"stdin": stdin, "stdout": stdout, "stderr": stderr}
        start = _start if hasattr(os, "fork") else _start_without_fork
        self.process, lifeline = start(command, **streams, cwd=folder, env=environment)
        self._lifelines = [lifeline]
        self.end = weakref.finalize(self, _end, self.process, self._lifelines)
        """Kills the program and all that it has started; returns when they are gone."""
        _all.add(self)

    def confirm(self) -> None:
        """Return when the program has started; an OSError says why it has not."""
        if not hasattr(os, "fork"):
            _accept(self.process, self._lifelines)
        said = b""
        with suppress(OSError):  # the guard itself was killed
            said = self._lifelines[-1].recv(16)
        number = int(said) if said else errno.ECHILD
        if number:
            self.end()
            raise OSError(number, os.strerror(number))

    def ask_to_stop(self) -> None:
        """Send the program SIGTERM, which workers answer with a checkpoint; on Windows Ctrl-Break.

        Windows has no SIGTERM that a program can answer.
        """
        with suppress(OSError):  # it has ended
            self.process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))

    def hang_up(self) -> None:
        """Let the program be killed, without waiting for it."""
        _hang_up(self._lifelines)


def _start(command: Sequence[str], **how: Any) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a guard that inherits its end of the lifeline, in a session of its own."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        words = [sys.executable, *BARE, str(GUARD), str(number), *command]
        return subprocess.Popen(words, pass_fds=[number], start_new_session=True, **how), ours


def _start_without_fork(
    command: Sequence[str], **how: Any
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a guard that connects to its lifeline, a port of this machine.

    Its connection need not be accepted: it breaks when the port closes, and so when we end.
    """
    port = socket.create_server(("127.0.0.1", 0), backlog=1)
    words = [sys.executable, "-I", str(GUARD_WITHOUT_FORK), str(port.getsockname()[1]), *command]
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(words, creationflags=group, **how), port


def _accept(process: subprocess.Popen[bytes], lifelines: list[socket.socket]) -> None:
    """Take the connection of a guard without fork, if it lives to make one."""
    lifelines[0].settimeout(BETWEEN_LOOKS)
    while len(lifelines) == 1:
        with suppress(TimeoutError):
            lifelines.append(lifelines[0].accept()[0])
        if process.poll() is not None:
            return


_all: weakref.WeakSet[Guarded] = weakref.WeakSet()


def end_all() -> None:
    """Ends all programs that this process has under guard."""
    programs = list(_all)
    for program in programs:
        program.hang_up()
    for program in programs:
        program.end()


def _hang_up(lifelines: list[socket.socket]) -> None:
    for lifeline in lifelines:
        with suppress(OSError):
            lifeline.shutdown(socket.SHUT_RDWR)  # also where a fork of this process has it, too
        lifeline.close()


def _end(process: subprocess.Popen[bytes], lifelines: list[socket.socket]) -> None:
    _hang_up(lifelines)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class SharedArray:
    """float32 numbers that other processes can see and change as long as this object exists.

    >>> memory = SharedArray(3)
    >>> memory.array[1] = 2
    >>> shared_array(memory.address).tolist()
    [0.0, 2.0, 0.0]
    """

    def __init__(self, size: int):
        self.address: str
        """What `shared_array` needs in another process."""
        if sys.platform == "win32":
            name = f"tafl-{os.getpid()}-{id(self):x}"
            self.array = np.frombuffer(mmap.mmap(-1, 4 * size, tagname=name), np.float32)
            self.address = f"{4 * size} {name}"
            return
        if hasattr(os, "memfd_create"):
            file = os.memfd_create("tafl")
            path = f"/proc/{os.getpid()}/fd/{file}"
        else:
            file, path = tempfile.mkstemp(prefix="tafl-")
            weakref.finalize(self, Path(path).unlink, missing_ok=True)
        weakref.finalize(self, os.close, file)
        os.ftruncate(file, 4 * size)
        self.address = f"{4 * size} {path}"
        self.array = shared_array(self.address)


def shared_array(address: str) -> np.ndarray:
    """Return the numbers of a `SharedArray`, which may be in another process."""
    size, _, place = address.partition(" ")
    if sys.platform == "win32":
        return np.frombuffer(mmap.mmap(-1, int(size), tagname=place), np.float32)
    with open(place, "r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), int(size)), np.float32)
