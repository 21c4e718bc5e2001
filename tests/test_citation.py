"""CITATION.cff says what has to be cited, and agrees with pyproject.toml."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("key", ["version", "license"])
def test_it_agrees_with_the_project(key):
    assert re.findall(rf"^{key}: (.*)$", CITATION, re.MULTILINE) == [PROJECT[key]]


def test_it_has_what_the_format_requires():
    yaml = pytest.importorskip("yaml")  # comes with ray, which not every Python has
    citation = yaml.safe_load(CITATION)
    assert citation["cff-version"] == "1.2.0"
    assert citation["type"] == "software"
    assert citation["title"] == PROJECT["name"]
    assert citation["version"] == PROJECT["version"]  # text: 0.10 would be read as a number
    assert citation["keywords"] == PROJECT["keywords"]
    assert citation["message"]
    assert citation["authors"] == [{"name": "The tafl authors"}]
    [paper] = citation["references"]
    assert paper["type"] == "report"
    assert [author["family-names"] for author in paper["authors"]] == ["Konen", "Bagheri"]
    assert paper["identifiers"] == [{"type": "other", "value": "arXiv:2111.14375"}]


def test_the_date_of_a_release_is_that_of_the_changelog():
    """Before the release there is none; an archive that gives DOIs reads it from here."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    [said] = re.findall(rf"^## {re.escape(PROJECT['version'])} \((.*)\)$", changelog, re.MULTILINE)
    dates = re.findall(r"^date-released: (.*)$", CITATION, re.MULTILINE)
    assert dates == ([] if said == "unreleased" else [said])
