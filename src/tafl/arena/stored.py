"""Games that were stored and are not played again: only what is found to belong to a match.

A file may have been cut, damaged, or copied from elsewhere. What is missing is played; what does
not belong is refused, with its line, and left as it is.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tafl.arena.contest import Contest
from tafl.arena.records import Notes, Record, read_records
from tafl.arena.starts import Tasks
from tafl.errors import InputError

ABOUT = ("game", "agents", "start", "seed")


def take_up(notes: Notes, contest: Contest, tasks: Tasks) -> list[Record]:
    """The games of a match that are in its file, and in notes that were not finished."""
    finished = read_records(notes.path) if notes.path.exists() else []
    notes.take_up()
    found: dict[int, Record] = {}
    for where, record in [*_lines(notes.path, finished), *_lines(notes.draft, notes.records)]:
        _check(where, record, contest, tasks)
        if found.setdefault(record.number, record) != record:
            raise InputError(f"{where}: there is another game {record.number}")
    notes.records = list(found.values())
    return list(found.values())


def _lines(path: Path, records: list[Record]) -> Iterator[tuple[str, Record]]:
    return ((f"{path}, line {number}", record) for number, record in enumerate(records, start=1))


def _check(where: str, record: Record, contest: Contest, tasks: Tasks) -> None:
    """Refuses a game that is none of the match."""
    task = tasks.numbered(record.number)
    if task is None:
        raise InputError(f"{where}: this match has no game {record.number}")
    planned = contest.planned(task)
    if replace(record, moves=[], scores=[]) == planned:
        return
    name = next(name for name in ABOUT if getattr(record, name) != getattr(planned, name))
    said, right = getattr(record, name), getattr(planned, name)
    raise InputError(f"{where}: {name} is {said}, but this match has {right}")
