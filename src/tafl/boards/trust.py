"""Trust in code: reading someone else's run must not execute any.

A file that the user names is run. A file that only a run, a record or an agent's file names is run
if the user trained with the same content before, or trusts it: `--trust`, or `tafl.trust(file)`.
The same holds for agents that start a program or load a model that can contain code.
Trusted hashes are stored as empty files in TAFL_DATA_DIR or the user's data folder.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.machinery import PathFinder
from pathlib import Path

from tafl.core.compile.cache import source_files
from tafl.errors import InputError, check_type, place

ALL = "TAFL_TRUST"  # this variable is 1 if everything is trusted, also in child processes
_now: set[str] = set()  # hashes that this process trusts

Judge = Callable[[str, str], None]  # is told of an agent that runs code, and the hash of that


def trust(game: str | Path) -> None:
    """Trust the file of a game from now on, also if a run, a record or an agent names it.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(f"{folder}/game.py").write_text("LINES = 3")
    ...     tafl.trust(f"{folder}/game.py")
    """
    check_type("a game", game, str, os.PathLike)
    path = Path(game).expanduser()
    if not path.is_file():
        raise InputError(f"there is no file {place(path)}")
    remember(file_digest(path))


def trust_everything() -> None:
    """Trust all files, in this process and its children (`--trust`)."""
    os.environ[ALL] = "1"


@contextmanager
def trusting(everything: bool) -> Iterator[None]:
    """Trust all files in this block, if so wanted (`trust=True`)."""
    before = os.environ.get(ALL)
    try:
        if everything:
            trust_everything()
        yield
    finally:
        if everything and before is None:
            del os.environ[ALL]
        elif before is not None:
            os.environ[ALL] = before


def for_now(content: str) -> None:
    """Trust files with this hash until this process ends."""
    _now.add(content)


def remember(content: str) -> None:
    """Trust files with this hash from now on."""
    _now.add(content)
    with suppress(OSError):
        folder = decisions()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / content).touch()


def is_trusted(content: str) -> bool:
    """Return whether files with this hash are trusted."""
    if os.environ.get(ALL) == "1" or content in _now:
        return True
    with suppress(OSError):
        if (decisions() / content).is_file():
            _now.add(content)
            return True
    return False


def known_here() -> list[str]:
    """Return the hashes that this process trusts, for processes on other machines."""
    return sorted(_now)


def decisions() -> Path:
    """Return the folder of trusted hashes."""
    from platformdirs import user_data_path

    chosen = os.environ.get("TAFL_DATA_DIR")
    return (Path(chosen) if chosen else user_data_path("tafl")) / "trusted"


def check_file(path: Path, named_by: str, kind: str = "the game") -> None:
    """Refuse a file that a stored file names, unless it is trusted."""
    if path.is_file() and not is_trusted(file_digest(path)):
        raise _refusal(named_by, f"{kind} {place(path)}, which", "tafl.trust of its file")


def check_module(spec: str, named_by: str) -> None:
    """Refuse rules `module:Class` unless they are trusted, without importing the module."""
    if not is_trusted(module_digest(spec, _find_module(spec.partition(":")[0]))):
        raise _refusal(named_by, f"the game {spec}, which", "tafl.trust of its file")


def judge_of(named_by: str | None) -> Judge:
    """Return a judge of agents that run code: those that a stored file names need trust.

    Agents that the user has named (`named_by` is None) are trusted from now on.
    """

    def judge(agent: str, content: str) -> None:
        if named_by is None:
            remember(content)
        elif not is_trusted(content):
            raise _refusal(named_by, f"the agent {agent}, which runs code and", "trust=True")

    return judge


def code_digest(words: Sequence[str]) -> str:
    """Return a hash of a command's words and of the files among them."""
    total = hashlib.sha256(b"code")
    for word in words:
        total.update(hashlib.sha256(word.encode()).digest())
        with suppress(OSError, ValueError):
            if Path(word).is_file():
                with Path(word).open("rb") as file:
                    total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def module_digest(spec: str, file: Path | None) -> str:
    """Return a hash of a module's sources, or of its name if there are none."""
    if file is None or not file.is_file():
        return hashlib.sha256(spec.encode()).hexdigest()
    return file_digest(file)


def file_digest(path: Path) -> str:
    """Return a hash of a file and of the modules beside it that it imports, without running it."""
    try:
        files = source_files(path)
    except (SyntaxError, ValueError, OSError):
        files = [path]  # loading it fails with a message
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    contents = [f"{file.name} {content}" for file, content in zip(files, hashes, strict=True)]
    return hashlib.sha256("\n".join(contents).encode()).hexdigest()


def _find_module(name: str) -> Path | None:
    """Return the file of a module without importing it."""
    path, spec, parts = None, None, name.split(".")
    for n in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:n]), path)
        if spec is None:
            return None
        path = spec.submodule_search_locations
    return Path(spec.origin) if spec is not None and spec.origin else None


def _refusal(named_by: str, what: str, python: str) -> InputError:
    return InputError(
        f"{named_by} names {what} was never run here on purpose: look at it, and add --trust to "
        f"run it (in Python, {python})"
    )
