"""A guard for systems without `fork`, such as Windows: runs a program, and kills it in the end.

    python -I guard_without_fork.py PORT PROGRAM ARGUMENT ...

PORT is the lifeline, a port of this machine on which the parent listens. The guard connects, writes
the errno of the start, or 0, and waits: a broken connection means that the parent has ended or has
no more use for the program. The program gets the guard's streams, folder and environment, and the
guard exits with its exit code.

It can miss a process whose parent ended before the program. `processes.py` is the parent's side.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress

import psutil

IGNORED = ("SIGINT", "SIGBREAK")  # a terminal sends these to the program as well
PATIENCE = 3.0  # seconds for killed processes to be gone


def main() -> None:
    """Run the program of the command line."""
    try:
        lifeline = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    except OSError:  # the parent has ended
        os._exit(127)
    try:
        program = subprocess.Popen(sys.argv[2:])
    except OSError as error:
        lifeline.sendall(str(error.errno).encode())
        os._exit(127)
    for name in IGNORED:
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: program.terminate())
    with suppress(OSError):  # the parent may have ended
        lifeline.sendall(b"0")
    leave_streams()
    threading.Thread(target=wait_for_end, args=(lifeline, program.pid), daemon=True).start()
    code = program.wait()
    kill_family(program.pid)
    os._exit(code if code >= 0 else 128 - code)


def leave_streams() -> None:
    """Close the program's pipes, so that their end is noticed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def wait_for_end(lifeline: socket.socket, program: int) -> None:
    """Kill the program and its descendants when the lifeline breaks; runs in a thread."""
    with suppress(OSError):
        lifeline.recv(1)
    kill_family(program)


def kill_family(ancestor: int) -> None:
    """Kill a process and its descendants, and wait until they are gone.

    On Windows a process keeps the number of a parent that has ended, so orphans are found, too. The
    number may belong to another program by then: only what began after this guard is killed.
    """
    since, family, found = psutil.Process().create_time(), {ancestor}, []
    for process in sorted(psutil.process_iter(["ppid", "create_time"]), key=begun):
        if begun(process) < since:
            continue
        if process.pid == ancestor or process.info["ppid"] in family:
            family.add(process.pid)
            found.append(process)
    for process in found:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(found, PATIENCE)


def begun(process: psutil.Process) -> float:
    """Return when a process began."""
    return process.info["create_time"] or 0.0


if __name__ == "__main__":
    main()
