"""Measurements of speed: how they are stored, and the pages that are written from them."""

import json

import pytest

from benchmarks import speed, store
from studies.pages import DOCS
from tafl.errors import InputError


def test_what_is_stored_is_read_as_it_was(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "RESULTS", tmp_path / "results")
    assert store.stored("one", []) == []
    store.store("one", [{"rate": 1.5, "pair": (1, 2)}])
    assert store.stored("one", []) == [{"rate": 1.5, "pair": [1, 2]}]


@pytest.mark.parametrize("file", sorted(store.RESULTS.glob("*.json")), ids=lambda file: file.stem)
def test_a_stored_file_is_whole(file, tmp_path, monkeypatch):
    measured = store.stored(file.stem)
    monkeypatch.setattr(store, "RESULTS", tmp_path)
    damaged = json.loads(file.read_text()) | {"measured": [measured]}
    (tmp_path / file.name).write_text(json.dumps(damaged))
    with pytest.raises(InputError, match="is damaged"):
        store.stored(file.stem)


def test_the_page_of_speed_is_written_from_what_is_stored(tmp_path):
    (page,) = speed.write(tmp_path)
    assert page.read_text() == (DOCS / "science" / "speed.md").read_text()
