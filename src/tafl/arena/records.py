"""Records of games: one line of JSON each, which is enough to play the game again.

    {"game": "tictactoe", "number": 0, "seed": 17, "agents": ["random", "exact"],
     "start": [4], "moves": [0, 8, ...], "scores": [-1.0, 1.0]}

`agents` says who played the role of player 0, 1, ...; `start` are the moves before the game began,
`moves` those that the agents chose, and `seed` is where chance in the game came from.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from tafl.boards.load import load_stored
from tafl.boards.state import State
from tafl.errors import InputError
from tafl.files import draft, no_link, replacing

Moves = list[int]


class Task(NamedTuple):
    """A game to be played: its number, the moves before it begins, and a seed if it needs one."""

    number: int
    moves: Moves
    seed: int | None = None


@dataclass(frozen=True)
class Record:
    """A game that was played."""

    game: str
    number: int
    seed: int
    agents: list[str]
    start: Moves
    moves: Moves
    scores: list[float]

    def line(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(asdict(self))

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


class Notes:
    """The records of a match under way: each is on disk as soon as its game has ended.

    They are in `path.writing` until `finish` sorts them and moves them to `path`.
    """

    def __init__(self, path: Path):
        self.path, self._draft, self._lock = path, draft(path), Lock()
        self.records: list[Record] = []

    def add(self, record: Record) -> None:
        """Notes a game, from any thread."""
        with self._lock:
            # the first one replaces what an earlier match may have left
            with no_link(self._draft, "a" if self.records else "w") as file:
                file.write(record.line() + "\n")
            self.records.append(record)

    def take_up(self) -> None:
        """Continues where earlier notes of the same match end, except for a line cut short."""
        if self._draft.exists():
            lines = self._draft.read_bytes().rpartition(b"\n")
            os.truncate(self._draft, sum(map(len, lines[:2])))
            self.records = read_records(self._draft)

    def finish(self) -> None:
        """Ends the notes; writes no file if no game was played."""
        if self.records:
            self._draft.rename(self.path)  # so that they stay if putting them in order fails
            write_records(self.path, sorted(self.records, key=lambda record: record.number))


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Writes records to a file, which is there only when it is complete."""
    with replacing(path) as file:
        file.writelines(record.line() + "\n" for record in records)


def read_records(path: Path) -> list[Record]:
    """The records in a file."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise InputError(f"file not found: {path}") from None
    except (IsADirectoryError, UnicodeDecodeError):
        raise InputError(f"{path} is not a file written by --record") from None
    return [_record(path, number, line) for number, line in enumerate(lines, start=1)]


def _record(path: Path, number: int, line: str) -> Record:
    try:
        values = json.loads(line)
        values.setdefault("agents", values.get("seats"))  # as it was called before
        return Record(**{field.name: values[field.name] for field in fields(Record)})
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}, line {number}: not the record of a game") from None
