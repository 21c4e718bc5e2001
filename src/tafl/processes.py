"""Programs that end when this process does, whatever ends it, with all that they have started.

Each has a guard (`guard.py`), a small process that starts the program and holds one end of a
lifeline; the other end closes when this process is gone. The guard takes the program's place: what
it is sent goes to the program, and it ends as the program ends.
"""

import errno
import os
import socket
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

GUARD = Path(__file__).with_name("guard.py")
BARE = ("-I", "-S")  # Python without a look at its environment: it starts in half the time
PATIENCE = 5.0  # seconds for a guard to end, which has less for its program

Stream = int | IO[bytes] | None


class Guarded:
    """A program in a session of its own, as long as we run and somebody holds this object.

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
        self._lifeline, theirs = socket.socketpair()
        with theirs:
            # in a session of its own: Ctrl-C in a terminal reaches us alone
            self.process = subprocess.Popen(
                [sys.executable, *BARE, str(GUARD), str(theirs.fileno()), *command],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=folder,
                env=environment,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.end = weakref.finalize(self, _end, self.process, self._lifeline)
        """Kills the program and all that it has started; returns when they are gone."""
        _all.add(self)

    def confirm(self) -> None:
        """Returns when the program has started; an OSError says why it has not."""
        said = self._lifeline.recv(16)
        number = int(said) if said else errno.ECHILD  # the guard itself was killed
        if number:
            self.end()
            raise OSError(number, os.strerror(number))

    def hang_up(self) -> None:
        """Lets the program be killed, without waiting for it."""
        _hang_up(self._lifeline)


_all: weakref.WeakSet[Guarded] = weakref.WeakSet()


def end_all() -> None:
    """Ends all programs that this process has under guard."""
    programs = list(_all)
    for program in programs:
        program.hang_up()
    for program in programs:
        program.end()


def _hang_up(lifeline: socket.socket) -> None:
    with suppress(OSError):
        lifeline.shutdown(socket.SHUT_RDWR)  # also where a fork of this process has it, too
    lifeline.close()


def _end(process: subprocess.Popen[bytes], lifeline: socket.socket) -> None:
    _hang_up(lifeline)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
