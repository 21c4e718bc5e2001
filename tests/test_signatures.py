"""Learning gives the bits that other processes stored: no change of learning goes unnoticed."""

import json
from itertools import product

import pytest

from long import long_learners
from signatures import ALGOS, PYTHON, STORE, machine, signatures
from tafl.core.games import PAPER

STORED = json.loads(STORE.read_text())


def stored(column, name):
    """The signatures of one game."""
    expected = {k: v for k, v in STORED[column].items() if k.startswith(f"{name} ")}
    # algorithms, FARL and seeds all matter; but a lone player's Q has nobody else to adapt, and
    # in Nim3P the last mover gets 0: without FARL, TD never sees a reward
    assert len(set(expected.values())) == {"2048": 8, "nim3p": 11}.get(name, 12)
    return expected


@pytest.mark.parametrize(("name", "algo"), long_learners(product(PAPER, ALGOS)))
def test_learning_gives_the_stored_bits(name, algo):
    if machine() not in STORED:
        pytest.skip(f"no signatures are stored for {machine()}")
    expected = stored(machine(), name)
    assert signatures(name, algos=[algo]) == {
        key: value for key, value in expected.items() if key.split()[1] == algo
    }


@pytest.mark.parametrize("name", PAPER)
def test_uncompiled_learning_gives_the_stored_bits_everywhere(name):
    assert signatures(name, compiled=False) == stored(PYTHON, name)
