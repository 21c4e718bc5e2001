"""Checkpoints: all that is needed to continue as if nothing had happened.

A checkpoint is a safetensors file named after its episode. It is written under a temporary name,
made durable, and then renamed; the one before it stays until the next one is durable, so the last
or the previous always loads.
"""

import errno
import json
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import get_origin

import numpy as np

from tafl.errors import InputError
from tafl.files import TEMPORARY, parse_json, replacing
from tafl.runs.tensors import (
    DamagedError,
    read_metadata,
    read_pieces,
    read_tensors,
    verify,
    write_tensors,
)
from tafl.settings.tables import Fields

FORMAT = 1
KEPT = 2
MOST_VALUES = 2_000_000  # numbers in the n-tuples of a header
ROOM = 2**20  # bytes that a disk should have besides
CHUNK = 2**22  # numbers looked at in one go
SUFFIX = ".safetensors"

log = logging.getLogger("tafl")


@dataclass(frozen=True)
class Header:
    """The header of a checkpoint: everything but its arrays."""

    tafl: str  # version
    game: str
    source: str  # hash of the game's source
    settings: Fields
    tuples: list[list[int]]
    episode: int
    moves: int
    seconds: float  # of training
    evaluations: int  # lines of metrics.jsonl that belong to it
    evaluated: int = -1  # the episode of the last one
    format: int = FORMAT

    def metadata(self) -> dict[str, str]:
        """Return the header as texts by name, each of them JSON."""
        return {name: json.dumps(value) for name, value in asdict(self).items()}


def save(folder: Path, header: Header, tensors: Mapping[str, np.ndarray]) -> Path:
    """Write a checkpoint, and remove those before the previous one."""
    path = folder / f"episode-{header.episode:015d}{SUFFIX}"
    check_room(folder, sum(array.nbytes for array in tensors.values()))
    with replacing(path, "wb") as file:
        write_tensors(file, tensors, header.metadata())
    for old in [*checkpoint_files(folder)[KEPT:], *folder.glob(f"*{TEMPORARY}")]:
        with suppress(PermissionError):  # on Windows, while a process reads it
            old.unlink()
    return path


def check_room(folder: Path, size: int) -> None:
    """Raise the error of a full disk before anything is written."""
    free = shutil.disk_usage(folder).free
    if free < size + ROOM:
        text = f"{os.strerror(errno.ENOSPC)}: {size + ROOM:,} bytes are needed, {free:,} are free"
        raise OSError(errno.ENOSPC, text, str(folder))


def checkpoint_files(folder: Path) -> list[Path]:
    """Return the checkpoints in a folder, newest first."""
    return sorted(folder.glob(f"episode-*{SUFFIX}"), reverse=True)


def sound_headers(folder: Path) -> Iterator[tuple[Path, Header]]:
    """Yield the intact checkpoints, newest first; warn about damaged ones."""
    for path in checkpoint_files(folder):
        try:
            yield path, read_sound(path)
        except DamagedError as error:
            log.warning("tafl: checkpoint %s is damaged: %s", path, error)
        except FileNotFoundError:  # a run under way has removed it
            continue


def read_sound(path: Path) -> Header:
    """Return the header of an intact file."""
    with path.open("rb") as file:
        verify(file)
    return read_header(path)


def last_header(folder: Path) -> Header | None:
    """Return the newest readable header, without verifying its file."""
    for path in checkpoint_files(folder):
        with suppress(DamagedError, InputError, OSError):
            return read_header(path)
    return None


def read_header(path: Path) -> Header:
    """Return the header of a checkpoint; a checkpoint of another format is refused."""
    with path.open("rb") as file:
        texts = read_metadata(file)
    try:
        values = {
            name: parse_json(text, MOST_VALUES) for name, text in texts.items() if name != "sha256"
        }
        if values["format"] != FORMAT:
            raise InputError(
                f"{path} has format {values['format']}, written by tafl {values.get('tafl')}; "
                f"this version reads format {FORMAT}"
            )
        if "evaluated" not in values:  # written before this was noted
            values["evaluated"] = -1
        _check_types(values)
        return Header(**{field.name: values[field.name] for field in fields(Header)})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise DamagedError("its header is invalid") from error


def _check_types(values: Fields) -> None:
    """Refuse values of other types than a header has."""
    for field in fields(Header):
        value, kind = values[field.name], get_origin(field.type) or field.type
        number = kind is float and type(value) is int
        if type(value) is not kind and not number:
            raise TypeError
    if any(type(c) is not int for cells in values["tuples"] for c in _cells(cells)):
        raise TypeError


def _cells(cells: object) -> list[object]:
    if not isinstance(cells, list):
        raise TypeError
    return cells


def load(path: Path, tensors: Mapping[str, np.ndarray]) -> None:
    """Fill the arrays from a checkpoint; weights that are not numbers are refused."""
    try:
        with path.open("rb") as file:
            read_tensors(file, tensors)
    except DamagedError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    check_finite(path, tensors["weights"])


def load_column(path: Path, width: int, column: int = 0) -> np.ndarray:
    """Return one column of the weights; 0 is the weight, the others are its coherence sums."""
    found, end = np.empty(path.stat().st_size // (4 * width), np.float32), 0
    try:
        with path.open("rb") as file:
            for piece in read_pieces(file, "weights", row=width):
                check_finite(path, piece)
                begin, end = end, end + piece.size // width
                found[begin:end] = piece[column::width]
    except DamagedError as error:
        raise InputError(f"{path} cannot be read: {error}") from None
    return found[:end]


def check_finite(path: Path, weights: np.ndarray) -> None:
    """Refuse weights that are not numbers."""
    if not all_finite(weights):
        raise InputError(f"{path} holds weights that are not finite: train with smaller steps")


def all_finite(array: np.ndarray) -> bool:
    """Tell whether all numbers are finite."""
    pieces = (array[i : i + CHUNK] for i in range(0, array.size, CHUNK))
    with np.errstate(invalid="ignore"):  # infinity minus infinity
        return all(bool(np.isfinite(piece.sum(dtype=np.float64))) for piece in pieces)
