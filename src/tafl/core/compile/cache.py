"""Where compiled code is kept: one folder for each version of tafl's core and of a game's source."""

import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

CORE = Path(__file__).resolve().parent.parent
DAYS_KEPT = 60


def cache_root() -> Path:
    """The folder for compiled code: $TAFL_CACHE_DIR, the user's cache folder, or a temporary one."""
    from platformdirs import user_cache_path

    places = [Path(p) for p in (os.environ.get("TAFL_CACHE_DIR"),) if p]
    places += [user_cache_path("tafl"), Path(tempfile.gettempdir()) / f"tafl-cache-{os.getuid()}"]
    for place in places:
        try:
            place.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place):
                return place
        except OSError:
            continue
    raise OSError("no folder for compiled code is writable; set TAFL_CACHE_DIR to one that is")


def sources(game_class: type) -> list[Path]:
    """The game's file and what it imports from its own folder."""
    home = Path(inspect.getfile(game_class)).resolve()
    files = {home}
    module = sys.modules[game_class.__module__]
    for value in vars(module).values():
        name = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
        file = getattr(sys.modules.get(name), "__file__", None) if isinstance(name, str) else None
        if file and Path(file).resolve().is_relative_to(home.parent):
            files.add(Path(file).resolve())
    return sorted(files)


def digest(files) -> str:
    """A hash of names and contents."""
    total = hashlib.sha256()
    for file in files:
        total.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return total.hexdigest()[:16]


@cache
def core_digest() -> str:
    """A hash of everything under tafl/core."""
    return digest(sorted(CORE.rglob("*.py")))


@cache
def source_digest(game_class: type) -> str:
    """A hash of the sources of a game."""
    return digest(sources(game_class))


@cache
def cache_folder(game_class: type) -> Path:
    """The folder for one game's machine code, made anew when a source changes."""
    root = cache_root()
    folder = root / f"{game_class.__name__}-{core_digest()}-{source_digest(game_class)}"
    if not folder.exists():
        _forget_old(root)
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    return folder


def _forget_old(root: Path) -> None:
    for folder in root.iterdir():
        if folder.is_dir() and time.time() - folder.stat().st_mtime > DAYS_KEPT * 86400:
            shutil.rmtree(folder, ignore_errors=True)
