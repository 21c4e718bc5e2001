"""Records of games: one line of JSON each, from which the game can be replayed.

    {"game": "tictactoe", "number": 0, "seed": 17, "agents": ["random", "exact"],
     "start": [4], "moves": [0, 8, ...], "scores": [-1.0, 1.0], "check": "626ae79e"}

`agents` are player 0, 1, ...; `start` are the moves before the game began, `moves` those of the
agents, `seed` that of the game's chance, and `check` a checksum. If the game began from a position
that was set up, `words` are those of its state. Older lines have no `check` and call the agents
`seats`.
"""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, get_args, get_origin

from tafl.boards.load import load_stored
from tafl.boards.state import State
from tafl.errors import InputError
from tafl.files import (
    checksum,
    named,
    no_link,
    parse_json,
    read_regular,
    replacing,
    sealed,
)

LONGEST = 2**31  # bytes of a file
HEXADECIMAL = re.compile("[0-9a-fA-F]{1,16}")
MOST_VALUES = 1_100_000  # of a record: no game has more than a million moves

Moves = list[int]


class Task(NamedTuple):
    """A game to play: its number, the moves before it begins, and a seed if it needs one."""

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
    words: list[str] = field(default_factory=list)  # hexadecimal, of a position that was set up

    def line(self) -> str:
        """Return the record as a line of JSON."""
        values = {name: getattr(self, name) for name in KINDS}
        return json.dumps(sealed(values | ({"words": self.words} if self.words else {})))

    @property
    def entrants(self) -> list[str]:
        """Return the agents in the order of the match; each game is one rotation of them."""
        n = len(self.agents)
        return [self.agents[(i + self.number) % n] for i in range(n)]

    @classmethod
    def read(cls, line: str | bytes) -> "Record":
        """Return the record in a line; raise a ValueError if it is damaged."""
        try:
            values = parse_json(line, MOST_VALUES)
            before = "check" not in values and "seats" in values
            if before:
                values["agents"] = values["seats"]
            typed = {name: _typed(values[name], kind) for name, kind in KINDS.items()}
            record = cls(**typed, words=_typed(values.get("words", []), list[str]))
        except (ValueError, KeyError, TypeError):
            raise ValueError("this is not the record of a game") from None
        if not before:
            written = values.pop("check", None)
            if (found := checksum(values)) != written:
                raise ValueError(f"its checksum is {found}, but its line says {written}")
        return record

    def replay(self) -> Iterator[tuple[int | None, State]]:
        """Yield every move and the position after it; the first is the start position.

        >>> record = Record("nim", 0, 0, ["x", "y"], [], [12, 13, 14], [1.0, -1.0])
        >>> [(move, state.cells) for move, state in record.replay()]
        [(None, [5, 5, 5]), (12, [0, 5, 5]), (13, [0, 0, 5]), (14, [0, 0, 0])]
        """
        state = self._first()
        yield None, state.copy()
        for number, action in enumerate([*self.start, *self.moves], start=1):
            try:
                state.play(action)
            except InputError as error:
                raise InputError(f"game {self.number}, move {number}: {error}") from None
            yield action, state.copy()
        if state.scores != self.scores:
            found = f"game {self.number} ends with scores {state.scores}"
            raise InputError(f"{found}, but its record has {self.scores}")

    def _first(self) -> State:
        """Return the position before the first move."""
        game = load_stored(self.game, "the record")
        if not self.words:
            return game.start(self.seed)
        if any(not HEXADECIMAL.fullmatch(word) for word in self.words):
            raise InputError(f"game {self.number}: its words are not hexadecimal numbers")
        return game.from_words([int(word, 16) for word in self.words], self.seed)


Played = Callable[[Record], None]  # is called after each game
# field -> its type
KINDS: dict[str, Any] = {entry.name: entry.type for entry in fields(Record)[:-1]}


def _typed(value: Any, kind: Any) -> Any:
    """Return a value of JSON if it has this type."""
    items, wanted = (value, get_args(kind)[0]) if get_origin(kind) is list else ([value], kind)
    if type(items) is not list or any(type(item) is not wanted for item in items):
        raise TypeError
    return value


class Notes:
    """Records of a running match, each written to `path.writing` when its game ends.

    `finish` sorts them and moves them to `path`.
    """

    def __init__(self, path: Path):
        self.path, self._lock = path, Lock()
        self.draft = path.with_name(f"{path.name}.writing")
        self.records: list[Record] = []

    def add(self, record: Record) -> None:
        """Write a record, from any thread."""
        with self._lock:
            mode = "a" if self.records else "w"  # the first replaces those of an earlier match
            with named(self.draft), no_link(self.draft, mode) as file:
                file.write(record.line() + "\n")
            self.records.append(record)

    def take_up(self) -> None:
        """Continue earlier notes of the same match, without a line cut short."""
        if self.draft.exists():
            whole, newline, _ = read_regular(self.draft, most=LONGEST).rpartition(b"\n")
            self.records = _records(self.draft, whole + newline)
            os.truncate(self.draft, len(whole + newline))

    def finish(self) -> None:
        """Write the file, unless no game was played."""
        if self.records:
            write_records(self.path, sorted(self.records, key=lambda record: record.number))
            self.draft.unlink(missing_ok=True)  # until here every game is in one file or the other


def write_records(path: Path, records: Iterable[Record]) -> None:
    """Write records to a file, which appears only when it is complete."""
    with replacing(path) as file:
        file.writelines(record.line() + "\n" for record in records)


def read_records(path: Path) -> list[Record]:
    """Return the records in a file."""
    try:
        return _records(path, read_regular(path, follow=True, most=LONGEST))
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
