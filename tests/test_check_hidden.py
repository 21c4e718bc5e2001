"""`tafl check` finds games whose agents could see what is hidden from them."""

from inspect import getsource
from typing import NamedTuple

import pytest

import tafl
from tafl.boards import Game
from tafl.boards.check import check, quick_check
from tafl.boards.redeals import Survey
from tafl.core.games import kuhn
from tafl.errors import FaultyGame
from tafl.rules import Facts, below, rules

SOURCE = getsource(kuhn)

FAULTY = {
    "a cell that shows a bit of another card": (
        ("return 0 if hidden else", "return state[c + CARDS] % 2 if hidden else"),
        "player 0 notices redeal() for player 0: it sees ",
    ),
    "a view that is wider for the last player": (
        ("c != player and", "c > player and"),
        "player 1 notices redeal() for player 1: it sees ",
    ),
    "a player to move who depends on a card": (
        (
            "return state[COUNT] % self.players",
            "return (state[COUNT] + (state[COUNT] == 1 and state[CARDS + 1] == 2)) % self.players",
        ),
        "is to move instead of player ",
    ),
    "a legal action that depends on another card": (
        (
            "        return True\n\n    def play",
            "        other = (state[COUNT] + 1) % self.players\n"
            "        return action == 0 or state[CARDS + other] > 1\n\n    def play",
        ),
        "whether its action 1 is legal depends on what is hidden",
    ),
    "an end that depends on a card": (
        (
            "        return state[COUNT] == (",
            "        if state[COUNT] == 1 and state[CARDS] == 1:\n            return True\n"
            "        return state[COUNT] == (",
        ),
        "the end of the game depends on what is hidden",
    ),
    "a score that shows a card": (
        (
            "        if not self.over(state):\n            return 0.0",
            "        if not self.over(state):\n"
            "            return 1.0 - 2.0 * ((player + (state[CARDS + 1] > 2)) % 2)",
        ),
        "its score is ",
    ),
    "a redeal that does nothing": (
        ("if not self.over(state):\n            for p", "if False:\n            for p"),
        "redeal() for player 0 never ",
    ),
    "a redeal that leaves out a deal": (
        ("self.players, below(rng, left))", "self.players, 0)"),
        "redeal() for player 0 never makes a position that player 0 cannot tell from this one",
    ),
    "a redeal that deals a card twice": (
        (
            "                if p != player:\n                    left",
            "                if p != player:\n"
            "                    state[CARDS + p] = 1 + below(rng, self.players + 1)\n"
            "                if False:\n                    left",
        ),
        "redeal() is not as likely as the deal to make",
    ),
    "a redeal that prefers some cards": (
        (
            "self.players, below(rng, left))",
            "self.players, max(below(rng, left), below(rng, left)))",
        ),
        "redeal() is not as likely as the deal to make",
    ),
    "a redeal with randomness of its own": (
        (
            "self.players, below(rng, left))",
            "self.players, ASKED.append(0) or len(ASKED) % left)",
        ),
        "redeal() gives different results for the same state and rng",
    ),
    "a drawing that shows all cards": (
        ("state, p) if player < 0 else", "state, p) if player < 9 else"),
        "draw() shows player 0 what is hidden from it",
    ),
    "a view that is no value of a cell": (
        ("return 0 if hidden else", "return 9 if hidden else"),
        "sees(0, 1) is 9, not one of 0 to 3",
    ),
    "a view that writes": (
        ("        hidden = c <", "        state[0] += 0\n        hidden = c <"),
        "in sees(): it must not write to the state",
    ),
    "a view that is another one compiled": (
        ("return 0 if hidden else", "return int(isinstance(state[0], int)) if hidden else"),
        "sees[0, 1] is 0 in plain Python but 1 compiled",
    ),
}  # fmt: skip


def plant(folder, *changes):
    """Write Kuhn poker with passages replaced."""
    source = SOURCE.replace('RANKS = "TJQKA"', 'RANKS = "TJQKA"\nASKED = []')
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    path = folder / "cards.py"
    path.write_text(source, encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [2, 3, 4])
def test_kuhn_poker_is_correct(players, tmp_path):
    report = check(f"{plant(tmp_path)}(players={players})")
    assert report.faults == {}
    assert report.notes == []


@pytest.mark.parametrize("kind", FAULTY)
def test_fault_is_found(kind, tmp_path):
    change, said = FAULTY[kind]
    faults = [str(fault) for fault in check(plant(tmp_path, change)).faults.values()]
    assert [fault for fault in faults if said in fault], faults
    assert not [fault for fault in faults if "\n" in fault]


LEAKS = ["a view that is wider for the last player", "a redeal that does nothing"]


@pytest.mark.parametrize("kind", LEAKS)
def test_a_game_that_leaks_is_not_trained(kind, tmp_path):
    change, said = FAULTY[kind]
    game = tafl.game(plant(tmp_path, change))
    with pytest.raises(FaultyGame) as refused:
        tafl.train(game, episodes=1, out=tmp_path / "run")
    assert said.rpartition(" for")[0] in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_a_game_that_does_not_leak_may_be_trained(tmp_path):
    quick_check(tafl.game(plant(tmp_path)))


def test_a_view_that_forgets_is_a_note(tmp_path):
    """Nobody sees the first round of moves in the second one."""
    change = (
        "return 0 if hidden else self.cell(state, c)",
        "forgotten = self.players <= c < 2 * self.players and state[COUNT] >= self.players\n"
        "        return 0 if hidden or forgotten else self.cell(state, c)",
    )
    report = check(f"{plant(tmp_path, change)}(players=3)")
    assert report.faults == {}
    assert report.notes == [
        "what player 0 sees does not tell all that it saw and did before: "
        "an agent cannot remember it; show it in cells if it matters"
    ]


class Deal(NamedTuple):
    """Two hands of many cards: no view is seen twice; only the first card is played."""

    lazy: int = 0

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[0]

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1

    def chance(self, state, rng):
        if state[1] == 0:
            for i in range(1, 61):
                state[i] = 1 + below(rng, 4)

    def over(self, state):
        return state[0] == 2

    def score(self, state, player):
        return 0.0 if state[0] < 2 or state[1] == state[31] else (-1.0, 1.0)[player]

    def cell(self, state, c):
        return state[1 + c]

    def sees(self, state, player, c):
        return self.cell(state, c) if c // 30 == player or self.over(state) else 0

    def redeal(self, state, player, rng):
        if not self.over(state) and self.lazy == 0:
            for i in range(1, 61):
                if (i - 1) // 30 != player:
                    state[i] = 1 + below(rng, 4)

    def facts(self):
        return Facts(players=2, actions=1, cells=60, values=5, words=61, zero_sum=False)


def test_hands_that_never_come_again_are_no_false_alarm():
    assert check(Game(rules(Deal)(), "deal"), games=5).faults == {}


def test_a_redeal_of_large_hands_that_does_nothing_is_found():
    (fault,) = check(Game(rules(Deal)(lazy=1), "deal"), games=5).faults.values()
    assert fault.text == "redeal() for player 0 never changes anything, but cells are hidden"


def test_moves_that_a_player_cannot_notice_are_not_missed():
    """In Phantom TicTacToe a player does not know how many tries of the other found its marks."""
    survey = Survey(tafl.game("phantom"), calls=20_000)
    survey.play(seed=0)
    assert list(survey.forgetful()) == []
