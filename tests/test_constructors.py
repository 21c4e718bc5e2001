"""Long constructors are called by keyword: no reader counts to the seventh field."""

import ast
from pathlib import Path

import tafl

SOURCES = sorted(Path(tafl.__file__).parent.rglob("*.py"))
MOST_FIELDS = 6  # without a name


def is_record(node):
    """Is it a class whose constructor takes its fields: a NamedTuple or a dataclass?"""
    marks = [ast.unparse(mark) for mark in (*node.bases, *node.decorator_list)]
    return any("NamedTuple" in mark or "dataclass" in mark for mark in marks)


def test_no_constructor_has_more_than_six_positional_fields():
    nodes = [(file, n) for file in SOURCES for n in ast.walk(ast.parse(file.read_text("utf-8")))]
    records = {n.name for _, n in nodes if isinstance(n, ast.ClassDef) and is_record(n)}
    assert {"Work", "Net", "TD", "Record"} <= records
    long = [
        f"{file}:{n.lineno}"
        for file, n in nodes
        if isinstance(n, ast.Call) and getattr(n.func, "id", "") in records
        if len(n.args) > MOST_FIELDS
    ]
    assert long == []
