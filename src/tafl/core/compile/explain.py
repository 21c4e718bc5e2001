"""From a page of Numba's typing errors to one sentence with the method and the line of a game.

When a kernel does not compile for a game, each method is compiled by itself to find the culprit;
the line is the innermost one of the game's own sources that the error mentions.
"""

import inspect
import re
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tafl.core.compile.cache import source_files
from tafl.core.compile.kernel import compiler
from tafl.core.compile.methods import METHODS, written
from tafl.errors import GameError, place

NOTHING_NEW = "rules cannot create lists, sets, dicts or arrays; keep numbers in the state"
TEXT = "rules compute with numbers, not strings"
TABLES = "rules can only read numbers, tuples and NumPy arrays"

RETURNED = {"legal": "a bool", "over": "a bool", "score": "a number", "outcome": "a number"}

# Patterns of errors, and explanations for authors of games, tried in this order: those of the call
# (`>>> add(int64, unicode_type)`), if an error is about one, then those of the message.
IN_CALL = {
    r"^(str|repr|format)\(": TEXT,
    r"^\w+\((.*unicode_type|.*Literal\[str\])": "{call} mixes numbers and strings; " + TEXT,
    r"^[gs]etitem\(array\([^)]*\), float": "an index must be a whole number: divide with //",
    r"^[gs]etitem\(": "{call}: this cannot be indexed like that",
}
IN_MESSAGE = {
    r"^\w*Error: (.*)": "{0}",
    r"global name '(\w+)'.*<class 'function'>": "{0}() must be marked @inline",
    r"global name '(\w+)'.*<class '(\w+)'>": "{0} is a {1}; " + TABLES,
    r"reflected (list|set).* assigned to variable '(\w+)'": "{1} is a {0}; " + TABLES,
    r"Cannot bind .* signature '(.*)' due to \"TypeError: (.*)\"": "the function takes {0}: {1}",
    r"No definition for lowering .*\.(\w+) = ": "self.{0} cannot be set; what changes is the state",
    r"NRT required|_allocate|Only accept returning of array|typed/dictobject": NOTHING_NEW,
    r"Can't unify return type.* types: (.*)": "it returns values of different types: {0}",
    r"Cannot unify (.*) and (.*) for '(\w+)": "{2} is {0} and {1}; it must have one type",
    r"Int value is too large": "the number does not fit into 64 bits",
    r"unsupported opcode \(IMPORT_NAME\)": "put imports at the top of the file",
    r"No implementation of function": "{call} cannot be compiled",
}

PAINT = re.compile(r"\x1b\[[\d;]*m")  # Numba paints its messages where colorama is installed

TYPES = [
    (r"Literal\[int\]\((-?\w+)\)", r"\1"),
    (r"Literal\[str\]\(([^)]*)\)", r"'\1'"),
    (r"unicode_type", "text"),
    (r"u?int\d+", "integer"),
    (r"float\d+", "float"),
    (r"array\([^)]*\)", "array"),
    (r"\bnone\b", "None"),
    (r"OptionalType\((\w+)\)", r"\1 or None"),
]


def examine(game: Any) -> None:
    """Raise a GameError if a method of a game does not compile or returns what it must not."""
    for name in METHODS:
        method = getattr(type(game), name)
        try:
            returned, usable = compiler().compile_alone(game, name)
        except Exception as cause:
            raise GameError(describe(type(game), method, cause)) from cause
        if not usable:
            wanted = RETURNED.get(name, "a whole number")
            problem = f"it must always return {wanted}, not {in_words(returned)}"
            raise GameError(f"{_place(method)}, in {written(name)}(): {problem}")


def examine_approximator(kind: type, error: Exception) -> None:
    """Raise a GameError with the line of a user's approximator that does not compile."""
    if type(error).__module__.startswith("numba"):
        method: Any = getattr(kind, "activation")
        raise GameError(describe(kind, method, error)) from error


def describe(game_class: Any, method: FunctionType, error: Exception) -> str:
    """Return one line: file, line and method, and what is wrong there."""
    message, known = PAINT.sub("", str(error)), getattr(error, "loc", None)
    files = {file.name: file for file in source_files(Path(inspect.getfile(method)))}
    file_name = rf'(?:\bat |from |File ")(?:[^"\n]*/)?(?P<name>{"|".join(map(re.escape, files))})'
    pattern = rf'^(?P<indent> *).*?{file_name}(?:", line | \()(?P<line>\d+)'
    mention = re.search(pattern, message, re.MULTILINE)  # the innermost line comes first
    if mention is None:
        where, call = f"{_place(method, known.line if known else None)}, in", ""
    else:
        file, line = files[mention["name"]], int(mention["line"])
        inside = str(file) == inspect.getfile(method) and line in _lines(method.__code__)
        where = f"{place(file, line)}, {'in' if inside else 'called by'}"
        calls = re.finditer(r"^( *)>>> (.*)$", message[: mention.start()], re.MULTILINE)
        call = ["", *[c[2] for c in calls if len(c[1]) <= len(mention["indent"]) + 1]][-1]
    return f"{where} {method.__name__}(): {_sentence(game_class, message, call, error)}"


def _lines(code: CodeType) -> range:
    """Return the line numbers of a function, from its bytecode: there may be no source."""
    return range(code.co_firstlineno, 1 + max(line for *_, line in code.co_lines() if line))


def _place(method: FunctionType, line: int | None = None) -> str:
    return place(inspect.getfile(method), line or method.__code__.co_firstlineno)


def _sentence(game_class: Any, message: str, call: str, error: Exception) -> str:
    """Return what is wrong, in plain words."""
    attribute = re.search(rf"Unknown attribute '(\w+)' of type {game_class.__name__}\(", message)
    if attribute and hasattr(game_class, attribute[1]):
        name = attribute[1]
        return f"rules cannot call self.{name}(); make it a function of the file, marked @inline"
    if attribute:
        known = ", ".join(name for name in game_class._fields if name != "nothing") or "none"
        return f"the game has no parameter {attribute[1]}; its parameters are: {known}"
    for pattern, words in IN_CALL.items():
        if re.search(pattern, call):
            return words.format(call=in_words(call))
    for pattern, words in IN_MESSAGE.items():
        found = re.search(pattern, message, re.MULTILINE)
        if found:
            return words.format(*map(in_words, found.groups("")), call=in_words(call))
    said = [line for line in message.splitlines() if line and "nopython mode pipeline" not in line]
    kind = "" if type(error).__module__.startswith("numba") else f"{type(error).__name__}: "
    return kind + in_words(re.sub(r"\.* Raised from .*", "", said[0] if said else message))


def in_words(text: str) -> str:
    """Replace Numba's names of types by Python's."""
    for pattern, word in TYPES:
        text = re.sub(pattern, word, text)
    return text
