"""A few tries of each attack; `make fuzz MINUTES=30` makes as many as there is time for."""

import pytest

from attacks import OK
from fuzz import ATTACKS, attack

# one in this number of the tries of half an hour, and in a long test
SHARE, LONG_SHARE = 500, 50


@pytest.fixture(scope="module", autouse=True)
def undecided(tmp_path_factory):
    """No decision of the user about trust counts, and none is made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAFL_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield


def few(name):
    """Return the number of tries in a short test."""
    return max(1, ATTACKS[name].tries // SHARE)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_withstood(name):
    assert failures(name, range(few(name))) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_more_attacks_are_withstood(name):
    assert failures(name, range(few(name), ATTACKS[name].tries // LONG_SHARE)) == []


def failures(name, numbers):
    """Return what was found by the tries of these numbers that were not withstood."""
    found = [attack(name, number, seed=1) for number in numbers]
    return [text for text in found if text != OK]
