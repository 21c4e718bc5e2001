"""Errors of wrong input: one line that says what was wrong and what would be right."""

import os
from collections.abc import Iterable
from numbers import Integral, Real
from pathlib import Path
from traceback import extract_tb

# of arguments in Python
KINDS: dict[type, str] = {
    Integral: "a whole number",
    Real: "a number",
    str: "text",
    os.PathLike: "a path",
}


class InputError(ValueError):
    """Wrong input; the command line shows the message and exits with this code.

    >>> import tafl
    >>> tafl.game("hexx")
    Traceback (most recent call last):
    tafl.errors.InputError: there is no game 'hexx'; did you mean hex?
    """

    exit_code = 2


class IllegalAction(InputError):  # noqa: N818 - the name says what happened
    """An illegal action; the state has not changed.

    >>> import tafl
    >>> tafl.position("connectfour: h")
    Traceback (most recent call last):
    tafl.errors.IllegalAction: move 1: 'h' is not legal here; legal actions: 0 (a), 1 (b), ...
    """


class AgentError(InputError):
    """An agent failed in the middle of a game."""

    exit_code = 1


class TrainingError(InputError):
    """A training that failed with valid settings."""

    exit_code = 1


class Diverged(TrainingError):  # noqa: N818 - the name says what happened
    """Weights diverged; they will again with the same settings and seed."""


class EndlessGame(TrainingError):  # noqa: N818 - the name says what happened
    """An episode did not end."""


class LongEpisode(TrainingError):  # noqa: N818 - the name says what happened
    """An episode has more moves than a learner has room for."""


class FullStore(TrainingError):  # noqa: N818 - the name says what happened
    """A game has more information states than a learner has room for."""


class EngineError(InputError):
    """An external program failed to play."""

    exit_code = 1


class MissingEngine(EngineError):  # noqa: N818 - the name says what happened
    """An external program is not installed; the message says how to install it."""

    exit_code = 2


class MissingPackage(InputError, ImportError):  # noqa: N818 - the name says what happened
    """An optional library is not installed."""


class WorkerError(InputError):
    """A worker process failed with an error of another kind, or ended too early."""

    exit_code = 1


class Left(Exception):  # noqa: N818 - the name says what happened
    """A person has left the game."""


class TakenBack(Exception):  # noqa: N818 - the name says what happened
    """A person has undone moves instead of playing one."""


class GameError(InputError):
    """A mistake in a class of rules; the message names the method and the line.

    >>> import tafl
    >>> class Empty: pass
    >>> tafl.game(Empty)
    Traceback (most recent call last):
    tafl.errors.InputError: <class 'tafl.errors.Empty'> is not a game; mark a class of rules ...
    """


class FaultyGame(GameError):  # noqa: N818 - the name says what happened
    """Rules that contradict themselves or their facts()."""

    exit_code = 1


def check_type(name: str, value: object, *kinds: type) -> None:
    """Refuse an argument of another type; True and False are no numbers.

    >>> check_type("games", 2.5, Integral)
    Traceback (most recent call last):
    tafl.errors.InputError: games must be a whole number, not 2.5
    """
    if not isinstance(value, kinds) or isinstance(value, bool):
        wanted = [KINDS.get(kind, f"a tafl.{kind.__name__}") for kind in kinds]
        raise InputError(f"{name} must be {' or '.join(wanted)}, not {value!r:.60}")


def message(error: Exception) -> str:
    """Return the message of an error, with its type unless it is one of tafl's.

    >>> message(KeyError("a")), message(InputError("a"))
    ("KeyError: 'a'", 'a')
    """
    return str(error) if isinstance(error, InputError) else f"{type(error).__name__}: {error}"


def of_kind(name: str, text: str) -> Exception:
    """Return an error that another process reports by the name of its class and its message."""
    made: Exception = globals().get(name, WorkerError)(text)
    return made


def missing(library: str, extra: str) -> MissingPackage:
    """Return the error for a library that is not installed.

    >>> str(missing("Gymnasium", "gymnasium"))
    "Gymnasium is not installed: pip install 'tafl[gymnasium]'"
    """
    return MissingPackage(f"{library} is not installed: pip install 'tafl[{extra}]'")


def place(file: str | Path, line: int | None = None) -> str:
    """Return a file and a line in it, relative to the working directory if it is below it.

    >>> place("mygame.py", 23)
    'mygame.py:23'
    """
    path = os.path.relpath(file)
    shown = str(file) if path.startswith("..") else path
    return f"{shown}:{line}" if line else shown


def raised_at(error: BaseException, files: Iterable[Path]) -> tuple[Path | None, int | None]:
    """Return the innermost file and line of a traceback in one of the given files."""
    own = set(files)
    frames = [(Path(f.filename).resolve(), f.lineno) for f in extract_tb(error.__traceback__)]
    return next(((file, line) for file, line in reversed(frames) if file in own), (None, None))
