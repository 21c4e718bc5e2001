"""Arguments of kernels as JSON: named tuples, numbers, and arrays by type, shape and content.

An array is {"type", "shape"} and one of

    (none)     all items are 0, or the array is scratch memory
    fill       all items are this number
    items      a short list
    repeat     a few numbers, repeated to the end
    data       the name of its bytes, which a page stores compressed (`apart`)
    active     weights: {"gaps", "values", "bits"}, those that are not 0 (runs/small.py)

web/machine.js makes the same memory of it and never computes a layout.
"""

import base64
import json
import zlib
from typing import Any

import numpy as np

from tafl.runs.small import packed as sparse

SHORT = 32  # items that are written as a list


class Bytes:
    """The bytes of a page by name, compressed, without duplicates."""

    def __init__(self) -> None:
        self.packed: dict[str, str] = {}
        self._names: dict[bytes, str] = {}

    def add(self, data: bytes) -> str:
        """Store bytes and return their name."""
        if data not in self._names:
            name = self._names[data] = f"b{len(self._names)}"
            self.packed[name] = compressed(data)
        return self._names[data]


def compressed(data: bytes) -> str:
    """Return bytes as a page has them: deflated, then in base64."""
    return base64.b64encode(zlib.compress(data, 9, -zlib.MAX_WBITS)).decode()


def in_one_file(document: Any, kept: Bytes) -> bytes:
    """Return a document and the bytes that it refers to as one file (web/bytes.js reads it).

    The size of the first part in four bytes; this part, deflated JSON with the document and the
    sizes of the others; then these, deflated.
    """
    parts = {name: base64.b64decode(text) for name, text in kept.packed.items()}
    about = {"document": document, "parts": {name: len(part) for name, part in parts.items()}}
    text = json.dumps(about, separators=(",", ":"), allow_nan=False).encode()
    first = zlib.compress(text, 9, -zlib.MAX_WBITS)
    return b"".join([len(first).to_bytes(4, "little"), first, *parts.values()])


def blank(value: Any) -> Any:
    """Describe empty memory of this form."""
    if isinstance(value, tuple):
        return {name: blank(item) for name, item in _fields(value)}
    if isinstance(value, np.ndarray):
        return {"type": value.dtype.name, "shape": list(value.shape)}
    return value.item() if isinstance(value, np.generic) else value


def packed(value: Any, kept: Bytes) -> Any:
    """Describe memory of this form with its content."""
    if isinstance(value, tuple):
        return {name: packed(item, kept) for name, item in _fields(value)}
    form = blank(value)
    if not isinstance(value, np.ndarray) or not value.any():
        return form
    flat = np.ascontiguousarray(value).reshape(-1)
    if (flat == flat[0]).all():
        return form | {"fill": flat[0].item()}
    if flat.size <= SHORT and flat.dtype.kind != "u":
        return form | {"items": flat.tolist()}
    return form | {"data": kept.add(apart(flat))}


def packed_weights(weights: np.ndarray, bits: int, kept: Bytes) -> dict[str, Any]:
    """Describe weights, many of which are 0."""
    arrays = sparse(weights, bits)
    active = {name: kept.add(apart(array)) for name, array in arrays.items()}
    return {**blank(weights), "active": {**active, "bits": bits}}


def apart(flat: np.ndarray) -> bytes:
    """Return all first bytes of the items, then all second ones, which compresses better.

    >>> apart(np.array([1, 2], np.uint16)).hex()
    '01020000'
    """
    return flat.view(np.uint8).reshape(-1, flat.itemsize).T.tobytes()


def _fields(value: Any) -> Any:
    return zip(value._fields, value, strict=True)
