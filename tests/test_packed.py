"""Games that say how their cells lie in a word: indices by rows of bytes, wrong declarations."""

import numpy as np
import pytest

import tafl
from tafl.boards.check import check
from tafl.boards.facts import faults
from tafl.core.compile import kernel
from tafl.core.games.rules import Facts, Packed
from tafl.core.games.twenty48 import Twenty48
from tafl.core.ntuple.net import Coherence, make_net
from tafl.core.ntuple.tables import CACHE
from tafl.core.ntuple.value import index_change, index_state

GAME = Twenty48()
TUPLES = [[0, 1, 2, 3], [5, 9, 6], [15]]

# One player turns three dials of four places in one word, until each shows 3.
DIALS = '''from typing import NamedTuple

from tafl.rules import Facts, Packed, rules


@rules
class Dials(NamedTuple):
    """state = [dials, two bits each]"""

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return (state[0] >> 2 * action) & 3 < 3

    def play(self, state, action):
        state[0] += 1 << 2 * action

    def over(self, state):
        return state[0] == 0b111111

    def score(self, state, player):
        return 1.0 if state[0] == 0b111111 else 0.0

    def cell(self, state, c):
        return (state[0] >> 2 * c) & 3

    def facts(self):
        packed = Packed(bits=2, values=[0, 1, 2, 3])
        return Facts(
            players=1, actions=3, cells=3, values=4, words=1, score_range=(0, 1), packed=packed
        )
'''


@kernel
def indices(game, net, s, other, by_state, by_change):
    """Both ways to the indices of a state."""
    index_state(game, net, s, 0, by_state)
    index_change(game, net, other, s, 0, by_change, by_change)


@pytest.mark.parametrize("run", [indices, indices.python], ids=["compiled", "python"])
def test_rows_give_the_indices_of_cells(run):
    facts = GAME.facts()
    net = make_net(facts, TUPLES, coherence=Coherence("id"))
    assert net.rows.size > 0
    assert net.rows.ctypes.data % 64 == 0
    plain = net._replace(rows=net.rows[:0])
    words = np.random.default_rng(1).integers(-(2**63), 2**63, size=(50, 2))
    for s in words:
        found = np.zeros((2, 2, net.base.size), np.uint32)
        for one, way in zip((net, plain), found, strict=True):
            run(GAME, one, words[0], words[0], way[1], way[0])
            run(GAME, one, s, words[0], way[0], way[1])
        assert (found == found[0, 0]).all()


@pytest.mark.parametrize("rows", [True, False], ids=["by bytes", "by cells"])
def test_indices_are_those_of_what_networks_see(rows):
    game = tafl.game("2048(fold=8192)")
    net = make_net(game.facts, TUPLES, coherence=Coherence("id"))
    net = net if rows else net._replace(rows=net.rows[:0])
    before = game.start(seed=1).words
    by_state, by_change = np.zeros((2, net.base.size), np.uint32)
    indices(game.rules, net, before, before, by_change, by_state)
    for cells in np.random.default_rng(3).integers(0, 15, (200, 16)).tolist():
        after = game.position(cells).words
        indices(game.rules, net, after, before, by_state, by_change)
        seen = np.array([game.call("input", after, c) for c in range(16)])
        wanted = net.base + seen @ net.strides
        assert (by_state == wanted).all()
        assert (by_change == wanted).all()
        before = after


def test_rows_that_no_cache_would_hold_are_not_made():
    many = [[c] for c in range(16)] * (CACHE // (16 * 8 * 256 * 4 * 8) + 1)
    assert make_net(GAME.facts(), many).rows.size == 0


def dials(folder, old="", new=""):
    """The game of dials with a passage replaced."""
    path = folder / "dials.py"
    path.write_text(DIALS.replace(old, new) if old else DIALS)
    return path


def test_right_declaration_passes(tmp_path):
    assert check(dials(tmp_path)).faults == {}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[0, 1, 2, 3]", "[0, 1, 3, 2]", "is 2, but by packed it is 3"),
        ("bits=2, values=[0, 1, 2, 3]", "bits=1, values=[0, 1]", "by packed it is"),
        ("return (state[0] >> 2 * c)", "return (state[0] >> 2 * (2 - c))", "by packed it is"),
    ],
)
def test_wrong_declaration_is_found(old, new, said, tmp_path):
    report = check(dials(tmp_path, old, new))
    assert said in str(report.faults["packed"])


@pytest.mark.parametrize(
    ("packed", "said"),
    [
        (4, "packed must be Packed(...), not int"),
        (Packed(3, [0] * 8), "packed.bits must be 1, 2, 4 or 8, not 3"),
        (Packed(8, [0] * 256), "16 cells of 8 bits are more than a word of 64 bits holds"),
        (Packed(2, [0, 1]), "packed.values has 2 entries; 2 bits need 4"),
        (Packed(1, [0, 9]), "packed.values contains 9, not one of 0 to 2"),
    ],
)
def test_impossible_declaration_is_refused(packed, said):
    facts = Facts(players=1, actions=1, cells=16, values=3, words=1, packed=packed)
    assert list(faults(facts)) == [said]
