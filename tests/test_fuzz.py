"""A few tries of each attack; `make fuzz MINUTES=30` makes as many as there is time for."""

import pytest

from fuzz import ATTACKS, OK, attack

TRIES = {"kill -9": 2, "hostile files": 4, "flipped bits": 40, "truncations": 20}


@pytest.fixture(autouse=True)
def undecided(tmp_path, monkeypatch):
    monkeypatch.setenv("TAFL_DATA_DIR", str(tmp_path))


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_withstood(name):
    found = attack(name, TRIES.get(name, 200), seed=1)
    assert [text for text in found if text != OK] == []
