"""The examples in docstrings run."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import tafl

MODULES = ["tafl", *(module.name for module in pkgutil.walk_packages(tafl.__path__, "tafl."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
    assert list(tmp_path.iterdir()) == []


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = [
        example
        for name in MODULES
        for test in finder.find(import_module(name))
        for example in test.examples
    ]
    assert len(examples) > 30
