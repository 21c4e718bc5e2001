"""Checkpoints: all that is needed to continue as if nothing had happened.

A checkpoint is a safetensors file named after its episode. It is written under a temporary name,
made durable, and then renamed; the one before it stays until the next one is durable, so the last
or the previous always loads.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from tafl.errors import InputError
from tafl.files import TEMPORARY, replacing
from tafl.runs.tensors import DamagedError, read_metadata, read_tensors, write_tensors
from tafl.settings.model import Fields

FORMAT = 1
KEPT = 2
SUFFIX = ".safetensors"

log = logging.getLogger("tafl")


@dataclass(frozen=True)
class Header:
    """What a checkpoint says about itself, besides its arrays."""

    tafl: str  # version
    game: str
    source: str  # hash of the game's source
    settings: Fields
    tuples: list[list[int]]
    episode: int
    moves: int
    seconds: float  # of training
    evaluations: int  # lines of metrics.jsonl that belong to it
    format: int = FORMAT

    def metadata(self) -> dict[str, str]:
        """The header as texts by name, each of them JSON."""
        return {name: json.dumps(value) for name, value in asdict(self).items()}


def save(folder: Path, header: Header, tensors: Mapping[str, np.ndarray]) -> Path:
    """Writes a checkpoint, and removes those before the previous one."""
    path = folder / f"episode-{header.episode:015d}{SUFFIX}"
    with replacing(path, "wb") as file:
        write_tensors(file, tensors, header.metadata())
    for old in [*checkpoint_files(folder)[KEPT:], *folder.glob(f"*{TEMPORARY}")]:
        old.unlink()
    return path


def checkpoint_files(folder: Path) -> list[Path]:
    """The checkpoints in a folder, newest first."""
    return sorted(folder.glob(f"episode-*{SUFFIX}"), reverse=True)


def read_headers(folder: Path) -> list[tuple[Path, Header]]:
    """The checkpoints with a readable header, newest first; says which are damaged."""
    found = []
    for path in checkpoint_files(folder):
        try:
            found.append((path, read_header(path)))
        except DamagedError as error:
            log.warning("tafl: checkpoint %s is damaged: %s", path, error)
        except FileNotFoundError:  # a run under way has removed it
            continue
    return found


def read_header(path: Path) -> Header:
    """The header of a checkpoint; a checkpoint of another format is refused."""
    with path.open("rb") as file:
        texts = read_metadata(file)
    try:
        values = {name: json.loads(text) for name, text in texts.items() if name != "sha256"}
        if values["format"] != FORMAT:
            raise InputError(
                f"{path} has format {values['format']}, written by tafl {values.get('tafl')}; "
                f"this version reads format {FORMAT}"
            )
        return Header(**{field.name: values[field.name] for field in fields(Header)})
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise DamagedError("its header is invalid") from error


def load(candidates: list[tuple[Path, Header]], tensors: Mapping[str, np.ndarray]) -> Header:
    """Fills the arrays from the newest checkpoint that is not damaged."""
    for path, header in candidates:
        try:
            with path.open("rb") as file:
                read_tensors(file, tensors)
            return header
        except (DamagedError, FileNotFoundError) as error:
            log.warning("tafl: checkpoint %s cannot be read: %s", path, error)
    raise InputError(f"none of the {len(candidates)} checkpoints can be read")
