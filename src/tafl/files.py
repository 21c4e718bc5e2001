"""Files that are never seen half written, also if the process or the machine stops."""

import hashlib
import json
import math
import os
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from tafl.errors import InputError

TEMPORARY = ".new"
TRIES, BETWEEN_TRIES = 40, 0.05  # seconds
DIGITS = 8  # of a checksum
LONGEST_DOCUMENT = 2**25  # bytes of a file that is read as a whole
MOST_VALUES = 400_000  # of a document of JSON


@contextmanager
def replacing(path: Path, mode: str = "w", durable: bool = True) -> Iterator[Any]:
    """Yield a file that replaces `path` when it is complete; after an error it is deleted.

    A `durable` file is on the disk at the end of the block.
    """
    temporary = draft(path)
    temporary.unlink(missing_ok=True)  # left by a crash, or a planted link
    try:
        with open(temporary, mode.replace("w", "x"), **_text(mode)) as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        _take_place(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        with named(path):
            raise
    if durable:
        make_durable(path.parent)


def _text(mode: str) -> dict[str, Any]:
    """Return the arguments of `open` for text, equal on all systems."""
    if "b" in mode:
        return {}
    return {"encoding": "utf-8", "newline": None if "r" in mode else "\n"}


def _take_place(temporary: Path, path: Path) -> None:
    """Rename a file onto another; Windows refuses that while a process reads the other one."""
    for _ in range(TRIES):
        try:
            return os.replace(temporary, path)
        except PermissionError:
            if os.name != "nt":
                raise
            time.sleep(BETWEEN_TRIES)
    return os.replace(temporary, path)


def no_link(path: Path, mode: str, follow: bool = False) -> IO[Any]:
    """Open a regular file, but no device or pipe, and a link only if it is to be followed."""

    def opener(name: str, flags: int) -> int:
        if not follow and not hasattr(os, "O_NOFOLLOW") and path.is_symlink():  # on Windows
            raise OSError
        more = getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
        descriptor = os.open(name, flags | more, 0o666)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise InputError(f"{path} is not a file, but a folder, a device or a pipe")
        return descriptor

    try:
        return open(path, mode, opener=opener, **_text(mode))
    except OSError as error:
        if not follow and path.is_symlink():
            raise InputError(f"{path} is a link, which is not followed") from None
        raise error


def read_regular(path: Path, follow: bool = False, most: int = LONGEST_DOCUMENT) -> bytes:
    """Return the content of a regular file of at most this many bytes.

    A file that the user names may be a link (`follow`), one inside a stored folder may not.
    """
    with no_link(path, "rb", follow) as file:
        content: bytes = file.read(most + 1)
    if len(content) > most:
        raise InputError(f"{path} has more than {most:,} bytes, which is too long")
    return content


def parse_json(content: str | bytes, most: int = MOST_VALUES) -> Any:
    """Return a document of JSON; raise a ValueError if it is none or has too many values.

    Each of the values may take 50 times the memory that its text does.
    """
    comma, brackets = (b",", (b"[", b"{")) if isinstance(content, bytes) else (",", ("[", "{"))
    if content.count(comma) + sum(map(content.count, brackets)) > most:  # type: ignore[arg-type]
        raise ValueError(f"it has more than {most:,} values")
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def read_json(path: Path, what: str, follow: bool = False) -> dict[str, Any]:
    """Return the table in a file of JSON; `what` says what the file should be."""
    try:
        found = parse_json(read_regular(path, follow))
    except InputError:
        raise
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: {what}") from None
    except ValueError:
        raise InputError(f"{path}: {what}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: {what}")
    return found


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Add the name of the file to errors of writing and closing, which lack it."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def check_writable(path: Path, option: str) -> Path:
    """Return the path of a new file, or refuse it before work starts if it is not writable."""
    try:
        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"{option} {path}: this is a folder, or its folder does not exist")
        if path.exists() and not path.is_file():
            raise InputError(f"{option} {path}: this is not a file, but a device or a pipe")
        # a draft that exists was left by a crash, and will be replaced
        with suppress(FileExistsError), draft(path).open("xb", buffering=0) as file:
            try:
                file.write(b"\n")
            finally:
                draft(path).unlink()
    except OSError as error:
        raise InputError(f"{option} {path}: cannot be written, {error.strerror}") from None
    return path


def draft(path: Path) -> Path:
    """Return the path of a file while it is being written."""
    return path.with_name(path.name + TEMPORARY)


def make_durable(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; Windows has no call for that."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def to_json(document: Any, indent: int | None = None) -> str:
    """Return a document as JSON, with null for NaN and infinity.

    >>> to_json({"mean": 0.5, "standard_error": math.nan})
    '{"mean": 0.5, "standard_error": null}'
    """
    return json.dumps(_plain(document), ensure_ascii=False, allow_nan=False, indent=indent)


def checksum(values: Mapping[str, Any]) -> str:
    """Return the first digits of the SHA-256 of all keys but `check`, as sorted compact JSON."""
    rest = {key: value for key, value in values.items() if key != "check"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:DIGITS]


def sealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with their checksum as `check`."""
    return {**values, "check": checksum(values)}


def write_sealed(path: Path, document: Mapping[str, Any], indent: int | None = None) -> None:
    """Write a document with its checksum."""
    with replacing(path) as file:
        file.write(to_json(sealed(json.loads(to_json(document))), indent) + "\n")


def read_sealed(path: Path, before: Iterable[str]) -> dict[str, Any]:
    """Return a document, or refuse a damaged one; one without `check` has the keys `before`."""
    content = read_regular(path)
    try:
        found: dict[str, Any] = parse_json(content)
        if found.keys() != set(before) and found.pop("check") != checksum(found):
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{path} is damaged: delete it, and it is made again") from None
    return found


def _plain(value: Any) -> Any:
    """Return Python's numbers and lists for NumPy's; None for NaN and infinity."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value
