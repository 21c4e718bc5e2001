"""Max-N, alpha-beta and exact search against tables of solved games."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from oracles import read, read_lines
from tafl.core.search.maxn import make_stack, maxn_scores
from tafl.core.search.table import make_table
from tafl.errors import InputError


def random_position(game, choices):
    """A position that random moves lead to, before the end."""
    state = game.start()
    for choice in choices:
        after = state.copy()
        after.play(state.legal_actions[choice % len(state.legal_actions)])
        if after.over:
            break
        state = after
    return state


@pytest.mark.parametrize(
    "agent", ["maxn(depth=9)", "maxn(depth=9,hash_bits=0)", "alphabeta(depth=9)"]
)
def test_all_states_of_tictactoe(agent):
    game = tafl.game("tictactoe")
    player = tafl.agent(agent, game)
    _, *lines = read_lines("tictactoe_states.jsonl.gz")
    if "hash_bits=0" in agent:
        lines = lines[::20]
    for line in lines:
        if not line["term"]:
            cells = [".XO".index(mark) for mark in line["board"]]
            state = game.position(cells, player=len([c for c in cells if c]) % 2)
            assert player.values(state) == {int(a): v for a, v in line["moves"].items()}


@pytest.mark.parametrize("agent", ["maxn(depth=15)", "alphabeta(depth=15)"])
@pytest.mark.parametrize("variant", ["max5_normal", "max5_misere", "max3_normal", "max3_misere"])
def test_all_states_of_nim(variant, agent):
    game = tafl.game("nim", take=int(variant[3]), misere="misere" in variant)
    player = tafl.agent(agent, game)
    table = json.loads(read("nim2p_3x5.json"))["tables"][variant]
    assert len(table) == 216
    for heaps, line in table.items():
        moves = {}
        for move, value in line["moves"].items():
            heap, taken = map(int, move.split("-"))
            moves[(taken - 1) * 3 + heap] = value
        for mover in (0, 1):
            state = game.position([int(h) for h in heaps.split(",")], player=mover)
            assert player.values(state) == moves


def test_all_tuples_of_nim3p():
    """With the extra rule no player is ever indifferent to what another gets."""
    game = tafl.game("nim3p")
    stack, tables = make_stack(game.facts, 15), make_table(game.facts, 12)
    actions, scores = np.zeros(15, np.int64), np.zeros((15, 3))
    table = json.loads(read("nim3p_3x5.json"))["tables"]["extra"]
    assert len(table) == 216
    for heaps, line in table.items():
        (expected,) = line["all"]
        for mover in (0, 1, 2):
            state = game.position([int(h) for h in heaps.split(",")], player=mover)
            if state.over:
                found = state.scores
            else:
                n = maxn_scores(game.rules, stack, tables, state.words, 15, actions, scores)
                found = scores[np.argmax(scores[:n, mover])]
            assert np.roll(found, -mover).tolist() == expected


@pytest.mark.parametrize("size", [2, 3, 4])
def test_alphabeta_finds_the_winning_openings_of_hex(size):
    game = tafl.game("hex", size=size)
    openings = "".join(json.loads(read("hex_openings.json"))["openings"][str(size)])
    values = tafl.agent(f"alphabeta(depth={size**2})", game).values(game.start())
    assert values == {c: 1.0 if mark == "W" else -1.0 for c, mark in enumerate(openings)}


def test_alphabeta_plays_othello_to_the_end():
    """Up to ten empty cells: who wins, by every move."""
    game = tafl.game("othello")
    player = tafl.agent("alphabeta(depth=10,hash_bits=16)", game)
    lines = [line for line in read_lines("othello_endgames.jsonl") if line["empties"] <= 10]
    assert len(lines) == 123
    for line in lines:
        cells = ["-XO".index(mark) for mark in line["board"]]
        state = game.position(cells, player="XO".index(line["to_move"]))
        signs = {int(a): float(np.sign(score)) for a, score in line["scores"].items()}
        assert player.values(state) == signs, line["id"]
        assert signs[player.act(state)] == np.sign(line["value"])


@pytest.mark.parametrize(("name", "depth"), [("tictactoe", 4), ("hex(size=4)", 4), ("nim", 4)])
@given(choices=st.lists(st.integers(0, 99), max_size=12))
def test_alphabeta_equals_maxn(name, depth, choices):
    """Also where the depth limit cuts the search, with tables that remember earlier examples."""
    game = tafl.game(name)
    state = random_position(game, choices)
    agents = PAIRS.setdefault(
        name, [tafl.agent(f"{a}(depth={depth})", game) for a in ("maxn", "alphabeta")]
    )
    first, second = (agent.values(state) for agent in agents)
    assert first == second


PAIRS = {}


@given(choices=st.lists(st.integers(0, 99), max_size=40), depth=st.integers(1, 3))
def test_alphabeta_equals_maxn_where_a_player_passes(choices, depth):
    """Othello: random positions late in the game, where passes happen."""
    game = tafl.game("othello")
    state = random_position(game, [7, 3, 11, 5] * 11 + choices)
    plain, pruned = (tafl.agent(f"{a}(depth={depth})", game) for a in ("maxn", "alphabeta"))
    assert plain.values(state) == pruned.values(state)


@pytest.mark.parametrize("bits", [0, 4, 12])
def test_a_table_changes_no_value(bits):
    """A small one forgets most of what it is told, and every depth has its own entries."""
    game = tafl.game("nim3p(stones=3)")
    state = game.start()
    for depth in range(1, 10):
        expected = tafl.agent(f"maxn(depth={depth},hash_bits=0)", game).scores(state)
        assert tafl.agent(f"maxn(depth={depth},hash_bits={bits})", game).scores(state) == expected


def test_entries_of_other_depths_are_not_mistaken():
    """One table for searches of different depths: deep first, then shallow, and back."""
    game = tafl.game("hex(size=3)")
    deep = tafl.agent("alphabeta(depth=9)", game)
    position = random_position(game, [3, 0])
    for depth in (7, 2, 5, 1, 3, 7):
        deep.depth = depth
        fresh = tafl.agent(f"maxn(depth={depth},hash_bits=0)", game)
        assert deep.values(position) == fresh.values(position)


def test_the_depth_limit_counts_plies():
    """Two plies do not see the win that three do."""
    game = tafl.game("tictactoe")
    state = game.position([1, 0, 2, 0, 2, 0, 0, 0, 1], player=0)  # 6 makes two lines of two
    shallow, deep = (tafl.agent(f"maxn(depth={d})", game).values(state) for d in (2, 3))
    assert shallow[6] == 0.0
    assert deep[6] == 1.0


def test_ties_are_broken_from_the_seed():
    game = tafl.game("tictactoe")
    acts = [tafl.agent("maxn(depth=9)", game, seed=seed).act(game.start()) for seed in range(60)]
    assert set(acts) == set(range(9))
    assert acts == [tafl.agent("maxn(depth=9)", game, seed=s).act(game.start()) for s in range(60)]


@pytest.mark.parametrize("name", ["tictactoe", "nim3p(stones=2)"])
def test_compiled_equals_plain_maxn(name):
    game = tafl.game(name)
    facts, found = game.facts, []
    for run in (maxn_scores, maxn_scores.python):
        stack, table = make_stack(facts, 4), make_table(facts, 8)
        actions, scores = (
            np.zeros(facts.actions, np.int64),
            np.zeros((facts.actions, facts.players)),
        )
        with np.errstate(over="ignore"):
            n = run(game.rules, stack, table, game.start().words, 4, actions, scores)
        found.append((n, actions.tolist(), scores.tolist(), table.words.tolist()))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("agent", "game", "words"),
    [
        ("maxn", "2048", "maxn does not play games of chance such as 2048; use expectimax"),
        (
            "alphabeta",
            "2048",
            "alphabeta does not play games of chance such as 2048; use expectimax",
        ),
        ("alphabeta", "nim3p", "alphabeta needs a zero-sum game for two players"),
        ("maxn(depth=0)", "nim", "depth must be 1 to 1,000, not 0"),
    ],
)
def test_what_cannot_be_searched_is_refused(agent, game, words):
    with pytest.raises(InputError, match=words):
        tafl.agent(agent, tafl.game(game))


def test_the_end_has_no_action():
    game = tafl.game("nim")
    end = game.position([0, 0, 0], player=0)
    agent = tafl.agent("maxn", game)
    assert agent.values(end) == {}
    with pytest.raises(InputError, match="the game is over"):
        agent.act(end)
    with pytest.raises(InputError, match="this agent plays nim"):
        agent.act(tafl.game("tictactoe").start())
