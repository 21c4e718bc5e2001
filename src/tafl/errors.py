"""What tafl says to wrong input: one line, what was wrong and what would be right."""

import os
from collections.abc import Iterable
from pathlib import Path
from traceback import extract_tb


class InputError(ValueError):
    """The input was wrong; the command line shows the message and ends with this exit code.

    >>> import tafl
    >>> tafl.game("hexx")
    Traceback (most recent call last):
    tafl.errors.InputError: there is no game 'hexx'; did you mean hex?
    """

    exit_code = 2


class IllegalAction(InputError):  # noqa: N818 - the name says what happened
    """The action is not legal here; the state stays as it was.

    >>> import tafl
    >>> tafl.position("connectfour: h")
    Traceback (most recent call last):
    tafl.errors.IllegalAction: move 1: 'h' is not legal here; legal actions: 0 (a), 1 (b), ...
    """


class AgentError(InputError):
    """An agent failed in the middle of a game."""

    exit_code = 1


class TrainingError(InputError):
    """A training came to nothing, though its settings were allowed."""

    exit_code = 1


class Diverged(TrainingError):  # noqa: N818 - the name says what happened
    """Weights grew beyond all bounds; the same settings and seed will do so again."""


class EndlessGame(TrainingError):  # noqa: N818 - the name says what happened
    """An episode did not end."""


class EngineError(InputError):
    """An external program failed to play."""

    exit_code = 1


class MissingEngine(EngineError):  # noqa: N818 - the name says what happened
    """It is not there; the message says how to get it."""

    exit_code = 2


class MissingPackage(InputError, ImportError):  # noqa: N818 - the name says what happened
    """A library that only some need is not installed."""


class WorkerError(InputError):
    """A worker process failed with an error that is none of these, or ended before its time."""

    exit_code = 1


class Left(Exception):  # noqa: N818 - the name says what happened
    """A person has left the game."""


class TakenBack(Exception):  # noqa: N818 - the name says what happened
    """A person has taken moves back instead of playing one."""


class GameError(InputError):
    """A class of rules has a mistake; the message names its method and line.

    >>> import tafl
    >>> class Empty: pass
    >>> tafl.game(Empty)
    Traceback (most recent call last):
    tafl.errors.InputError: <class 'tafl.errors.Empty'> is not a game; mark a class of rules ...
    """


class FaultyGame(GameError):  # noqa: N818 - the name says what happened
    """The rules of a game contradict themselves, or what facts() says."""

    exit_code = 1


def message(error: Exception) -> str:
    """Return what an error says: one of tafl's in its own words, any other with its type.

    >>> message(KeyError("a")), message(InputError("a"))
    ("KeyError: 'a'", 'a')
    """
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"


def of_kind(name: str, text: str) -> Exception:
    """Return an error that another process reports by the name of its class and its message."""
    made: Exception = globals().get(name, WorkerError)(text)
    return made


def missing(library: str, extra: str) -> MissingPackage:
    """What to say where a library is not installed.

    >>> str(missing("Gymnasium", "gymnasium"))
    "Gymnasium is not installed: pip install 'tafl[gymnasium]'"
    """
    return MissingPackage(f"{library} is not installed: pip install 'tafl[{extra}]'")


def place(file: str | Path, line: int | None = None) -> str:
    """A file and a line in it, relative to the working directory if it is below it.

    >>> place("mygame.py", 23)
    'mygame.py:23'
    """
    path = os.path.relpath(file)
    shown = str(file) if path.startswith("..") else path
    return f"{shown}:{line}" if line else shown


def raised_at(error: BaseException, files: Iterable[Path]) -> tuple[Path | None, int | None]:
    """The innermost line, in one of the given files, that an exception passed through."""
    own = set(files)
    frames = [(Path(f.filename).resolve(), f.lineno) for f in extract_tb(error.__traceback__)]
    return next(((file, line) for file, line in reversed(frames) if file in own), (None, None))
