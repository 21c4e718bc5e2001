"""Hides from a Python process what Windows does not have, as far as Linux can do without it.

A process whose PYTHONPATH begins with the folder that `install` has filled imports this file as
`sitecustomize`, and so do the workers that it starts. Libraries that know Windows themselves
(filelock, psutil) and modules of Python keep what they have taken before. `sys.platform` and
`os.name` stay: much of Python's own library would look for Windows then.
"""

import shutil
from pathlib import Path

HIDDEN_MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty")
HIDDEN = {
    "os": (
        *("fork", "forkpty", "register_at_fork", "posix_spawn", "memfd_create", "mkfifo", "pread"),
        *("pwrite", "sched_getaffinity", "sched_setaffinity", "set_blocking", "getuid", "geteuid"),
        *("getpgid", "setpgid", "setsid", "killpg", "wait", "getloadavg", "fchown"),
        *("O_NOFOLLOW", "O_NONBLOCK", "O_DIRECTORY", "O_CLOEXEC"),
    ),
    "select": ("poll", "epoll"),
    "signal": (
        *("SIGHUP", "SIGUSR1", "SIGUSR2", "SIGQUIT", "SIGCHLD", "SIGPIPE", "SIGALRM", "SIGXFSZ"),
        *("alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
    ),
}


def install(folder: Path) -> str:
    """Write the start of a PYTHONPATH whose processes hide what Windows lacks."""
    folder.mkdir()
    shutil.copy(__file__, folder / "sitecustomize.py")
    return str(folder)


def hide() -> None:
    """Hide all of it in this process."""
    import asyncio  # noqa: F401 - these take now what they need
    import concurrent.futures.process  # noqa: F401
    import importlib
    import logging  # noqa: F401
    import multiprocessing.shared_memory  # noqa: F401
    import random  # noqa: F401
    import subprocess
    import sys
    import tempfile  # noqa: F401
    import uuid  # noqa: F401

    import filelock  # noqa: F401
    import platformdirs.unix  # noqa: F401
    import psutil  # noqa: F401

    shutil._use_fd_functions = False  # type: ignore[attr-defined] # as on Windows
    subprocess._USE_POSIX_SPAWN = False  # type: ignore[attr-defined]
    for module, names in HIDDEN.items():
        for name in names:
            vars(importlib.import_module(module)).pop(name, None)
    for name in HIDDEN_MODULES:
        sys.modules[name] = None  # type: ignore[assignment] # to import it fails


if __name__ == "sitecustomize":
    hide()
