"""The cache of compiled code: one folder for each version of tafl's core and of a game's sources.

Numba does not notice that a function called by a kernel was edited, so the folder's name says which
sources the machine code was made from: a game's file and what that imports, except installed
packages.
"""

import ast
import hashlib
import os
import re
import shutil
import stat
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from tafl.errors import InputError

CORE = Path(__file__).resolve().parent.parent
LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
BASE = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}  # what a venv may see, too
INSTALLED = {
    Path(sysconfig.get_path(name, vars=where)).resolve()
    for name in LIBRARIES
    for where in ({}, BASE)
}
DAYS_KEPT, FOLDERS_KEPT = 60, 100
FOLDER_NAME = re.compile(r"\w+-[0-9a-f]{16}-[0-9a-f]{16}")
STARTED = time.time()


def cache_root() -> Path | None:
    """Return the root of the cache: $TAFL_CACHE_DIR, the user's cache folder or a temporary one."""
    from platformdirs import user_cache_path

    chosen = os.environ.get("TAFL_CACHE_DIR")
    if chosen:
        if not _is_writable(Path(chosen)):
            raise InputError(f"TAFL_CACHE_DIR is {chosen}, which is not writable")
        return Path(chosen)
    kept = user_cache_path("tafl")
    if _is_writable(kept):
        return kept
    if not hasattr(os, "getuid"):  # on Windows there is always a folder of the user
        return None
    temporary = Path(tempfile.gettempdir()) / f"tafl-cache-{os.getuid()}"
    return temporary if _is_writable(temporary) and _is_private(temporary) else None


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _is_private(folder: Path) -> bool:
    """Return whether only this user can write to a folder: tafl runs the code in it."""
    status = folder.lstat()
    mine = status.st_uid == os.getuid() and stat.S_ISDIR(status.st_mode)
    return mine and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def source_files(file: Path) -> list[Path]:
    """Return a game's file and the files it imports, except those of other installed packages."""
    home = file.resolve()
    own = _top(home)
    found, waiting = set(), [home]
    while waiting:
        source = waiting.pop()
        if source not in found:
            found.add(source)
            for other in _imported(source):
                installed = any(other.is_relative_to(folder) for folder in INSTALLED)
                foreign = installed and not other.is_relative_to(own)
                if not foreign and not other.is_relative_to(CORE.parent):
                    waiting.append(other)
    return sorted(found)


def _top(file: Path) -> Path:
    """Return the outermost package that a file belongs to, or the file itself."""
    while (file.parent / "__init__.py").exists():
        file = file.parent
    return file


def parsed(source: Path) -> ast.Module:
    """Return the syntax tree of a file, without Python's syntax warnings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return ast.parse(source.read_bytes(), str(source))


def _imported(source: Path) -> Iterator[Path]:
    """Yield the files that the import statements of a file may refer to."""
    if not source.is_file():  # made by exec, or entered at a prompt
        return
    searched = [source.parent, _top(source).parent, *(Path(entry) for entry in sys.path)]
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Import):
            names, folders = [alias.name for alias in node.names], searched
        elif isinstance(node, ast.ImportFrom):
            start = [node.module] if node.module else []
            names = [".".join([*start, alias.name]) for alias in node.names]
            folders = list(source.parents[node.level - 1 : node.level]) if node.level else searched
        else:
            continue
        for name in names:
            # the first folder that has it, as Python would look
            found = (list(_modules(folder, name.split("."))) for folder in folders)
            yield from next((files for files in found if files), [])


def _modules(folder: Path, parts: list[str]) -> Iterator[Path]:
    """Yield the files of a.b.c that exist in the folder: a, a.b and a.b.c."""
    for n in range(1, len(parts) + 1):
        path = folder.joinpath(*parts[:n])
        for file in (path.with_name(path.name + ".py"), path / "__init__.py"):
            if file.is_file():
                yield file.resolve()


def digest(files: Iterable[Path]) -> str:
    """Return a hash of names and contents."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()[:16]


@cache
def core_digest() -> str:
    """Return a hash of everything under tafl/core."""
    return digest(sorted(CORE.rglob("*.py")))


def sources_of(game_class: type) -> list[Path]:
    """Return the source files of a game class; none if it came from a prompt or stdin."""
    file = getattr(sys.modules.get(game_class.__module__), "__file__", None)
    return source_files(Path(file)) if file and Path(file).is_file() else []


@cache
def source_digest(game_class: type) -> str:
    """Return a hash of a game's sources, or "unknown" if there are none."""
    module = sys.modules.get(game_class.__module__)
    if hasattr(module, "__source_digest__"):  # taken when the file was loaded
        return str(module.__source_digest__)  # type: ignore[union-attr]
    files = sources_of(game_class)
    return digest(files) if files else "unknown"


def _can_be_cached(game_class: type) -> bool:
    """Return whether machine code can be found again and belongs to the current sources."""
    module, files = sys.modules.get(game_class.__module__), sources_of(game_class)
    if game_class.__module__ == "__main__" or not files:
        return False
    if hasattr(module, "__source_digest__"):
        return True
    return all(source.stat().st_mtime < STARTED for source in files)


@cache
def cache_folder(game_class: type, *others: type) -> Path | None:
    """Return the folder for one game's machine code; None if it cannot be cached.

    Code for other classes, too, such as a user's approximators, has its own folder.

    Numba finds a class by the name of its module, so that is part of the folder's name, and a class
    of a script or a notebook (`__main__`) is never found.
    """
    classes = (game_class, *others)
    root = cache_root() if all(map(_can_be_cached, classes)) else None
    if root is None:
        return None
    names = [f"{c.__module__}.{c.__qualname__} {source_digest(c)}" for c in classes]
    identity = hashlib.sha256("\n".join(names).encode()).hexdigest()[:16]
    folder = root / f"{game_class.__name__}-{core_digest()}-{identity}"
    if not folder.exists():
        _forget_old(root)
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):  # another process has just removed it
        os.utime(folder)
    return folder


def _forget_old(root: Path) -> None:
    """Remove folders that have not been used for a long time.

    Processes that still use one have its code in memory, and store what they compile later again.
    """
    ours = [folder for folder in root.iterdir() if FOLDER_NAME.fullmatch(folder.name)]
    used = []
    for folder in ours:
        with suppress(FileNotFoundError):  # other processes remove old folders, too
            used.append((folder.lstat().st_mtime, folder))
    for number, (last_time, folder) in enumerate(sorted(used, reverse=True)):
        if number >= FOLDERS_KEPT or time.time() - last_time > DAYS_KEPT * 86400:
            shutil.rmtree(folder, ignore_errors=True)
