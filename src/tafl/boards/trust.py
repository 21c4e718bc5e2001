"""Whose rules are run: a game's file is code, and reading a run of somebody must not execute it.

Whoever names a file, on the command line or in Python, wants it to run. A file that only a run, a
record or an agent's file names is run if its very content was run here before on purpose (training
with a file stores that), or if the user says so: `--trust`, or `tafl.trust("game.py")`.

The decisions are empty files named after hashes, in TAFL_DATA_DIR or the user's data folder; where
nothing can be written they last as long as the process.
"""

import hashlib
import os
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path

from tafl.core.compile.cache import source_files
from tafl.errors import InputError, place

ALL = "TAFL_TRUST"  # this variable is 1 where everything is trusted, also in child processes
_now: set[str] = set()  # hashes that this process trusts


def trust(game: str | Path) -> None:
    """Lets the file of a game be run from now on wherever a run, a record or an agent names it.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/game.py").write_text("LINES = 3")
    ...     tafl.trust(f"{folder}/game.py")
    """
    path = Path(game).expanduser()
    if not path.is_file():
        raise InputError(f"there is no file {place(path)}")
    remember(file_digest(path))


def trust_everything() -> None:
    """What `--trust` says: this process and those it starts run whatever is named."""
    os.environ[ALL] = "1"


def for_now(content: str) -> None:
    """A file with this hash was named by the user: it may run as long as this process does."""
    _now.add(content)


def remember(content: str) -> None:
    """A file with this hash may run from now on."""
    _now.add(content)
    with suppress(OSError):
        folder = decisions()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / content).touch()


def is_trusted(content: str) -> bool:
    """May a file with this hash be run?"""
    if os.environ.get(ALL) == "1" or content in _now:
        return True
    with suppress(OSError):
        return (decisions() / content).is_file()
    return False


def decisions() -> Path:
    """The folder of what was decided."""
    from platformdirs import user_data_path

    chosen = os.environ.get("TAFL_DATA_DIR")
    return (Path(chosen) if chosen else user_data_path("tafl")) / "trusted"


def check_file(path: Path, named_by: str) -> None:
    """Refuses a file that only something stored names, unless it is trusted."""
    if path.is_file() and not is_trusted(file_digest(path)):
        raise _refusal(named_by, place(path))


def check_module(spec: str, named_by: str) -> None:
    """The same for a class of rules in a module, `module:Class`, which is not imported to look."""
    module = spec.partition(":")[0]
    file = _find_module(module)
    if not is_trusted(module_digest(spec, file)):
        raise _refusal(named_by, spec)


def module_digest(spec: str, file: Path | None) -> str:
    """A hash of a module's sources and of how it is named."""
    if file is None or not file.is_file():
        return hashlib.sha256(spec.encode()).hexdigest()
    return file_digest(file)


def file_digest(path: Path) -> str:
    """A hash of a file and of what it imports from beside itself; none of it is run."""
    try:
        files = source_files(path)
    except (SyntaxError, ValueError, OSError):
        files = [path]  # it cannot be run anyway, and whoever tries is told why
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    contents = [f"{file.name} {content}" for file, content in zip(files, hashes, strict=True)]
    return hashlib.sha256("\n".join(contents).encode()).hexdigest()


def _find_module(name: str) -> Path | None:
    """The file of a module, found without importing anything."""
    path, spec, parts = None, None, name.split(".")
    for n in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:n]), path)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return Path(spec.origin) if spec is not None and spec.origin else None


def _refusal(named_by: str, what: str) -> InputError:
    return InputError(
        f"{named_by} names the game {what}, which was never run here on purpose: look at it, and "
        "add --trust to run it (in Python, tafl.trust of its file)"
    )
