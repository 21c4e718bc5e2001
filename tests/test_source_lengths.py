"""Files and functions are short enough to be read at once; docstrings do not count."""

import ast
from pathlib import Path

import tafl

PACKAGE = Path(tafl.__file__).parent
FILE, FUNCTION, OF_CORE = 300, 40, 60  # lines


def lines(function):
    """Return the number of lines of a function without its docstring."""
    doc = function.body[0] if ast.get_docstring(function) else None
    told = doc.end_lineno - doc.lineno + 1 if doc else 0
    return function.end_lineno - function.lineno + 1 - told


def test_files_and_functions_are_short():
    long = []
    for file in sorted(PACKAGE.rglob("*.py")):
        text, name = file.read_text("utf-8"), file.relative_to(PACKAGE)
        most = OF_CORE if name.parts[0] == "core" else FUNCTION
        if text.count("\n") > FILE:
            long.append(str(name))
        functions = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef))
        long += [f"{name}:{n.lineno}: {n.name}" for n in functions if lines(n) > most]
    assert long == []
