"""The perfect players of ConnectFour against published scores, and against plain search."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, chisquare

import tafl
from oracles import read, read_lines
from tafl.agents.connectfour import BOOK_PLIES, book, safe_moves, solver
from tafl.core.search.connectfour import HIGHEST, make_solver, move_scores, position_score
from tafl.errors import InputError

GAME = tafl.game("connectfour")
NO_BOOK = np.zeros(0, np.int64), np.zeros(0, np.int8), 0


@cache
def agent(name):
    """One agent for all tests, so that its table holds what earlier tests left."""
    return tafl.agent(name, GAME, seed=1)


def after(columns):
    """The position after moves in columns 1 ... 7."""
    state = GAME.start()
    for column in columns:
        state.play(int(column) - 1)
    return state


def scores_of(solver, state, kernel=move_scores):
    """The score of every move."""
    actions, scores = np.zeros(7, np.int64), np.zeros(7, np.int64)
    n = kernel(GAME.rules, solver, state.words, -HIGHEST, HIGHEST, actions, scores)
    return dict(zip(actions[:n].tolist(), scores[:n].tolist(), strict=True))


@cache
def positions():
    return [(after(line["moves"]), line) for line in read_lines("c4_positions.jsonl.gz")]


@pytest.mark.parametrize("part", ["L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1"])
def test_published_scores(part):
    """Begin, middle and end of the game, easy and hard."""
    lines = [line.split() for line in read("c4_scores.txt.gz").splitlines()]
    lines = [(columns, int(score)) for name, columns, score in lines if name == part]
    assert len(lines) == 500
    for columns, score in lines:
        words = after(columns).words
        found = position_score(GAME.rules, solver(), words, -HIGHEST, HIGHEST)
        assert found == score, columns


def test_published_scores_of_all_moves():
    assert len(positions()) == 1000
    for state, line in positions():
        expected = {c: k for c, k in enumerate(line["scores"]) if k is not None}
        assert agent("ab-dl").values(state) == expected, line["id"]


def test_ab_keeps_the_outcome():
    for state, line in positions():
        action = agent("ab").act(state)
        if line["ply"] % 3 == 0:
            signs = {c: np.sign(k) for c, k in enumerate(line["scores"]) if k is not None}
            assert agent("ab").values(state) == signs, line["id"]
        allowed = line["best_outcome"] if line["outcome"] >= 0 else state.legal_actions
        assert action in allowed, line["id"]


def test_ab_dl_wins_fast_and_loses_late():
    for state, line in positions():
        assert agent("ab-dl").act(state) in line["best_dist"], line["id"]


@pytest.mark.parametrize("stones", [0, 4, 6, 7, 8, 9])
def test_ab_dl_may_be_blind_at_first(stones):
    """While its move leaves up to 8 stones it minds only what is decided within these."""
    state, rng = GAME.start(), np.random.default_rng(1)
    for _ in range(stones):
        state.play(int(rng.choice(state.legal_actions)))
    expected = agent("ab" if stones < 8 else "ab-dl").values(state)
    assert agent("ab").values(state) != agent("ab-dl").values(state)
    assert agent("ab-dl(blind=8)").values(state) == expected


def test_a_blind_ab_dl_sees_four_that_come_soon():
    """It keeps the fourth stone of a column from the other player, and sets its own."""
    state = after("41414")  # columns from 1: three of the first player in the fourth
    values = agent("ab-dl(blind=8)").values(state)
    assert values == {a: -1.0 if a == 3 else -18.0 for a in range(7)}
    assert {agent("ab-dl(blind=8)").act(state) for _ in range(20)} == {3}
    assert agent("ab").values(state) == dict.fromkeys(range(7), -1.0)
    state = after("4151717")  # three of the second player in the first column
    values = agent("ab-dl(blind=8)").values(state)
    assert values[0] == 18.0
    assert max(values[a] for a in range(1, 7)) <= 1.0


@pytest.mark.parametrize("near", [1, 2, 5, 13, 42])
def test_ab_dl_may_see_only_what_is_near(near):
    """Where perfect play ends later than so many stones from now, only the outcome counts."""
    seeing, rng, limited = agent("ab-dl"), np.random.default_rng(2), set()
    for _ in range(12):
        state = GAME.start()
        for _ in range(18):
            quiet = [a for a in state.legal_actions if not state.afterstate(a).over]
            state.play(int(rng.choice(quiet or state.legal_actions)))
            if not quiet:
                break
        if state.over:
            continue
        expected, now = {}, sum(cell in (1, 2) for cell in state.cells)
        for action, value in seeing.values(state).items():
            end = state.afterstate(action)
            while not end.over:
                end.play(seeing.act(end))
            late = sum(cell in (1, 2) for cell in end.cells) - now > near
            expected[action] = float(np.sign(value)) if late else value
            limited.add(bool(late))
        assert agent(f"ab-dl(near={near})").values(state) == expected
    assert True in limited or near == 42


def loses_at_once(state, action):
    """May the other player win with the next move?"""
    after = state.afterstate(action)
    return not after.over and any(after.afterstate(a).words[3] for a in after.legal_actions)


def test_safe_moves_by_the_rules():
    """In all positions of the oracle, and in some where the next move can win."""
    found = set()
    for state, line in positions():
        expected = [a for a in state.legal_actions if not loses_at_once(state, a)]
        assert list(safe_moves(state.words)) == expected, line["id"]
        found.add(len(expected) == len(state.legal_actions))
    assert found == {True, False}
    assert list(safe_moves(after("14141").words)) == [0]
    assert list(safe_moves(after("141414").words)) == [0, 3]


def test_ab_dl_without_error_is_ab_dl():
    """Move by move, with the same draws from its seed."""
    perfect, other = (tafl.agent(name, GAME, seed=5) for name in ("ab-dl", "ab-dl(error=0)"))
    for state, line in positions()[::10]:
        assert perfect.act(state) == other.act(state), line["id"]
    assert perfect.rng == other.rng


def test_ab_dl_that_always_errs_plays_every_safe_move_and_no_other():
    erring = tafl.agent("ab-dl(error=1)", GAME, seed=5)
    for columns, safe in (("", range(7)), ("14141", [0]), ("141414", [0, 3])):
        counts = Counter(erring.act(after(columns)) for _ in range(100 * len(safe)))
        assert set(counts) == set(safe)
        assert len(safe) == 1 or chisquare([counts[a] for a in safe]).pvalue > 1e-4
    assert erring.values(after("14141")) == agent("ab-dl").values(after("14141"))


def test_ab_dl_errs_as_often_as_it_is_told():
    """At the start only the middle is perfect; one error in seven is the middle, too."""
    erring = tafl.agent("ab-dl(error=0.3)", GAME, seed=5)
    errors = sum(erring.act(GAME.start()) != 3 for _ in range(2000))
    assert binomtest(errors, 2000, 0.3 * 6 / 7).pvalue > 1e-3


def test_where_every_move_loses_at_once_an_erring_ab_dl_plays_its_best():
    lost = after("44553")
    assert list(safe_moves(lost.words)) == []
    best = agent("ab-dl").values(lost)
    among = {a for a, value in best.items() if value == max(best.values())}
    erring = tafl.agent("ab-dl(error=1)", GAME, seed=5)
    assert {erring.act(lost) for _ in range(100)} == among


@pytest.mark.parametrize("error", ["-0.1", "1.5"])
def test_a_wrong_error_is_refused(error):
    with pytest.raises(InputError, match=f"error must be 0 to 1, not {error}"):
        tafl.agent(f"ab-dl(error={error})", GAME)


def ladder(outcome):
    """A position of this outcome where several moves keep it, at different distances."""
    for state, line in positions():
        keep, best = line["best_outcome"], line["best_dist"]
        unequal = len(best) < len(keep) or outcome == 0
        if line["outcome"] == outcome and len(keep) > 4 and unequal:
            return state, keep, best
    raise LookupError


@pytest.mark.parametrize("outcome", [1, 0, -1])
def test_equals_are_played_equally_often(outcome):
    state, keep, best = ladder(outcome)
    assert outcome >= 0 or keep == state.legal_actions
    for name, among in (("ab", keep), ("ab-dl", best)):
        counts = Counter(agent(name).act(state) for _ in range(200 * len(among)))
        assert set(counts) == set(among)
        assert len(among) == 1 or chisquare([counts[a] for a in among]).pvalue > 1e-4


def test_the_book_knows_every_opening():
    """The first moves take no search: as many positions are looked at as the book cuts short."""
    fresh = make_solver(*book(), sum(1 << n for n in BOOK_PLIES))
    rng = np.random.default_rng(1)
    for plies in range(max(BOOK_PLIES)):
        state = GAME.start()
        for _ in range(plies):
            if not state.over:
                state.play(int(rng.choice(state.legal_actions)))
        fresh.table[:], fresh.nodes[0] = 0, 0
        if not state.over:
            scores_of(fresh, state)
            assert fresh.nodes[0] < 100_000


def test_the_book_agrees_with_search():
    """Random positions of 12 stones, solved without it."""
    keys, scores = book()
    assert np.all(np.diff(keys) > 0)
    assert set(np.unique(scores)) <= set(range(-17, 18))
    known, searched = make_solver(*book(), 1 << 12), make_solver(*NO_BOOK)
    rng = np.random.default_rng(2)
    compared = 0
    while compared < 40:
        state = GAME.start()
        for _ in range(12):
            if not state.over:
                state.play(int(rng.choice(state.legal_actions)))
        if not state.over:
            arguments = state.words, -HIGHEST, HIGHEST
            expected = position_score(GAME.rules, searched, *arguments)
            assert position_score(GAME.rules, known, *arguments) == expected
            compared += 1


@st.composite
def late_positions(draw, least):
    """Positions with few empty cells where nobody has won."""
    state = GAME.start()
    for choice in draw(st.lists(st.integers(0, 5039), min_size=least, max_size=41)):
        order = np.roll(state.legal_actions, choice)
        quiet = [int(a) for a in order if not state.afterstate(int(a)).over]
        if not quiet:
            break
        state.play(quiet[choice % len(quiet)])
    assume(state.words[2] >= least)
    return state


def plain_score(state):
    """The score by looking at all games."""
    stones = int(state.words[2])
    if state.over:
        return -((44 - stones) // 2) if state.words[3] else 0
    return max(-plain_score(state.afterstate(a)) for a in state.legal_actions)


@settings(max_examples=40)
@given(state=late_positions(least=34))
def test_the_end_agrees_with_plain_search(state):
    """Also with a table so small that it forgets nearly everything."""
    expected = {a: -plain_score(state.afterstate(a)) for a in state.legal_actions}
    assert agent("ab-dl").values(state) == expected
    assert scores_of(make_solver(*NO_BOOK, bits=2), state) == expected


@settings(max_examples=40)
@given(state=late_positions(least=20))
def test_a_mirror_changes_nothing(state):
    values = agent("ab-dl").values(state)
    cells = np.array(state.cells).reshape(6, 7)[:, ::-1].ravel().tolist()
    image = GAME.position(cells, player=state.player)
    assert agent("ab-dl").values(image) == {6 - a: v for a, v in values.items()}


@settings(max_examples=5)
@given(state=late_positions(least=32))
def test_compiled_and_plain_agree(state):
    compiled, plain = make_solver(*NO_BOOK, bits=8), make_solver(*NO_BOOK, bits=8)
    found = scores_of(compiled, state)
    with np.errstate(over="ignore"):
        assert scores_of(plain, state, kernel=move_scores.python) == found
    assert np.array_equal(compiled.table, plain.table)
    assert compiled.nodes[0] == plain.nodes[0]


def test_the_same_seed_plays_the_same_moves():
    """Whatever was searched before."""
    games = []
    for other in (0, 1):
        player = tafl.agent("ab", GAME, seed=7)
        if other:
            player.values(after("1234567"))
        state, moves = after("44"), []
        while not state.over:
            moves.append(player.act(state))
            state.play(moves[-1])
        games.append(moves)
    assert games[0] == games[1]


@pytest.mark.parametrize("name", ["ab", "ab-dl"])
def test_other_games_and_ends_are_refused(name):
    with pytest.raises(InputError, match=f"^{name}: this agent plays connectfour, not tictactoe$"):
        tafl.agent(name, tafl.game("tictactoe"))
    over = after("1212121")
    assert agent(name).values(over) == {}
    with pytest.raises(InputError, match="the game is over"):
        agent(name).act(over)
    with pytest.raises(InputError, match="this agent plays connectfour, not hex"):
        agent(name).act(tafl.game("hex").start())
