"""What ships is built from pinned versions: actions, packages of workflows, and the build."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
LOCK = (ROOT / "requirements-dev.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def locked(name: str) -> str:
    """The version in the lock file."""
    found = re.search(rf"^{name}==([^\s;]+)", LOCK, re.MULTILINE)
    assert found, name
    return found[1]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.stem)
def test_workflows_use_exact_versions(file):
    text = file.read_text()
    for action in re.findall(r"uses: *(\S+)", text):
        assert re.fullmatch(r"[\w/-]+@(v\d+\.\d+\.\d+|[0-9a-f]{40})", action), action
    for line in re.findall(r"pip install (.*)", text):
        pinned = "--require-hashes" in line or "--no-deps" in line
        assert pinned or all("==" in word for word in line.split() if word[0] != "-"), line
    assert "npm install" not in text


def test_the_build_is_that_of_the_lock():
    assert PROJECT["build-system"]["requires"] == [f"hatchling=={locked('hatchling')}"]


def test_make_installs_nothing_without_a_version():
    makefile = (ROOT / "Makefile").read_text()
    assert "npm install" not in makefile
    for line in re.findall(r"\$\(PIP\) install (.*)", makefile):
        assert "==" in line or "--no-deps" in line, line  # then of a lock, or tafl itself
    assert all("==" in tool for tool in re.findall(r"bin/pip install --quiet (\S+)", makefile))
