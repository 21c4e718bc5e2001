"""Text from elsewhere on a terminal: characters that it would obey are shown, not sent.

Names, records, metrics and settings of other people may contain escape sequences, which move the
cursor, set the title or fill the clipboard. `guarded` streams write them as they are in Python's
strings; what tafl paints itself goes to the stream behind (`raw`).
"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO
from unicodedata import category

OBEYED = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # control, format (bidirectional, too), surrogates, lines
JOINER = "\u200d"  # of emoji
HARMLESS = {"\n", "\t", JOINER}


def printable(text: str) -> str:
    r"""Return a text without characters that a terminal obeys.

    >>> printable("\x1b]52;c;cHduZWQ=\x07 a\nb"), printable("größer 棋 \u202e")
    ('\\x1b]52;c;cHduZWQ=\\x07 a\nb', 'größer 棋 \\u202e')
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(
        sign.encode("unicode_escape").decode()
        if category(sign) in OBEYED and sign not in HARMLESS
        else sign
        for sign in text
    )


class Guarded:
    """A stream that writes only what is printable."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length."""
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def raw(stream: TextIO) -> TextIO:
    """Return the stream behind, for what tafl paints itself."""
    return stream.stream if isinstance(stream, Guarded) else stream


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Guard stdout and stderr in this block; streams that were closed are those of no device."""
    before = sys.stdin, sys.stdout, sys.stderr
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115 - as long as the process
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:
            stream = open(os.devnull, "w")  # noqa: SIM115
        elif os.name == "nt" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # also files and pipes
        setattr(sys, name, stream if isinstance(stream, Guarded) else Guarded(stream))
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
