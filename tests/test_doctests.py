"""The examples in docstrings run."""

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

import studies
import tafl
from tafl.errors import MissingPackage

MODULES = [
    module.name
    for package in (tafl, studies)
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    if module.name != "studies.__main__"
]
MODULES.append("tafl")


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        result = doctest.testmod(
            import_module(name), optionflags=doctest.ELLIPSIS, raise_on_error=True
        )
    except MissingPackage as error:
        pytest.skip(str(error))
    except doctest.UnexpectedException as error:
        if isinstance(error.exc_info[1], MissingPackage):
            pytest.skip(str(error.exc_info[1]))
        raise
    assert result.failed == 0
    assert list(tmp_path.iterdir()) == []


def test_the_python_interface_is_listed_and_has_examples():
    """docs/reference/python.md names all that tafl exports, each with an example."""
    page = (Path(__file__).parent.parent / "docs" / "reference" / "python.md").read_text()
    listed = {name.split(".")[0] for name in re.findall(r"`tafl\.([A-Za-z_.]+)", page)}
    assert listed == set(tafl.__all__) == set(dir(tafl))
    for name in listed - {"__version__"}:
        assert ">>>" in (getattr(tafl, name).__doc__ or ""), name


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    examples = [
        example
        for name in MODULES
        if not name.startswith("tafl.adapters.")  # they may want for a library
        for test in finder.find(import_module(name))
        for example in test.examples
    ]
    assert len(examples) > 30
