"""Stored games of a match, which are not played again.

A file may be cut short, damaged, or of another match: missing games are played, others refused.
"""

from dataclasses import replace

from tafl.arena.contest import Contest
from tafl.arena.records import Notes, Record, read_records
from tafl.arena.starts import Tasks
from tafl.errors import InputError

ABOUT = ("game", "agents", "start", "seed")


def take_up(notes: Notes, contest: Contest, tasks: Tasks) -> list[Record]:
    """Return the games of a match in its file and in unfinished notes."""
    finished = read_records(notes.path) if notes.path.exists() else []
    notes.take_up()
    found: dict[int, Record] = {}
    for path, records in ((notes.path, finished), (notes.draft, notes.records)):
        for line, record in enumerate(records, start=1):
            _check(f"{path}, line {line}", record, contest, tasks)
            if found.setdefault(record.number, record) != record:
                raise InputError(f"{path}, line {line}: there is another game {record.number}")
    notes.records = list(found.values())
    return list(found.values())


def _check(where: str, record: Record, contest: Contest, tasks: Tasks) -> None:
    """Refuse a game of another match."""
    task = tasks.numbered(record.number)
    if task is None:
        raise InputError(f"{where}: this match has no game {record.number}")
    planned = contest.planned(task)
    if replace(record, moves=[], scores=[]) == planned:
        return
    name = next(name for name in ABOUT if getattr(record, name) != getattr(planned, name))
    said, right = getattr(record, name), getattr(planned, name)
    raise InputError(f"{where}: {name} is {said}, but this match has {right}")
