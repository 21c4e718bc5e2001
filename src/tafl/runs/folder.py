"""Folders of runs: made, claimed by one process, and what they say about the machine."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import lock_descriptor

from tafl.arguments import argument, resuming
from tafl.core.compile.kernel import compiler
from tafl.errors import InputError
from tafl.files import no_link

COMPILERS = ("numba", "llvmlite")


@contextmanager
def claimed(path: Path) -> Iterator[None]:
    """Hold the lock of a folder; one that another process writes to is refused.

    The system frees the lock when the process ends, whatever ends it; the file stays.
    """
    with no_link(path / "lock", "a+") as file:
        try:
            free = lock_descriptor(file.fileno(), blocking=False)
        except OSError as error:  # network folders can be like this
            raise InputError(f"{path} cannot be locked: {error.strerror}") from None
        if not free:
            file.seek(1)  # Windows lets only the owner read the first character
            who = f"process {file.read().strip()} is writing to {path}"
            raise InputError(f"{who}; wait for it, or use another folder")
        file.truncate(0)
        with suppress(OSError):  # where the disk is full, this matters least
            os.write(file.fileno(), f" {os.getpid()}\n".encode())
        yield


def new_folder(path: Path, or_else: str = "") -> Path:
    """Make the folder of a new run; it may exist if it is empty, or has only a lock.

    `or_else` is another way for a user who names the folder of a run.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(one.name != "lock" for one in path.iterdir()):
            raise occupied(path, or_else)
    except OSError as error:
        raise InputError(f"cannot create the folder {path}: {error.strerror}") from None
    return path


def unique_folder(stem: Path) -> Path:
    """Make the first folder of STEM, STEM-2, STEM-3, ... that does not exist yet."""
    path, number = stem, 1
    while True:
        try:
            path.mkdir(parents=True)
            return path
        except FileExistsError:
            number += 1
            path = stem.with_name(f"{stem.name}-{number}")
        except OSError as error:
            raise InputError(f"cannot create the folder {path}: {error.strerror}") from None


def occupied(path: Path, or_else: str = "") -> InputError:
    """Return the refusal of a folder that holds something."""
    other = f"use another {argument('out')}"
    if any(path.glob("settings.toml")) or any(path.glob("*/settings.toml")):
        ways = f"continue it with {resuming(path)}, or {other}"
        return InputError(f"{path} already contains a run; {ways}{or_else}")
    return InputError(f"{path} is not empty; {other}")


def environment(device: str = "cpu") -> dict[str, Any]:
    """Return what the speed and bits of a run depend on besides its settings."""
    libraries = ["tafl", "numpy", *COMPILERS]
    there = {}
    if device == "cuda":
        from tafl.core.compile import cuda

        libraries.append("numba-cuda")
        there["gpu"] = cuda.device_name()
    return {
        **{name: version(name) for name in libraries},
        **there,
        "target": compiler().target(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "command": sys.argv,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def other_machine(stored: Mapping[str, Any]) -> str:
    """Return how this machine differs from that of a run in what its bits depend on."""
    here = {"target": compiler().target(), **{name: version(name) for name in COMPILERS}}
    differ = [name for name in here if stored.get(name, here[name]) != here[name]]
    other, now = (", ".join(f"{name} {of[name]}" for name in differ) for of in (stored, here))
    return f"{other}, and now {now}" if differ else ""


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
