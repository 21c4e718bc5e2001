"""Records of games: one line of JSON each, which is enough to play the game again.

    {"game": "tictactoe", "number": 0, "seed": 17, "agents": ["random", "exact"],
     "start": [4], "moves": [0, 8, ...], "scores": [-1.0, 1.0], "check": "626ae79e"}

`agents` says who played the role of player 0, 1, ...; `start` are the moves before the game began,
`moves` those that the agents chose, and `seed` is where chance in the game came from. `check` tells
whether the line is as it was written: it is made from all the others. Lines from before there was
one call the agents `seats`.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, get_args, get_origin

from tafl.boards.load import load_stored
from tafl.boards.state import State
from tafl.errors import InputError
from tafl.files import checksum, named, no_link, replacing, sealed

Moves = list[int]


class Task(NamedTuple):
    """A game to be played: its number, the moves before it begins, and a seed if it needs one."""

    number: int
    moves: Moves
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played.

    >>> line = Record("nim", 0, 0, ["x", "y"], [], [12, 13, 14], [1.0, -1.0]).line()
    >>> Record.read(line).moves
    [12, 13, 14]
    >>> Record.read(line.replace("13", "12"))
    Traceback (most recent call last):
    ValueError: its checksum is a86daffc, but its line says 626ae79e
    """

    game: str
    number: int
    seed: int
    agents: list[str]
    start: Moves
    moves: Moves
    scores: list[float]

    def line(self) -> str:
        """The record as one line of JSON."""
        values = {name: getattr(self, name) for name in KINDS}
        return json.dumps(sealed(values))

    @property
    def entrants(self) -> list[str]:
        """The agents of its match in their order; each game is one rotation of them."""
        n = len(self.agents)
        return [self.agents[(i + self.number) % n] for i in range(n)]

    @classmethod
    def read(cls, line: str | bytes) -> "Record":
        """The record in a line; a ValueError says what is wrong with it."""
        try:
            values = json.loads(line)
            before = "check" not in values and "seats" in values
            if before:
                values["agents"] = values["seats"]
            record = cls(*(_typed(values[name], kind) for name, kind in KINDS.items()))
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError("this is not the record of a game") from None
        if not before:
            written = values.pop("check", None)
            if (found := checksum(values)) != written:
                raise ValueError(f"its checksum is {found}, but its line says {written}")
        return record

    def replay(self) -> Iterator[tuple[int | None, State]]:
        """Every move and the position after it; the first one is the start position.

        >>> record = Record("nim", 0, 0, ["x", "y"], [], [12, 13, 14], [1.0, -1.0])
        >>> [(move, state.cells) for move, state in record.replay()]
        [(None, [5, 5, 5]), (12, [0, 5, 5]), (13, [0, 0, 5]), (14, [0, 0, 0])]
        """
        state = load_stored(self.game, "the record").start(self.seed)
        yield None, state.copy()
        for number, action in enumerate([*self.start, *self.moves], start=1):
            try:
                state.play(action)
            except InputError as error:
                raise InputError(f"game {self.number}, move {number}: {error}") from None
            yield action, state.copy()
        if state.scores != self.scores:
            raise InputError(
                f"game {self.number} ends with scores {state.scores}, "
                f"but its record has {self.scores}"
            )


# field -> its type
KINDS: dict[str, Any] = {field.name: field.type for field in fields(Record)}


def _typed(value: Any, kind: Any) -> Any:
    """A value of JSON, if it has this type."""
    items, wanted = (value, get_args(kind)[0]) if get_origin(kind) is list else ([value], kind)
    if type(items) is not list or any(type(item) is not wanted for item in items):
        raise TypeError
    return value


class Notes:
    """The records of a match under way: each is on disk as soon as its game has ended.

    They are in `path.writing` until `finish` sorts them and moves them to `path`.
    """

    def __init__(self, path: Path):
        self.path, self._lock = path, Lock()
        self.draft = path.with_name(f"{path.name}.writing")
        self.records: list[Record] = []

    def add(self, record: Record) -> None:
        """Notes a game, from any thread."""
        with self._lock:
            # the first one replaces what an earlier match may have left
            mode = "a" if self.records else "w"
            with named(self.draft), no_link(self.draft, mode) as file:
                file.write(record.line() + "\n")
            self.records.append(record)

    def take_up(self) -> None:
        """Continues where earlier notes of the same match end, except for a line cut short."""
        if self.draft.exists():
            whole, newline, _ = self.draft.read_bytes().rpartition(b"\n")
            self.records = _records(self.draft, whole + newline)
            os.truncate(self.draft, len(whole + newline))

    def finish(self) -> None:
        """Ends the notes; writes no file if no game was played."""
        if self.records:
            write_records(self.path, sorted(self.records, key=lambda record: record.number))
            self.draft.unlink(missing_ok=True)  # until here every game is in one file or the other


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Writes records to a file, which is there only when it is complete."""
    with replacing(path) as file:
        file.writelines(record.line() + "\n" for record in records)


def read_records(path: Path) -> list[Record]:
    """The records in a file."""
    try:
        return _records(path, path.read_bytes())
    except FileNotFoundError:
        raise InputError(f"file not found: {path}") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def _records(path: Path, content: bytes) -> list[Record]:
    found: list[Record] = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            found.append(Record.read(line))
        except ValueError as error:
            raise InputError(f"{path}, line {number}: {error}") from None
    return found
