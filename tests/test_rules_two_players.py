"""Further games for two players: OpenSpiel's rules, solved values, known counts."""

import re
from functools import cache
from random import Random

import numpy as np
import pytest

import tafl
from oracles import legal_actions, played, start
from tafl.core.games.breakthrough import Breakthrough
from tafl.core.games.dotsandboxes import DotsAndBoxes
from tafl.core.games.gomoku import Gomoku
from tafl.core.games.kalah import Kalah


def solved(rules):
    """The result of the start for the first player when both play as well as possible."""

    @cache
    def value(words):
        state = np.array(words, np.int64)
        if rules.over(state):
            return rules.score(state, 0)
        afters = [tuple(played(rules, state, a).tolist()) for a in legal_actions(rules, state)]
        return (min if rules.player(state) else max)(map(value, afters))

    return tafl.game(type(rules), **rules._asdict()).points(value(tuple(start(rules).tolist())))


def count(rules, state, depth):
    """Sequences of moves of a length."""
    if depth == 0:
        return 1
    return sum(
        count(rules, played(rules, state, a), depth - 1) for a in legal_actions(rules, state)
    )


def same_games(spec, theirs, ours_of, games):
    """Random games there have the same legal moves, players and winners here."""
    pyspiel = pytest.importorskip("pyspiel")
    game, there_game, choice = tafl.game(spec), pyspiel.load_game(theirs), Random(1)
    rules = game.rules
    for _ in range(games):
        words, there = game.start().words, there_game.new_initial_state()
        while not there.is_terminal():
            legal = {ours_of(a, there): a for a in there.legal_actions()}
            assert legal_actions(rules, words) == sorted(legal)
            assert rules.player(words) == there.current_player()
            action = choice.choice(sorted(legal))
            rules.play(words, action)
            there.apply_action(legal[action])
        assert rules.over(words)
        assert np.sign([rules.score(words, p) for p in (0, 1)]).tolist() == there.returns()


@pytest.mark.parametrize(("size", "games"), [(8, 60), (6, 200)])
def test_breakthrough_agrees_with_openspiel(size, games):
    """There an action is a cell, one of six directions, and whether it captures."""
    spiel = f"breakthrough(rows={size},columns={size})"
    same_games(
        f"breakthrough(size={size})", spiel, lambda a, _: a // 12 * 3 + a // 2 % 6 % 3, games
    )


def test_kalah_agrees_with_openspiel():
    same_games("kalah", "mancala", lambda action, _: action, 300)


def test_gomoku_on_more_than_64_cells_agrees_with_openspiel():
    same_games("gomoku", "mnk(m=9,n=9,k=5)", lambda action, _: action, 15)


def test_the_moves_of_breakthrough_are_as_many_as_known():
    """Counts of moves from the start, published with programs that play it."""
    rules = Breakthrough()
    assert [count(rules, start(rules), depth) for depth in (1, 2, 3)] == [22, 484, 11132]


# Irving, Donkers and Uiterwijk, Solving Kalah (2000): the first player wins, draws or loses.
KALAH = {1: "DLWLWD", 2: "WLLLW", 3: "DW"}


@pytest.mark.parametrize(("pits", "results"), KALAH.items())
def test_small_kalah_is_solved_as_published(pits, results):
    values = [solved(Kalah(pits, seeds)) for seeds in range(1, len(results) + 1)]
    assert "".join("DWL"[int(np.sign(value))] for value in values) == results


def test_a_line_of_gomoku_may_cross_the_words():
    """Cells 60 to 64 of a board with rows of 12 are in two words of the state."""
    state = tafl.game("gomoku(size=12,line=5)").start()
    for own, other in zip(range(60, 65), range(0, 10, 2), strict=True):
        assert not state.over
        state.play(own)
        if not state.over:
            state.play(other)
    assert state.over
    assert state.scores == [1, -1]


def test_a_line_does_not_run_round_the_edge():
    state = tafl.position("gomoku(size=5,line=3): e1 a3 a2 c3 b2 e5")
    assert not state.over
    assert Gomoku(5, 3).over(state.afterstate(state.game.rules.size * 1 + 2).words)


@pytest.mark.parametrize(("boxes", "lead"), [(1, -1), (2, 2)])
def test_small_dots_and_boxes_are_solved_as_known(boxes, lead):
    """One box is for the second player; of four, the first player gets three."""
    assert solved(DotsAndBoxes(boxes, boxes)) == lead


def test_the_moves_of_einstein_agree_with_openspiel():
    """Their positions and dice are set up here; the orders of stones need not be the same there."""
    pyspiel = pytest.importorskip("pyspiel")
    game, choice = tafl.game("einstein"), Random(1)
    for _ in range(40):
        there = pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state()
        die = 0
        while not there.is_terminal():
            if there.is_chance_node():
                outcome = choice.choice(there.chance_outcomes())[0]
                there.apply_action(outcome)
                die = outcome + 1
                continue
            names = {there.action_to_string(a): a for a in there.legal_actions()}
            ours = {einstein_action(name): a for name, a in names.items()}
            cells = board_of(str(there))
            player = int(next(iter(names))[0] == "W")
            state = game.position([*cells, die], player)
            assert state.legal_actions == sorted(ours)
            action = choice.choice(sorted(ours))
            there.apply_action(ours[action])
            after = state.afterstate(action)
            assert after.cells[:25] == board_of(str(there))
            assert after.over == there.is_terminal()
        assert after.scores[player] == 1
        assert sorted(there.returns()) == [-1, 1]


def einstein_action(name):
    """The number here of an action there, such as B3-down*."""
    stone, way = name.rstrip("*").split("-")
    return 3 * (int(stone[1]) - 1) + {"right": 0, "left": 0, "down": 1, "up": 1, "diag": 2}[way]


def board_of(text):
    """The cells of a board of EinStein würfelt nicht as OpenSpiel draws it."""
    stones = re.findall(r"\|(..)\|", text)
    return [0 if s == "__" else int(s[1]) + (6 if s[0] == "w" else 0) for s in stones]
