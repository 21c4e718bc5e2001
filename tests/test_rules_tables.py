"""The rules against tables of rows, of states and of the values of moves."""

import csv
import io
import json
from functools import cache

import numpy as np
import pytest

from oracles import cells_of, legal_actions, played, position, read, read_lines, start
from tafl.core.games.hex import Hex
from tafl.core.games.nim import Nim
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.games.twenty48 import Twenty48


def test_2048_rows():
    """Every row to the left as listed, and the same mirrored, to the right."""
    table = Twenty48().table
    listed = np.array(list(csv.reader(io.StringIO(read("2048_row_left.csv.gz"))))[1:], np.int64)
    rows, left, points, legal = listed.T
    assert len(rows) == 64769
    entries = table[rows]
    assert np.array_equal(entries & 0xFFFF, left)
    assert np.array_equal(entries >> 32, points)
    assert np.array_equal(entries & 0xFFFF != rows, legal.astype(bool))
    mirrored = table[mirror(rows)]
    assert np.array_equal(mirrored >> 16 & 0xFFFF, mirror(left))
    assert np.array_equal(mirrored >> 32, points)


def mirror(row):
    return (row & 15) << 12 | (row >> 4 & 15) << 8 | (row >> 8 & 15) << 4 | row >> 12


def test_2048_rows_with_two_of_the_largest_tile():
    """The list leaves out rows where two tiles 32768 would merge; here they only slide."""
    table = Twenty48().table
    assert table[0x0FF0] == 0x00FF | 0xFF00 << 16
    assert table[0xF0F1] == 0x0FF1 | 0xFF10 << 16
    assert table[0x11FF] == 0x02FF | 0x2FF0 << 16 | 4 << 32
    assert table[0xFFFF] == 0xFFFF | 0xFFFF << 16


def test_2048_rows_keep_the_sum_of_their_tiles():
    table = Twenty48().table

    def total(rows):
        exponents = rows[:, None] >> np.array([0, 4, 8, 12]) & 15
        return np.where(exponents > 0, 1 << exponents, 0).sum(1)

    before = total(np.arange(1 << 16))
    assert np.array_equal(total(table & 0xFFFF), before)
    assert np.array_equal(total(table >> 16 & 0xFFFF), before)


def test_tictactoe_states():
    """All reachable states, who has won, and the value of every move."""
    facts, *lines = read_lines("tictactoe_states.jsonl.gz")
    rules = TicTacToe()
    values = {}

    def value(state):
        """Of the player to move."""
        board = "".join(".XO"[v] for v in cells_of(rules, state))
        if board not in values:
            moves = {
                str(a): -value(played(rules, state, a))[0] for a in legal_actions(rules, state)
            }
            best = max(moves.values(), default=rules.score(state, rules.player(state)))
            values[board] = best, moves, bool(rules.over(state))
        return values[board]

    value(start(rules))
    assert len(values) == facts["facts"]["reachable"] == 5478
    assert values == {s["board"]: (s["value"], s["moves"], s["term"]) for s in lines}
    ends = [v for v in values.items() if v[1][2]]
    won = [board.count("X") > board.count("O") for board, (v, _, _) in ends if v]
    counts = {"term_X": sum(won), "term_O": len(won) - sum(won), "term_draw": len(ends) - len(won)}
    assert len(ends) == facts["facts"]["terminal"] == 958
    assert counts == {key: facts["facts"][key] for key in counts}


def heap_moves(rules, state):
    """Legal moves as the tables order them, heap by heap: name -> state after it."""
    heaps = rules.heaps
    order = sorted(legal_actions(rules, state), key=lambda a: (a % heaps, a // heaps))
    return {f"{a % heaps}-{a // heaps + 1}": played(rules, state, a) for a in order}


@pytest.mark.parametrize("take", [5, 3])
@pytest.mark.parametrize("misere", [False, True])
def test_nim_values(take, misere):
    rules = Nim(take=take, misere=misere)
    table = json.loads(read("nim2p_3x5.json"))["tables"]
    table = table[f"max{take}_{'misere' if misere else 'normal'}"]

    @cache
    def solved(heaps):
        state = position(rules, heaps)
        moves = {
            name: -solved(tuple(after[:3].tolist()))["value"]
            for name, after in heap_moves(rules, state).items()
        }
        return {"value": max(moves.values(), default=rules.score(state, 0)), "moves": moves}

    assert len(table) == 216
    for heaps, expected in table.items():
        assert solved(tuple(map(int, heaps.split(",")))) == expected, heaps


@pytest.mark.parametrize("extra", [True, False])
def test_nim3p_values(extra):
    """Scores of (mover, next, previous), when of equally good moves the first is taken."""
    rules = Nim3P(extra=extra)
    table = json.loads(read("nim3p_3x5.json"))["tables"]["extra" if extra else "noextra"]

    @cache
    def solved(heaps):
        state = position(rules, heaps)
        moves = {}
        for name, after in heap_moves(rules, state).items():
            mover_next, previous, mover = solved(tuple(after[:3].tolist()))[0]
            moves[name] = [mover, mover_next, previous]
        if not moves:
            return [rules.score(state, p) for p in range(3)], {}
        best = max(moves.values(), key=lambda scores: scores[0])
        return best, {name: scores[0] for name, scores in moves.items()}

    assert len(table) == 216
    for heaps, expected in table.items():
        scores, own = solved(tuple(map(int, heaps.split(","))))
        assert scores == expected["gbg_first"], heaps
        assert own == expected["own_move_values"], heaps


@pytest.mark.parametrize("size", [2, 3])
def test_hex_openings(size):
    """With which first moves the first player wins, by looking at all games."""
    rules = Hex(size=size)

    @cache
    def wins(cells, player):
        state = position(rules, cells, player)
        if rules.over(state):
            return rules.score(state, player) == 1.0
        return any(loses_after(cells, player, a) for a in legal_actions(rules, state))

    def loses_after(cells, player, action):
        return not wins((*cells[:action], player + 1, *cells[action + 1 :]), 1 - player)

    openings = "".join(json.loads(read("hex_openings.json"))["openings"][str(size)])
    empty = (0,) * size**2
    assert "".join(".W"[loses_after(empty, 0, a)] for a in range(size**2)) == openings
