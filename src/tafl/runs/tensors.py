"""Files of arrays in the safetensors format, with a checksum and without a second copy in memory.

    8 bytes       length of the header
    header        JSON: name -> dtype, shape, offsets;  "__metadata__" -> text by name
    data          the arrays, one after the other

The checksum is the metadata `sha256`: of header and data, with 64 zeros in its own place.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from tafl.files import parse_json

DTYPES = {
    "float16": "F16",
    "float32": "F32",
    "float64": "F64",
    "int64": "I64",
    "uint8": "U8",
    "uint32": "U32",
    "uint64": "U64",
}
BLANK = "0" * 64
CHUNK = 2**24
LONGEST_HEADER = 2**22  # bytes: what it takes to read one stays small
SHA256 = re.compile(rb'"sha256":\s*"([0-9a-f]{64})"')


class DamagedError(Exception):
    """A damaged file of arrays."""


def write_tensors(
    file: BinaryIO, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]
) -> None:
    """Write arrays and texts; the arrays may be as large as memory."""
    header = _header(tensors, metadata)
    if len(header) > LONGEST_HEADER:
        raise ValueError(f"a header of {len(header):,} bytes is too long")
    digest = hashlib.sha256(header)
    file.write(len(header).to_bytes(8, "little"))
    file.write(header)
    for array in tensors.values():
        for piece in _pieces(array):
            digest.update(piece)
            file.write(piece)
    file.seek(8 + header.index(BLANK.encode()))
    file.write(digest.hexdigest().encode())


def verify(file: BinaryIO) -> None:
    """Refuse a damaged file before its content is used."""
    raw = _read_raw(file)
    written = SHA256.search(raw)
    if not written:
        raise DamagedError("its header has no checksum")
    digest = hashlib.sha256(raw.replace(written[1], BLANK.encode(), 1))
    while piece := file.read(CHUNK):
        digest.update(piece)
    if digest.hexdigest().encode() != written[1]:
        raise DamagedError("its checksum is wrong")
    _parsed(raw)  # the length in front is not part of the sum


def read_metadata(file: BinaryIO) -> dict[str, str]:
    """Return the texts of a file, without a look at its arrays."""
    metadata: dict[str, str] = _read_header(file)[1]["__metadata__"]
    return metadata


def array_types(file: BinaryIO) -> dict[str, str]:
    """Return the names of all arrays, and the type of each, as NumPy calls it."""
    names = {code: name for name, code in DTYPES.items()}
    _, header = _read_header(file)
    try:
        return {name: names[entry["dtype"]] for name, entry in header.items() if name[:2] != "__"}
    except (KeyError, TypeError) as error:
        raise DamagedError("its header is invalid") from error


def read_array(file: BinaryIO, name: str, dtype: str = "float32") -> np.ndarray:
    """Return one array of a file that was verified."""
    return np.concatenate([*read_pieces(file, name, dtype)])


def read_pieces(
    file: BinaryIO, name: str, dtype: str = "float32", row: int = 1
) -> Iterator[np.ndarray]:
    """Yield one array in pieces of whole rows; it may be larger than memory."""
    _, header = _read_header(file)
    try:
        entry, itemsize = header[name], np.dtype(dtype).itemsize
        (size,), (begin, end) = entry["shape"], entry["data_offsets"]
        if entry["dtype"] != DTYPES[dtype] or end - begin != size * itemsize or size % row:
            raise TypeError
        file.seek(begin, 1)
        most = CHUNK // (row * itemsize) * row
        for first in range(0, max(size, 1), most):
            count = min(most, size - first)
            piece = np.frombuffer(file.read(count * itemsize), dtype)
            if piece.size != count:
                raise ValueError
            yield piece
    except (KeyError, TypeError, ValueError, OSError, MemoryError, OverflowError) as error:
        raise DamagedError(f"its array {name} cannot be read") from error


def read_tensors(file: BinaryIO, tensors: Mapping[str, np.ndarray]) -> None:
    """Fill the given arrays from a file and verify it; after an error their content is void."""
    try:
        _read_all(file, tensors)
    except (KeyError, TypeError, ValueError, OverflowError, MemoryError) as error:
        raise DamagedError("its header is invalid") from error


def _read_all(file: BinaryIO, tensors: Mapping[str, np.ndarray]) -> None:
    raw, header = _read_header(file)
    written = header.pop("__metadata__")["sha256"]
    digest = hashlib.sha256(raw.replace(written.encode(), BLANK.encode(), 1))
    missing = sorted(set(tensors) - set(header))
    if missing:
        raise DamagedError(f"it has no array {missing[0]}")
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        array = tensors.get(name)
        if array is None:
            array = np.empty(end - begin, np.uint8)
        elif [DTYPES[array.dtype.name], list(array.shape)] != [entry["dtype"], entry["shape"]]:
            raise DamagedError(f"its array {name} is {entry['dtype']}{entry['shape']}")
        for piece in _pieces(array):
            if file.readinto(piece) != len(piece):  # type: ignore[attr-defined]
                raise DamagedError("it is too short")
            digest.update(piece)
    if file.read(1) or digest.hexdigest() != written:
        raise DamagedError("its checksum is wrong")


def _header(tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> bytes:
    header: dict[str, Any] = {"__metadata__": {"sha256": BLANK, **metadata}}
    offset = 0
    for name, array in tensors.items():
        header[name] = {
            "dtype": DTYPES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [offset, offset + array.nbytes],
        }
        offset += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)


def _read_raw(file: BinaryIO) -> bytes:
    size = int.from_bytes(file.read(8), "little")
    if not 0 < size <= LONGEST_HEADER:
        raise DamagedError("it does not begin with a header")
    raw = file.read(size)
    if len(raw) < size:
        raise DamagedError("it is too short")
    return raw


def _read_header(file: BinaryIO) -> tuple[bytes, dict[str, Any]]:
    raw = _read_raw(file)
    return raw, _parsed(raw)


def _parsed(raw: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = parse_json(raw, LONGEST_HEADER)
        header["__metadata__"]["sha256"].encode("ascii")
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise DamagedError("its header is not readable") from error
    return header


def _pieces(array: np.ndarray) -> list[memoryview]:
    view = array.reshape(-1).view(np.uint8).data
    return [view[i : i + CHUNK] for i in range(0, len(view), CHUNK)]
