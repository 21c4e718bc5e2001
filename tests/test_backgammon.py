"""Backgammon and Hypergammon: their rules agree with OpenSpiel's, and with positions by hand."""

from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

import tafl
from long import long
from studies.backgammon import report
from studies.opponents import Linear, linear_value
from studies.pages import DOCS
from tafl.core.compile import kernel
from tafl.core.games.backgammon import Backgammon
from tafl.core.games.backgammon_dice import HIGH, LOW, MORE, PLAYER, cast
from tafl.core.games.backgammon_moves import PLANES
from tafl.core.games.rules import rules_like
from tafl.core.games.states import copy_state, legal_actions
from tafl.core.ntuple.net import make_net
from tafl.core.ntuple.tables import GAP
from tafl.settings.presets import compose
from tafl.tuples import fixed

ROOM = 1 << 14  # states of a turn


@kernel
def play_all(game, states, n, player, actions, after):
    """Write every state after a move of the player in the first n states; return how many."""
    m = 0
    for i in range(n):
        if game.player(states[i]) == player and not game.over(states[i]):
            for k in range(legal_actions(game, states[i], actions.size, actions)):
                copy_state(states[i], after[m])
                game.play(after[m], actions[k])
                m += 1
    return m


def ends_of_turn(game, state):
    """The states in which a turn that begins here can end."""
    found, player = [], state[PLAYER]
    states, after = (np.zeros((ROOM, state.size), np.int64) for _ in range(2))
    actions = np.zeros(game.facts.actions, np.int64)
    states[0], n = state, 1
    while n:
        n = play_all(game.rules, states, n, player, actions, after)
        different = np.unique(after[:n], axis=0)
        n = len(different)
        states[:n] = different
        ended = (different[:, HIGH] | different[:, LOW]) == 0
        found.append(different[ended])
    rows = np.concatenate(found)
    return dict(zip(map(bytes, checkers_of(rows)), rows, strict=True))


def checkers_of(rows):
    """Return the checkers on places 0 to 25 of both players, a row of bytes for each state."""
    planes = rows[:, : 2 * PLANES, None] >> np.arange(26) & 1
    weights = (1 << np.arange(PLANES))[:, None]
    players = [(planes[:, p * PLANES : (p + 1) * PLANES] * weights).sum(axis=1) for p in (0, 1)]
    return np.concatenate(players, axis=1).astype(np.uint8)


def their_checkers(seen):
    """Return the same of what OpenSpiel's player 0 sees, a row of tensors for each state."""
    one, two, three, more = seen[:, :192].reshape(-1, 2, 24, 4).transpose(3, 0, 1, 2)
    points = one + 2 * two + 3 * three + (more + 3) * (more > 0)
    bar, off, _, their_bar, their_off = (seen[:, 192 + i : 193 + i] for i in range(5))
    return np.concatenate([bar, points[:, 0], off, their_off, points[:, 1], their_bar], axis=1)


def their_ends_of_turn(there):
    """Return OpenSpiel's states at the end of a turn by checkers; a double is two turns there."""
    found, seen, begun = {}, set(), [there]
    while begun:
        state = begun.pop()
        for action in state.legal_actions():
            after = state.child(action)
            tensor = bytes(map(int, after.observation_tensor(0)))
            if after.is_terminal() or after.is_chance_node():
                found[tensor] = after
            elif tensor not in seen:
                seen.add(tensor)
                begun.append(after)
    rows = np.frombuffer(b"".join(found), np.uint8).reshape(len(found), -1)
    return dict(zip(map(bytes, their_checkers(rows)), found.values(), strict=True))


@pytest.mark.parametrize("hyper", [False, True])
@pytest.mark.parametrize("games", [10, long(3000)])
def test_turns_and_results_agree_with_openspiel(hyper, games):
    """In random games, every turn can end in the same positions; gammons and backgammons count."""
    pyspiel = pytest.importorskip("pyspiel")
    choice, game = Random(1), tafl.game(f"backgammon(hyper={str(hyper).lower()})")
    options = {"hyper_backgammon": hyper, "scoring_type": "full_scoring"}
    theirs, results = pyspiel.load_game("backgammon", options), set()
    for _ in range(games):
        words, there = game.start().words, theirs.new_initial_state()
        while not there.is_terminal():
            chosen = choice.choice([outcome for outcome, _ in there.chance_outcomes()])
            there.apply_action(chosen)
            dice = [int(die) for die in str(there).split("Dice: ")[1][:2]]
            words[PLAYER] = there.current_player()
            words[MORE] = 0
            cast(words, *dice)
            mine, ends = ends_of_turn(game, words), their_ends_of_turn(there)
            assert mine.keys() == ends.keys()
            place = choice.choice(sorted(ends))
            words, there = mine[place], ends[place]
        scores = [game.points(game.rules.score(words, p)) for p in (0, 1)]
        assert game.rules.over(words)
        if hyper:  # there OpenSpiel pays nothing
            assert scores[0] == -scores[1]
            assert (scores[0] > 0) == (place[25] == 3)
        else:
            assert scores == there.returns()
        results.add(abs(scores[0]))
    assert games < 1000 or results == {1, 2, 3}


def set_up(mine, theirs, dice):
    """Return a position with player 0 to move: place -> checkers (26: off), and dice."""
    cells = [0] * 38
    for place, n in mine.items():
        cells[place] = n
    for place, n in theirs.items():
        cells[27 if place == 26 else place] = 15 + n
    for k, die in enumerate(dice):
        cells[28 + k] = die
    far = (lambda place: 25 - place if place < 26 else 0), (lambda place: place % 26)
    for p, checkers in enumerate((mine, theirs)):
        pips = sum(n * far[p](place) for place, n in checkers.items())
        cells[32 + 3 * p : 35 + 3 * p] = [31 + int(digit) for digit in f"{pips:03}"]
    return tafl.game(Backgammon).position(cells)


def names(state):
    return [state.game.action_name(action) for action in state.legal_actions]


def test_both_dice_must_be_played_if_that_is_possible():
    """After a 6 from 12 there would be no 5: 8, 14 and 23 are blocked."""
    state = set_up({3: 1, 12: 1, 26: 13}, {8: 2, 14: 2, 23: 2, 26: 9}, [6, 5])
    assert names(state) == ["3 high", "12 low"]


def test_of_two_dice_that_exclude_each_other_the_higher_one_is_played():
    state = set_up({12: 1, 26: 14}, {23: 2, 26: 13}, [6, 5])
    assert names(state) == ["12 high"]
    state.play("12 high")
    assert state.player == 1
    shut = set_up({12: 1, 26: 14}, {18: 2, 23: 2, 26: 11}, [6, 5])
    assert names(shut) == ["12 low"]


def test_a_die_that_is_too_large_bears_off_the_farthest_checker():
    state = set_up({21: 1, 23: 2, 26: 12}, {1: 2, 26: 13}, [6, 2])
    assert names(state) == ["21 high", "21 low", "23 low"]
    behind = set_up({20: 1, 23: 2, 26: 12}, {1: 2, 26: 13}, [4, 3])
    assert names(behind) == ["20 high", "20 low"]


def test_checkers_on_the_bar_enter_first_and_nothing_can_be_done_against_a_closed_board():
    closed = dict.fromkeys(range(1, 7), 2)
    shut = set_up({0: 1, 19: 14}, {**closed, 12: 3}, [6, 6, 6, 6])
    assert names(shut) == ["pass"]
    after = shut.afterstate(shut.legal_actions[0])
    assert after.player == 1
    assert after.cells[0] == 1
    open_at_6 = dict.fromkeys(range(1, 6), 2)
    state = set_up({0: 1, 19: 14}, {**open_at_6, 12: 5}, [6, 2])
    assert names(state) == ["bar of x high"]


@pytest.mark.parametrize(
    ("theirs", "points"),
    [({5: 14, 26: 1}, 1), ({12: 15}, 2), ({5: 14, 19: 1}, 3), ({5: 14, 25: 1}, 3)],
)
def test_gammons_count_two_and_backgammons_three(theirs, points):
    state = set_up({24: 1, 26: 14}, theirs, [6, 5])
    state.play("24 high")
    assert state.over
    assert state.scores == [points, -points]


def test_the_higher_die_of_the_first_roll_begins():
    game = tafl.game(Backgammon)
    for seed in range(50):
        state = game.start(seed)
        assert state.cells[28] > state.cells[29] > 0
    words = game.start().words
    words[:] = 0
    game.rules.start(words)
    probabilities = [game.rules.outcome(words.copy(), i) for i in range(30)]
    assert sum(probabilities) == pytest.approx(1)
    assert {game.start(seed).player for seed in range(50)} == {0, 1}


@pytest.mark.parametrize("name", ["backgammon", "backgammon(hyper=true)"])
def test_the_rules_are_what_they_promise(name):
    """Outcomes agree with chance, changed() names all cells, and position() sets up all states."""
    assert not tafl.check(name, games=2).faults


def test_networks_see_fewer_values_than_people():
    """An n-tuple of two points has a weight for each pair of inputs, not of numbers of checkers."""
    game = tafl.game(Backgammon)
    assert game.facts.values == 41
    assert make_net(game.facts, [[12, 13]]).size == 7**2 + GAP


def test_a_check_finds_inputs_that_are_too_large():
    """Three checkers are one value too many for networks with three values."""

    @rules_like(Backgammon)
    class Few(NamedTuple):
        hyper: bool = False

        def facts(self):
            return replace(Backgammon().facts(), input_values=3)

    found = tafl.check(Few, games=1).faults["input"]
    assert "not one of 0 to 2" in found.text


def test_the_opponent_by_hand_counts_pips_points_and_its_own_blots():
    """It is ahead by the pips of a move; a blot costs 2, and so does a point that is given up."""
    state = set_up({1: 2, 12: 5, 17: 3, 19: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, [3, 1])
    assert linear_value(state.words, 0) == linear_value(state.words, 1) == 0
    values = {state.game.action_name(a): value for a, value in Linear().values(state).items()}
    assert values["17 high"] == 3 - 2  # a blot on 20
    assert values["12 high"] == 3 - 2  # a blot on 15
    assert values["1 low"] == 1 - 2 * 2 - 2  # blots on 1 and 2, and no point 1
    assert values["19 low"] == 1 - 2  # a blot on 20


def test_the_page_says_what_was_measured(tmp_path):
    (path,) = report.write(tmp_path)
    page = DOCS / "games" / "backgammon.md"
    assert page.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_the_preset_is_what_training_takes():
    settings = compose(tafl.game("backgammon"))
    assert settings.network.tuples == "backgammon-sixes"
    assert settings.td.epsilon == settings.td.epsilon_final == 0
    die, trays = {28, 29}, set(range(32, 36))
    for cells in fixed("backgammon-sixes"):
        assert not die & set(cells) or len(cells) <= 5, "the die is in small n-tuples only"
        assert not trays & set(cells) or len(cells) <= 4
