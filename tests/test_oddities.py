"""Notes of `tafl check` about what is allowed, but hardly ever meant; teams."""

from typing import NamedTuple

import numpy as np
import pytest

import tafl
from planted import plant
from tafl.arena import match
from tafl.boards import Game
from tafl.boards.check import check
from tafl.rules import Facts, rules


@rules
class HiddenChoice(NamedTuple):
    """Rock, paper, scissors with a first choice that no cell shows: state = [moves, first, second].

    With shown = 1 the second player sees it, which is another game.
    """

    shown: int = 0

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[0] % 2

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[1 + state[0]] = 1 + action
        state[0] += 1

    def over(self, state):
        return state[0] == 2

    def score(self, state, player):
        if state[0] < 2 or state[1] == state[2]:
            return 0.0
        winner = 0 if (state[1] - state[2]) % 3 == 1 else 1
        return 1.0 if winner == player else -1.0

    def cell(self, state, c):
        if c == 0:
            return state[0]
        return state[c] if self.shown or state[0] == 2 else 0

    def facts(self):
        return Facts(players=2, actions=3, cells=3, values=4, words=3)


def notes(rules):
    """Return the notes about a game without faults."""
    report = check(Game(rules, "game"), games=30)
    assert report.faults == {}
    return report.notes


def test_a_hidden_choice_is_noticed():
    (note,) = notes(HiddenChoice())
    assert "two positions with equal cells differ: action 0 is worth " in note
    assert "sees() and redeal()" in note
    assert notes(HiddenChoice(shown=1)) == []


@rules
class MoveAgain(NamedTuple):
    """Action 1 lets a player move again: state = [points of both players, moves, player]."""

    shown: int = 0

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[3]

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[state[3]] += 1
        state[2] += 1
        state[3] = state[3] if action else 1 - state[3]

    def over(self, state):
        return state[2] == 5

    def score(self, state, player):
        if state[2] < 5:
            return 0.0
        return 1.0 if state[player] > state[1 - player] else -1.0

    def cell(self, state, c):
        return state[c] if c < 2 or self.shown else 0

    def facts(self):
        return Facts(players=2, actions=2, cells=4, values=6, words=4)


def test_a_missing_turn_is_noticed():
    (note,) = notes(MoveAgain())
    assert " is to move in positions with equal cells: the agent cannot see whose turn" in note
    assert notes(MoveAgain(shown=1)) == []


@rules
class Partners(NamedTuple):
    """Each of four players adds 0 or 1; the larger sum wins: state = [moves, sum 0, sum 1]."""

    teams: int = 1

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[0] % 4

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[1 + state[0] % 2] += action
        state[0] += 1

    def over(self, state):
        return state[0] == 4

    def score(self, state, player):
        if state[0] < 4 or state[1] == state[2]:
            return 0.0
        return 1.0 if (state[1] > state[2]) == (player % 2 == 0) else -1.0

    def cell(self, state, c):
        return state[c]

    def facts(self):
        teams = {0: [], 1: [0, 1, 0, 1], 2: [0, 0, 1, 1], 3: [0, 1]}[self.teams]
        return Facts(players=4, actions=2, cells=3, values=5, words=3, teams=teams, zero_sum=True)


def test_teams_are_suggested():
    (note,) = notes(Partners(teams=0))
    assert note.endswith("if they are teams, write teams=[0, 1, 0, 1] in facts()")
    assert notes(Partners()) == []


def test_wrong_teams_are_a_fault():
    (fault,) = check(Game(Partners(teams=2), "game"), games=5).faults.values()
    assert fault.text.startswith("players 0 and 1 are a team, but their scores are ")
    with pytest.raises(tafl.GameError, match="teams has 2 entries, but there are 4 players"):
        Game(Partners(teams=3), "game")


@pytest.mark.parametrize(("teams", "share"), [(1, 1.0), (0, 0.5)])
def test_a_team_wins_together(teams, share):
    """Whoever adds 1 is on the winning side, unless all do: ties are half a win for each team."""
    result = match(Game(Partners(teams), "partners"), ["random"] * 4, games=40, seed=1)
    by_player = np.array([record.scores for record in result.records])
    decided = by_player.max(axis=1) > 0
    assert 0 < decided.sum() < 40
    assert set(result.wins[decided].ravel()) == {0.0, share}
    assert set(result.wins[~decided].ravel()) == {share / 2}
    assert np.all(result.wins.sum(axis=1) == pytest.approx(2 * share))


def test_scores_that_never_differ_are_noticed(tmp_path):
    change = ("return 1.0 if state[1] == player + 1 else -1.0", "return 1.0 - 2.0 * player")
    assert check(plant(tmp_path, change), games=20).notes == [
        "the scores at the end of all 20 games were 1 -1: is score() right?"
    ]


@rules
class Walk(NamedTuple):
    """300 steps to the left or to the right: state = [steps, to the right]."""

    progress: int = 0

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return 0

    def legal(self, state, action):
        return True

    def play(self, state, action):
        state[0] += 1
        state[1] += action

    def over(self, state):
        return state[0] == 300

    def score(self, state, player):
        return state[1] / 300 if self.progress or state[0] == 300 else 0.0

    def cell(self, state, c):
        return state[c]

    def facts(self):
        return Facts(players=1, actions=2, cells=2, values=301, words=2)


def test_a_progress_score_is_suggested():
    assert notes(Walk()) == [
        "random games last about 300 moves, and scores change only at the end: "
        "agents learn sooner if score() also counts progress"
    ]
    assert notes(Walk(progress=1)) == []
