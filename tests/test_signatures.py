"""Learning gives the bits that other processes stored: no change of learning goes unnoticed."""

import json

import pytest

from signatures import STORE, machine, signatures
from tafl.core.games import GAMES

STORED = json.loads(STORE.read_text())


@pytest.mark.parametrize("name", GAMES)
def test_learning_gives_the_stored_bits(name):
    if machine() not in STORED:
        pytest.skip(f"no signatures are stored for {machine()}")
    expected = {k: v for k, v in STORED[machine()].items() if k.startswith(f"{name} ")}
    # algorithms, FARL and seeds all matter; only a lone player's Q has nobody else to adapt
    assert len(set(expected.values())) == (8 if name == "2048" else 12)
    assert signatures(name) == expected
