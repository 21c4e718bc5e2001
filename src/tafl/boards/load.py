"""Loading of games from a text such as `hex(size=6)`, a file, or a class of rules."""

import ast
import inspect
import logging
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from tafl.boards import trust
from tafl.boards.game import Game
from tafl.boards.source import load_file
from tafl.boards.spec import parse, suggestion, typed, unparse
from tafl.boards.state import State
from tafl.core.compile.cache import parsed, source_files
from tafl.core.compile.methods import METHODS, written
from tafl.core.games import GAMES
from tafl.core.games.rules import parameters
from tafl.errors import GameError, IllegalAction, InputError, check_type, place

TYPES = (int, float, bool)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)

# Other libraries whose games tafl plays: the function that makes the rules of one.
LIBRARIES = {
    "openspiel": "tafl.adapters.openspiel_rules:named",
    "pettingzoo": "tafl.adapters.pettingzoo_rules:named",
}

log = logging.getLogger("tafl")


def load_game(spec: str | Path | type | Game, /, **changes: Any) -> Game:
    """Return the game of that name, in that file, or with those rules.

    >>> load_game("hex(size=4)") == load_game("hex", size=4)
    True
    """
    if isinstance(spec, Game):
        return load_game(spec.rules, **changes) if changes else spec
    given: dict[str, Any] = {}
    game_class: Any = spec
    kind = type(game_class)
    if getattr(kind, "is_rules", False):
        return load_game(kind, **{**parameters(spec), **changes})
    if isinstance(game_class, str | os.PathLike):
        name, given = parse(os.fspath(game_class))
        if is_foreign(name):
            return _foreign(name, {**given, **changes})
        game_class = _find_class(name)
    elif not isinstance(game_class, type):
        wanted = "a name, a file, a class of rules or a tafl.Game"
        theirs = f"; write 'openspiel:{str(spec).removesuffix('()')}'"
        hint = theirs if kind.__module__ == "pyspiel" else ""
        raise InputError(f"a game must be {wanted}, not a {kind.__module__}.{kind.__name__}{hint}")
    if twice := [key for key in given if key in changes]:
        raise InputError(f"{spec}: {twice[0]} is given twice")
    return _make(game_class, {**given, **changes})


def games() -> dict[str, Game]:
    """Return the built-in games by name, with default parameters.

    >>> games()["nim"]
    tafl.game('nim(heaps=3,stones=5,take=5,misere=false)')
    """
    return {name: load_game(name) for name in GAMES}


def position(text: str, seed: int = 0) -> State:
    """Return the position of a `State.text`: a game and its moves (names or numbers), or words.

    >>> position("connectfour: d d c") == position("connectfour: 3 3 2")
    True
    >>> print(position("2048 @ 2100000000000001 4"))
        2     .     .     .
        .     .     .     .
        .     .     .     .
        .     .     2     4
    """
    check_type("a position", text, str)
    spec, at, words = text.partition(" @ ")
    if at:
        try:
            numbers = [int(word, 16) for word in words.split()]
            return load_game(spec).from_words(numbers, seed)
        except InputError:
            raise
        except (ValueError, OverflowError):
            raise InputError(f"{text}: the words after @ must be hexadecimal") from None
    spec, _, moves = f"{text} ".partition(": ")
    return after_moves(load_game(spec), moves, seed)


def after_moves(game: Game, moves: str, seed: int = 0) -> State:
    """Return the position after moves, by name or number; commas between them are ignored."""
    state = game.start(seed)
    words = moves.replace(",", " ").split()
    while words:
        # the longest name that the words begin with: "3 from heap 1" is not the action 3
        names = [name.casefold().split() for name in state.legal_moves.values()]
        fitting = [name for name in names if [w.casefold() for w in words[: len(name)]] == name]
        length = max(map(len, fitting), default=1)
        try:
            state.play(" ".join(words[:length]))
        except IllegalAction as error:
            raise IllegalAction(f"move {len(state.history) + 1}: {error}") from None
        words = words[length:]
    return state


def _find_class(name: str) -> Any:
    if name in GAMES:
        return _import_class(GAMES[name])
    if "\0" in name:
        raise InputError("the name of a game cannot contain a NUL character")
    if is_file_name(name):
        path = Path(name).expanduser()
        found = load_file(path)
        trust.for_now(trust.file_digest(path))  # the user has named it
        return found
    if ":" in name:
        return _import_class(name)
    hint = suggestion(name.lower(), GAMES, "tafl games lists them")
    if os.path.isfile(f"{name}.py"):
        hint = f"did you mean {name}.py?"
    raise InputError(f"there is no game {name!r}; {hint}")


def is_file_name(name: str) -> bool:
    """Return whether a text names a file."""
    return (name.endswith(".py") or os.sep in name) and not is_foreign(name)


def is_foreign(name: str) -> bool:
    """Return whether a text names a game of another library, such as `openspiel:breakthrough`.

    >>> is_foreign("openspiel:breakthrough"), is_foreign("breakthrough")
    (True, False)
    """
    library, colon, _ = name.partition(":")
    return bool(colon) and library in LIBRARIES


def _foreign(name: str, given: dict[str, Any]) -> Game:
    """Return a game of another library."""
    library, _, theirs = name.partition(":")
    module, _, function = LIBRARIES[library].partition(":")
    rules = getattr(import_module(module), function)(theirs, given)
    return Game(rules, rules.source().library.name)


def load_stored(spec: str, named_by: str, copy: Path | None = None) -> Game:
    """Return a game that a stored file names; only trusted code is run.

    `copy` is the game's file as it was; it is used if the file has changed or is missing.
    """
    name, given = parse(spec)
    if is_file_name(name):
        path = Path(name).expanduser()
        digest = trust.file_digest(path) if path.is_file() else None
        if copy is not None and copy.is_file() and digest != trust.file_digest(copy):
            if digest is not None and not same_rules(path, copy):
                log.warning("tafl: the rules of %s have changed since this run", spec)
            path = copy
        trust.check_file(path, named_by)
        return load_game(unparse(str(path), given))
    built_in = name in GAMES or is_foreign(name)  # code of tafl or of an installed library
    if not built_in and ":" in name and name.partition(":")[0] not in sys.modules:
        trust.check_module(name, named_by)
    return load_game(spec)


def same_rules(one: Path, other: Path) -> bool:
    """Return whether two files differ only in comments, docstrings and layout."""
    try:
        return _meaning(one) == _meaning(other)
    except (OSError, SyntaxError, ValueError):
        return False


def _meaning(file: Path) -> list[str]:
    found = []
    for source in source_files(file):
        tree = parsed(source)
        for node in ast.walk(tree):
            if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False):
                node.body[0] = ast.Pass()
        found.append(f"{source.name} {ast.dump(tree)}")
    return sorted(found)


def _import_class(path: str) -> Any:
    module, _, name = path.partition(":")
    if not module or not name:
        raise InputError(f"{path!r} is not a game; a class of rules is written module:Class")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InputError(f"cannot load the game {path}: {error}") from None


def _make(game_class: Any, given: dict[str, Any]) -> Game:
    if not getattr(game_class, "is_rules", False):
        raise InputError(f"{game_class!r} is not a game; mark a class of rules with @rules")
    path = f"{game_class.__module__}:{game_class.__qualname__}"
    module: Any = sys.modules.get(game_class.__module__)
    if hasattr(module, "__source_digest__"):
        path = str(module.__file__)
    name = next((name for name, known in GAMES.items() if known == path), path)
    _check_methods(game_class)
    rules = game_class(**_parameters(name, game_class, given))
    return Game(rules, unparse(name, parameters(rules)))


def _check_methods(game_class: Any) -> None:
    """Refuse compiled methods with other arguments than kernels pass."""
    for name, arguments in METHODS.items():
        method = getattr(game_class, name)
        taken = list(inspect.signature(method).parameters)
        if len(taken) != 1 + len(arguments):
            where = place(inspect.getfile(method), method.__code__.co_firstlineno)
            wanted, name = ", ".join(("self", *arguments)), written(name)
            raise GameError(f"{where}: it must be {name}({wanted}), not {name}({', '.join(taken)})")


def _parameters(name: str, game_class: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of a game, in the types of its fields."""
    hints = get_type_hints(game_class)
    fields = [f for f in game_class._fields if hints.get(f, np.ndarray) is not np.ndarray]
    if strange := [f for f in fields if hints[f] not in TYPES]:
        raise GameError(f"{name}: the parameter {strange[0]} must be an int, a float or a bool")
    for key in given:
        if key not in fields:
            known = ", ".join(f"{f} ({hints[f].__name__})" for f in fields) or "none"
            hint = suggestion(key, fields, f"it has: {known}")
            raise InputError(f"{name} has no parameter {key!r}; {hint}")
    values = {**game_class._field_defaults, **given}
    for field in fields:
        if field not in values:
            raise InputError(f"{name} needs a value for {field}, for example {name}({field}=...)")
        values[field] = typed(f"{name}: {field}", values[field], hints[field])
    return values
