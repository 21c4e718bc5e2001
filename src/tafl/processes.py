"""Child programs that are killed, with all their descendants, when this process ends in any way.

Each has a guard, a small process that starts the program and holds one end of a lifeline; the other
end closes when this process is gone. The guard stands for the program: it passes signals on, and
exits as the program does. `guard.py` needs `fork`; `guard_without_fork.py` is for Windows.

`SharedArray` is memory that processes share, `cores()` the number of cores that they divide.
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
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

GUARD = Path(__file__).with_name("guard.py")
GUARD_WITHOUT_FORK = Path(__file__).with_name("guard_without_fork.py")
BARE = ("-I", "-S")  # Python that ignores its environment starts in half the time
PATIENCE = 5.0  # seconds for a guard to end; it waits less for its program
BETWEEN_LOOKS = 0.2  # seconds

Stream = int | IO[bytes] | None


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Guarded:
    """A program that Ctrl-C in our terminal does not reach; it is killed with this object.

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
        """Kill the program and its descendants; return when they are gone."""
        _all.add(self)

    def confirm(self) -> None:
        """Wait until the program has started, or raise an OSError."""
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
        """Send SIGTERM, at which workers save a checkpoint; on Windows, Ctrl-Break."""
        with suppress(OSError):  # it has ended
            self.process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))

    def hang_up(self) -> None:
        """Kill the program without waiting for its end."""
        _hang_up(self._lifelines)


def _start(command: Sequence[str], **how: Any) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a guard in a new session; it inherits its end of the lifeline."""
    ours, theirs = socket.socketpair()
    with theirs:
        number = theirs.fileno()
        words = [sys.executable, *BARE, str(GUARD), str(number), *command]
        return subprocess.Popen(words, pass_fds=[number], start_new_session=True, **how), ours


def _start_without_fork(
    command: Sequence[str], **how: Any
) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Start a guard that connects to its lifeline, a port of this machine.

    The connection need not be accepted: it breaks when the port closes or this process ends.
    """
    port = socket.create_server(("127.0.0.1", 0), backlog=1)
    words = [sys.executable, "-I", str(GUARD_WITHOUT_FORK), str(port.getsockname()[1]), *command]
    group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(words, creationflags=group, **how), port


def _accept(process: subprocess.Popen[bytes], lifelines: list[socket.socket]) -> None:
    """Accept the connection of a guard without fork, unless the guard has ended."""
    lifelines[0].settimeout(BETWEEN_LOOKS)
    while len(lifelines) == 1:
        with suppress(TimeoutError):
            lifelines.append(lifelines[0].accept()[0])
        if process.poll() is not None:
            return


_all: weakref.WeakSet[Guarded] = weakref.WeakSet()


def end_all(programs: Iterable[Guarded] = _all) -> None:
    """Kill programs, by default all that this process has started; return when they are gone."""
    programs = list(programs)
    for program in programs:
        program.hang_up()
    for program in programs:
        program.end()


def _hang_up(lifelines: list[socket.socket]) -> None:
    for lifeline in lifelines:
        with suppress(OSError):
            lifeline.shutdown(socket.SHUT_RDWR)  # also for forks of this process
        lifeline.close()


def _end(process: subprocess.Popen[bytes], lifelines: list[socket.socket]) -> None:
    _hang_up(lifelines)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class SharedArray:
    """A float32 array that other processes can read and change while this object exists.

    >>> memory = SharedArray(3)
    >>> memory.array[1] = 2
    >>> shared_array(memory.address).tolist()
    [0.0, 2.0, 0.0]
    """

    def __init__(self, size: int):
        self.address: str
        """The argument of `shared_array` in another process."""
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
    """Return the array of a `SharedArray`, also of another process."""
    size, _, place = address.partition(" ")
    if sys.platform == "win32":
        return np.frombuffer(mmap.mmap(-1, int(size), tagname=place), np.float32)
    with open(place, "r+b") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), int(size)), np.float32)
