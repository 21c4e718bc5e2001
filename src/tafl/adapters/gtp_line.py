"""GTP over a pipe: reads commands and writes answers, errors, and streams of lines."""

import os
import re
from select import select
from time import monotonic
from typing import IO

from tafl.adapters.gtp import Engine, Refused

PIECE = 1 << 16  # bytes read at once
LONGEST = 1 << 16  # bytes of a line; of a longer one only these are kept


class Lines:
    """The lines of a pipe, read with a time limit."""

    def __init__(self, pipe: int):
        self._pipe, self._read, self._ended = pipe, b"", False

    def come(self, seconds: float) -> bool:
        """Tell whether a line, or the end of the input, comes within this time."""
        end = monotonic() + seconds
        while not self._ready() and (left := end - monotonic()) > 0:
            if select([self._pipe], [], [], left)[0]:
                self._take()
        return self._ready()

    def next(self) -> str | None:
        """Return the next line, or None at the end of the input."""
        while not self._ready():
            self._take()
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace") if line or not self._ended else None

    def _ready(self) -> bool:
        return b"\n" in self._read or self._ended

    def _take(self) -> None:
        piece = os.read(self._pipe, PIECE)
        self._read, self._ended = self._read[: LONGEST + 1] + piece, not piece


def serve(engine: Engine, source: int, out: IO[str]) -> None:
    """Answer the commands of a pipe until `quit` or its end."""
    lines = Lines(source)
    while not engine.over and (line := lines.next()) is not None:
        if len(line) > LONGEST:
            print(f"? a line has at most {LONGEST:,} bytes\n", file=out, flush=True)
            continue
        number, command, words = parsed(line)
        if not command:
            continue
        try:
            answer = engine.answer(command, words)
        except Refused as error:
            print(f"?{number} {error}\n", file=out, flush=True)
            continue
        if isinstance(answer, str):
            gap = " " if answer and not answer.startswith("\n") else ""
            print(f"={number}{gap}{answer}\n", file=out, flush=True)
        else:
            print(f"={number}", file=out, flush=True)
            for text in answer:
                print(text, file=out, flush=True)
                if lines.come(pace(words)):
                    break
            print(file=out, flush=True)


def parsed(line: str) -> tuple[str, str, list[str]]:
    """Return the number of a command, its name, and its arguments, without comments.

    >>> parsed("12 play black\\td3  # a good one")
    ('12', 'play', ['black', 'd3'])
    """
    text = line.partition("#")[0].replace("\t", " ")
    words = "".join(sign for sign in text if sign.isprintable()).split()
    number = words.pop(0) if words and words[0].isdecimal() else ""
    return number, words[0] if words else "", words[1:]


def pace(words: list[str]) -> float:
    """Return the seconds between two lines of an analysis, from an argument in hundredths."""
    hundredths = next((int(word) for word in words if re.fullmatch("[0-9]{1,6}", word)), 100)
    return max(hundredths, 1) / 100
