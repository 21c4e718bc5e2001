"""Positions that games refuse, and the special cases of each game."""

from itertools import product

import numpy as np
import pytest

from oracles import cells_of, facts_of, position
from tafl.core.games.connectfour import CELLS, COLS, ConnectFour
from tafl.core.games.hex import FIRST, LAST, Hex
from tafl.core.games.nim import Nim, heap_and_taken
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.othello import Othello
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.games.twenty48 import Twenty48


def board(text):
    """Cell values of a drawing with the marks . x o, spaces left out."""
    return [".xo".index(mark) for mark in text.replace(" ", "").replace("\n", "")]


def upside_down(*rows):
    """Cell values of ConnectFour from its lowest rows: cells begin at the bottom."""
    return board("".join(reversed(rows))) + [0] * (CELLS - COLS * len(rows))


def refused(rules, cells, player, message):
    with pytest.raises(ValueError, match=message):
        position(rules, cells, player)


# --- TicTacToe


def test_tictactoe_accepts_exactly_the_reachable_positions():
    accepted = 0
    for cells in product(range(3), repeat=9):
        for player in range(2):
            try:
                position(TicTacToe(), cells, player)
            except ValueError:
                continue
            accepted += 1
    assert accepted == 5478


def test_tictactoe_refuses():
    rules = TicTacToe()
    refused(rules, board("xx. ... ..."), 0, "2 stones of player 0 and 0 of player 1 are impossible")
    refused(rules, board("x.. ... ..."), 0, "player 1 is to move, not player 0")
    refused(rules, board("xxx oo. o.."), 0, "the game was already won before the last stone")
    refused(rules, board("xxx ooo ..."), 0, "the game was already won before the last stone")


# --- ConnectFour


def test_connectfour_refuses_floating_stones_and_wrong_turns():
    rules = ConnectFour()
    refused(rules, upside_down("...x...", "......."), 1, "on cell 10 floats: cell 3 is empty")
    refused(rules, upside_down("x......"), 0, "player 1 is to move, not player 0")
    refused(
        rules, upside_down(".oo...."), 0, "0 stones of player 0 and 2 of player 1 are impossible"
    )


@pytest.mark.parametrize(
    ("rows", "player"),
    [
        (("oooo...", "xxxx..."), 0),  # two winners
        (("ooxo...", "xxxxo.."), 1),  # the only stone of the winner on top is none of the four
        (("x.....x", "x.....x", "xoo..ox", "xooo.ox"), 1),  # two fours without a common stone
        (("o......", "ooo....", "xxxx..."), 0),  # the loser placed a stone afterwards
    ],
)
def test_connectfour_refuses_play_after_a_win(rows, player):
    refused(ConnectFour(), upside_down(*rows), player, "was already won before the last stone")


def test_connectfour_accepts_a_last_stone_that_completes_two_lines():
    rules = ConnectFour()
    cells = upside_down("xxxx...", "ooox...", "oxox...", "xooxo..")
    state = position(rules, cells, 1)
    assert rules.over(state)
    assert [rules.score(state, p) for p in range(2)] == [1.0, -1.0]


# --- Hex


def linked(rules, cells, value, edge):
    """The stones connected with an edge, found by walking from neighbour to neighbour."""
    near = facts_of(rules).neighbours
    reached, todo = set(), [c for c in edge if cells[c] == value]
    while todo:
        c = todo.pop()
        if c not in reached:
            reached.add(c)
            todo += [d for d in near[c] if cells[d] == value]
    return reached


@pytest.mark.parametrize("size", range(2, 8))
def test_hex_keeps_track_of_connected_stones(size):
    """On every board and after every move; and one player wins at last, as always in Hex."""
    rules = Hex(size=size)
    n = size * size
    edges = [
        (range(size), range(n - size, n)),
        (range(0, n, size), range(size - 1, n, size)),
    ]
    random = np.random.default_rng(size)
    for _ in range(20):
        state = np.zeros(facts_of(rules).words, np.int64)
        rules.start(state)
        for action in random.permutation(n).tolist():
            rules.play(state, action)
            cells = [int(rules.cell(state, c)) for c in range(n)]
            wins = []
            for p in range(2):
                groups = [linked(rules, cells, p + 1, edge) for edge in edges[p]]
                wins.append(bool(groups[0] & groups[1]))
                if wins[p]:  # either edge leads to the other
                    groups = [groups[0] | groups[1]] * 2
                for where, group in zip((FIRST, LAST), groups, strict=True):
                    assert state[where + p] == sum(1 << c for c in group)
            assert rules.over(state) == any(wins)
            if rules.over(state):
                assert rules.score(state, wins.index(True)) == 1.0
                break
        assert rules.over(state)


def test_hex_refuses():
    rules = Hex(size=3)
    refused(rules, board("x.. x.. xoo"), 0, "player 1 is to move, not player 0")
    refused(rules, board("x.o x.. xoo"), 0, "was already won before the last stone")
    refused(rules, board("x.. .x. ..."), 1, "2 stones of player 0 and 0 of player 1 are impossible")


# --- Othello


def test_othello_highest_bit():
    """A disc on cell 63 encloses along its row, its column and its diagonal."""
    rules = Othello()
    cells = [0] * 64
    for c in (27, 28, 35, 36, 45, 54, 61, 62, 47, 55):
        cells[c] = 2
    for c in (18, 60, 39):
        cells[c] = 1
    state = position(rules, cells, 0)
    assert rules.legal(state, 63)
    rules.play(state, 63)
    after = cells_of(rules, state)
    assert all(after[c] == 1 for c in (63, 62, 61, 60, 55, 47, 39, 54, 45, 36, 27, 18))
    assert after[28] == after[35] == 2


def test_othello_refuses():
    rules = Othello()
    refused(rules, [0] * 64, 0, "cells 27, 28, 35 and 36 can never be empty")


def test_othello_whoever_cannot_move_is_not_to_move():
    rules = Othello()
    cells = [1] * 64
    cells[0], cells[1] = 0, 2  # black plays cell 0, white has nothing to enclose with
    assert rules.legal(position(rules, cells, 0), 0)
    refused(rules, cells, 1, "player 1 has no legal move; player 0 is to move")


def test_othello_ends_when_nobody_can_move():
    """Also with empty cells left; the player is who moved last."""
    rules = Othello()
    cells = [1] * 64
    cells[0], cells[1], cells[63] = 0, 2, 0
    state = position(rules, cells, 0)
    rules.play(state, 0)
    assert rules.over(state)
    assert rules.player(state) == 0
    assert [rules.score(state, p) for p in range(2)] == [1.0, -1.0]


def test_othello_draw_is_a_draw():
    cells = [1] * 32 + [2] * 32
    state = position(Othello(), cells, 1)
    assert Othello().over(state)
    assert [Othello().score(state, p) for p in range(2)] == [0.0, 0.0]


# --- Nim


def test_nim_actions():
    for heaps in range(1, 17):
        for action in range(heaps * 255):
            before, heap = divmod(action, heaps)
            assert heap_and_taken(action, heaps) == (heap, before + 1)


def test_nim_takes_no_more_than_the_heap_holds():
    rules = Nim(heaps=2, stones=3, take=9)
    assert facts_of(rules).actions == 6
    state = position(rules, [1, 3])
    assert [a for a in range(6) if rules.legal(state, a)] == [0, 1, 3, 5]


@pytest.mark.parametrize(("last", "scores"), [(0, [0, 1, 0.2]), (1, [0.2, 0, 1]), (2, [1, 0.2, 0])])
def test_nim3p_scores(last, scores):
    rules = Nim3P()
    state = position(rules, [0, 1, 0], last)
    rules.play(state, 1)
    assert rules.over(state)
    assert [rules.score(state, p) for p in range(3)] == scores


# --- 2048


def test_2048_places_two_tiles_at_the_start_and_one_later():
    rules, tiles = Twenty48(), []
    cells = np.zeros(16)
    rng = np.array([1], np.uint64)
    games = 4000
    with np.errstate(over="ignore"):
        for _ in range(games):
            state = np.zeros(2, np.int64)
            rules.start(state)
            assert not state.any()
            for number in (2, 3):
                rules.chance(state, rng)
                exponents = np.array([rules.cell(state, c) for c in range(16)])
                assert np.count_nonzero(exponents) == number
            tiles += exponents[exponents > 0].tolist()
            cells += exponents > 0
    n = 3 * games
    assert set(tiles) == {1, 2}
    # within four standard errors
    assert abs(tiles.count(2) - 0.1 * n) < 4 * (n * 0.1 * 0.9) ** 0.5
    assert (abs(cells - n / 16) < 4 * (n / 16) ** 0.5).all()
    assert state[1] == 0


def full_board(exponents):
    state = np.zeros(2, np.int64)
    word = sum(e << 4 * c for c, e in enumerate(exponents))
    state[0] = np.uint64(word).astype(np.int64)
    return state


def test_2048_largest_tiles():
    """Two tiles 16384 make the largest one, which reads as 14 and merges no more."""
    rules = Twenty48()
    checkers = [1, 2, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 1]
    state = full_board([*checkers, 14, 14])
    assert not rules.over(state)
    assert [a for a in range(4) if rules.legal(state, a)] == [1, 3]
    rules.play(state, 1)
    assert state[1] == 32768
    assert state[0] >> 60 & 15 == 15
    assert rules.cell(state, 15) == 14
    state = full_board([*checkers, 15, 15])
    assert rules.over(state)
    assert not any(rules.legal(state, a) for a in range(4))
    state = full_board([15, 0, 15, 15] * 4)
    rules.play(state, 3)
    assert np.array_equal(state, full_board([15, 15, 15, 0] * 4))
