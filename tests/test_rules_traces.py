"""The rules against OpenSpiel's games, published numbers of move sequences, the authors' boards."""

import json

import numpy as np
import pytest

from oracles import cells_of, facts_of, legal_actions, read, read_lines, start
from tafl.core.games.connectfour import COLS, ROWS, ConnectFour
from tafl.core.games.hex import Hex
from tafl.core.games.nim import Nim
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.othello import Othello
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.games.twenty48 import Twenty48
from tafl.core.play.perft import perft

PASS = 64  # OpenSpiel's action in Othello


def test_connectfour_perft():
    rules = ConnectFour()
    expected = json.loads(read("c4_perft.json"))["perft"][1:]
    assert perft(rules, facts_of(rules), len(expected)) == expected


def test_othello_perft():
    rules = Othello()
    rows = json.loads(read("othello_perft.json"))["rows"][:10]
    assert perft(rules, facts_of(rules), 10) == [row["moves"] for row in rows]


def test_tictactoe_games_by_length():
    rules = TicTacToe()
    counts = perft(rules, facts_of(rules), 9)
    # who has not finished after d moves has 9 - d moves
    unfinished = [counts[d] // (9 - d) for d in range(1, 9)] + [0]
    finished = {str(d + 1): n - m for d, (n, m) in enumerate(zip(counts, unfinished, strict=True))}
    expected = read_lines("tictactoe_states.jsonl.gz")[0]["facts"]["games_by_length"]
    assert {d: n for d, n in finished.items() if n} == expected


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("tic_tac_toe", TicTacToe()),
        ("connect_four", ConnectFour()),
        ("hex6", Hex(size=6)),
        ("othello", Othello()),
        ("nim_3x5_normal", Nim()),
        ("nim_3x5_misere", Nim(misere=True)),
    ],
)
def test_traces(name, rules):
    for trace in read_lines(f"trace_{name}.jsonl.gz"):
        state = start(rules)
        for ply, (action, legal) in enumerate(zip(trace["actions"], trace["legal"], strict=True)):
            if action == PASS and name == "othello":
                continue
            assert legal_actions(rules, state) == legal, (trace["id"], ply)
            assert [rules.score(state, p) for p in range(2)] == [0.0, 0.0]
            rules.play(state, action)
        assert rules.over(state), trace["id"]
        assert [rules.score(state, p) for p in range(2)] == trace["returns"], trace["id"]
        if "final" in trace:
            marks = [".xo."[v] for v in cells_of(rules, state)]
            if name == "connect_four":  # OpenSpiel begins at the top
                marks = np.array(marks).reshape(ROWS, COLS)[::-1].ravel()
            assert "".join(marks) == trace["final"].replace("-", "."), trace["id"]


def test_othello_passes_in_traces():
    """Where OpenSpiel passes, the same player is to move again."""
    rules, passes = Othello(), 0
    for trace in read_lines("trace_othello.jsonl.gz"):
        state = start(rules)
        for ply, action in enumerate(trace["actions"]):
            assert rules.player(state) == ply % 2 or action == PASS
            if action == PASS:
                passes += 1
            else:
                rules.play(state, action)
    assert passes == sum(trace["n_pass"] for trace in read_lines("trace_othello.jsonl.gz")) > 0


def board_2048(rules, tiles):
    state = np.zeros(2, np.int64)
    rules.position(state, [tile.bit_length() - 1 if tile else 0 for tile in tiles], 0)
    return state


def test_2048_traces():
    rules = Twenty48()
    for trace in read_lines("trace_2048.jsonl.gz"):
        points = 0
        for (tiles, action, tiles_after, reward), legal in zip(
            trace["steps"], trace["legal"], strict=True
        ):
            state = board_2048(rules, tiles)
            assert legal_actions(rules, state) == legal
            rules.play(state, action)
            assert state[0] == board_2048(rules, tiles_after)[0]
            assert state[1] == reward
            assert rules.score(state, 0) == pytest.approx(reward / 3932156, rel=1e-15)
            points += reward
        assert points == trace["returns"][0]
        assert rules.over(board_2048(rules, trace["final"]))


AUTHORS = [
    ("TicTacToe", TicTacToe(), list(range(9))),
    (
        "ConnectFour",
        ConnectFour(),
        [COLS * row + col for col in range(COLS) for row in range(ROWS)],
    ),
    ("Hex", Hex(size=6), [6 * row + col for col in range(6) for row in range(6)]),
    ("Othello", Othello(), list(range(64))),
    ("Nim", Nim(), [0, 1, 2]),
    ("Nim3P", Nim3P(), [0, 1, 2]),
    ("2048", Twenty48(), list(range(16))),
]


@pytest.mark.parametrize(("name", "rules", "ours"), AUTHORS)
def test_symmetries_of_the_authors(name, rules, ours):
    """The same boards, in any order."""
    theirs = json.loads(read("symmetries_authors.json"))["games"][name]["perm"]
    mapped = []
    for board in theirs:
        at = {ours[cell]: ours[source] for cell, source in enumerate(board)}
        mapped.append([at[cell] for cell in range(len(ours))])
    assert sorted(mapped) == sorted(facts_of(rules).symmetries)
    assert facts_of(rules).symmetries[0] == list(range(len(ours)))


@pytest.mark.parametrize(("name", "rules", "ours"), AUTHORS)
def test_neighbours_of_the_authors(name, rules, ours):
    theirs = json.loads(read("neighbours_authors.json"))["games"][name]
    mapped = {ours[cell]: {ours[other] for other in near} for cell, near in enumerate(theirs)}
    assert {c: set(near) for c, near in enumerate(facts_of(rules).neighbours)} == mapped
