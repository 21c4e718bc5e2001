"""A few tries of each attack; `make fuzz MINUTES=30` makes as many as there is time for."""

import pytest

from attacks import OK
from fuzz import ATTACKS, attack

# one in so many of those that half an hour is for
SHARE = 50


@pytest.fixture(scope="module", autouse=True)
def undecided(tmp_path_factory):
    """No decision of the user about trust counts, and none is made."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAFL_DATA_DIR", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_withstood(name):
    found = [attack(name, number, seed=1) for number in range(ATTACKS[name].tries // SHARE)]
    assert [text for text in found if text != OK] == []
