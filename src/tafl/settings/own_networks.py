"""Approximators of a user's own file: `mynet.py`, or `mynet.py(units=8)`.

The file has a class marked with @approximator. Its function `make(facts, rng, units=8)` returns a
network for a game; what follows rng are parameters. Settings name the file with its whole path, and
code that reads stored settings first loads it with `load_network`, which runs only trusted code.
"""

import inspect
import logging
from pathlib import Path
from typing import Any

import numpy as np

from tafl.boards import trust
from tafl.boards.load import same_rules
from tafl.boards.source import load_module
from tafl.boards.spec import parse, suggestion, typed, unparse
from tafl.core.compile.methods import APPROXIMATOR_METHODS
from tafl.core.games.rules import Facts
from tafl.errors import GameError, InputError, message, place, raised_at
from tafl.settings.values import names_own_file

log = logging.getLogger("tafl")

_LOADED: dict[str, Any] = {}  # classes by kind


def load_network(kind: str, named_by: str | None = None, copy: Path | None = None) -> None:
    """Make the class of a network's file known; only trusted code is run.

    A file that a stored run names (`named_by`) is not trusted just for that; `copy` is the run's
    own copy, used if the file has changed or is missing. Kinds that are no files need nothing.
    """
    if not names_own_file(kind):
        return
    path = Path(parse(kind)[0]).expanduser()
    if copy is not None and copy.is_file():
        if path.is_file() and not same_rules(path, copy):
            log.warning("tafl: the network of %s has changed since this run", kind)
        path = copy
    if named_by is None:
        if not path.is_file():
            raise InputError(f"network.kind: there is no file {place(path)}")
        trust.remember(trust.file_digest(path))
    else:
        trust.check_file(path, named_by, "the network")
    _LOADED[kind] = only_network(path)


def only_network(path: Path) -> Any:
    """Return the only class marked @approximator that a file defines."""
    module = load_module(path)
    own = [v for v in vars(module).values() if getattr(v, "__module__", None) == module.__name__]
    classes = {v.__name__: v for v in own if getattr(v, "is_approximator", False)}
    if len(classes) != 1:
        found = f"defines {' and '.join(classes)}" if classes else "has no class"
        raise GameError(f"{place(path)} {found} marked @approximator; a file has one of them")
    (kind,) = classes.values()
    for name, arguments in APPROXIMATOR_METHODS.items():
        taken = list(inspect.signature(getattr(kind, name)).parameters)
        if len(taken) != 1 + len(arguments):
            where = place(path, getattr(kind, name).__code__.co_firstlineno)
            wanted, got = ", ".join(("self", *arguments)), ", ".join(taken)
            raise GameError(f"{where}: it must be {name}({wanted}), not {name}({got})")
    if not callable(getattr(kind, "make", None)):
        raise GameError(f"{place(path)}: {kind.__name__} needs a static method make(facts, rng)")
    return kind


def has_approximator(file: str) -> bool:
    """Return whether a file has a class marked @approximator, and none marked @rules."""
    if not names_own_file(file) or not Path(parse(file)[0]).expanduser().is_file():
        return False
    classes = vars(load_module(Path(parse(file)[0]).expanduser())).values()
    marks = [name for name in ("is_rules", "is_approximator") for c in classes if hasattr(c, name)]
    return {*marks} == {"is_approximator"}


def own_network(kind: str) -> Any:
    """Return the class of a network's file."""
    if kind not in _LOADED:
        load_network(kind, "a stored file")
    return _LOADED[kind]


def full_name(kind: str) -> str:
    """Return a kind of network as settings have it: with the file's whole path."""
    if not names_own_file(kind):
        return kind
    name, given = parse(kind)
    return unparse(str(Path(name).expanduser().resolve()), given)


def make_own_network(kind: str, facts: Facts, seed: int) -> Any:
    """Return the network of a user's file for a game."""
    made_by = own_network(kind)
    path = Path(inspect.getfile(made_by))
    given = _parameters(kind, made_by)
    try:
        net = made_by.make(facts, np.random.default_rng(seed), **given)
    except Exception as error:
        file, line = raised_at(error, [path.resolve()])
        raise GameError(f"{place(file or path, line)}, in make(): {message(error)}") from error
    weights = getattr(net, "weights", None)
    if not isinstance(net, made_by):
        problem = f"it returns a {type(net).__name__}, not a {made_by.__name__}"
    elif not isinstance(weights, np.ndarray) or weights.dtype != np.float32:
        problem = "weights must be an array of float32"
    elif not weights.flags.c_contiguous or weights.size == 0:
        problem = "weights must be a new array with at least one number"
    else:
        return net
    raise GameError(f"{place(path)}, in make(): {problem}")


def _parameters(kind: str, made_by: Any) -> dict[str, Any]:
    """Return the parameters of `make` that a kind names, in the types of their defaults."""
    name, given = parse(kind)
    known = dict(list(inspect.signature(made_by.make).parameters.items())[2:])
    found = {}
    for key, text in given.items():
        if key not in known:
            hint = suggestion(key, known, f"it has: {', '.join(known) or 'none'}")
            raise InputError(f"{place(name)} has no parameter {key!r}; {hint}")
        found[key] = typed(f"{place(name)}: {key}", text, type(known[key].default))
    return found
