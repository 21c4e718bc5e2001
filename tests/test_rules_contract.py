"""What every game promises (`tafl.core.games.rules`), shown on random games."""

from functools import cache
from random import Random

import numpy as np
import pytest

from oracles import cells_of, facts_of, legal_actions, position
from tafl.core.games.breakthrough import Breakthrough
from tafl.core.games.connectfour import ConnectFour
from tafl.core.games.gomoku import Gomoku
from tafl.core.games.hearts import Hearts
from tafl.core.games.hex import Hex
from tafl.core.games.kuhn import Kuhn
from tafl.core.games.leduc import Leduc
from tafl.core.games.liarsdice import LiarsDice
from tafl.core.games.nim import Nim
from tafl.core.games.nim3p import Nim3P
from tafl.core.games.othello import Othello
from tafl.core.games.rules import parameters
from tafl.core.games.tictactoe import TicTacToe
from tafl.core.games.twenty48 import Twenty48
from tafl.core.play.replay import make_trace, replay

BOARDS = [
    TicTacToe(),
    ConnectFour(),
    Hex(size=2),
    Hex(size=5),
    Hex(size=6),
    Hex(size=7),
    Othello(),
    Nim(),
    Nim(heaps=1, stones=9, take=2, misere=True),
    Nim(heaps=16, stones=4, take=9),
    Nim3P(),
    Nim3P(heaps=4, stones=7, take=2, extra=False),
    Twenty48(),
    Breakthrough(size=6),
    Gomoku(size=5, line=4),
]
HANDS = [  # of cards or dice, which others do not see
    Kuhn(),
    Kuhn(players=4),
    Leduc(),
    Leduc(players=3),
    LiarsDice(),
    LiarsDice(players=3, dice=2, sides=3),
    Hearts(),
    Hearts(players=4, ranks=5),
]
ALL = BOARDS + HANDS
GAMES_EACH = 30


def spec(rules):
    return f"{type(rules).__name__}-{'-'.join(map(str, parameters(rules).values()))}"


every_game = pytest.mark.parametrize("rules", ALL, ids=spec)
every_board = pytest.mark.parametrize("rules", BOARDS, ids=spec)


@cache
def random_games(number):
    """Games of ALL[number] in plain Python: (seed, moves, trace)."""
    rules = ALL[number]
    facts = facts_of(rules)
    games = []
    for seed in range(GAMES_EACH):
        choice, moves = Random(seed), []
        state, rng = np.zeros(facts.words, np.int64), np.array([seed], np.uint64)
        with np.errstate(over="ignore"):
            rules.start(state)
            rules.chance(state, rng)
            while not rules.over(state):
                legal = [a for a in range(facts.actions) if rules.legal(state, a)]
                moves.append(choice.choice(legal))  # fails where nothing is legal
                rules.play(state, moves[-1])
                rules.chance(state, rng)
            trace = make_trace(facts, len(moves))
            replay.python(rules, np.array(moves, np.int64), np.array([seed], np.uint64), trace)
        assert np.array_equal(trace.words[-1], state)
        games.append((seed, moves, trace))
    return games


def games_of(rules):
    return random_games(next(i for i, other in enumerate(ALL) if other is rules))


def cells_array(rules, state):
    return np.array(cells_of(rules, state))


def transitions(trace):
    """(before, after) of everything that moves and chance do."""
    for i in range(1, len(trace.words)):
        yield trace.words[i - 1], trace.afters[i]
        yield trace.afters[i], trace.words[i]
        yield trace.words[i - 1], trace.words[i]


@every_game
def test_compiled_and_plain_python_agree(rules):
    for seed, moves, plain in games_of(rules):
        compiled = make_trace(facts_of(rules), len(moves))
        replay(rules, np.array(moves, np.int64), np.array([seed], np.uint64), compiled)
        for name, ours, theirs in zip(plain._fields, compiled, plain, strict=True):
            assert np.array_equal(ours, theirs), (name, seed)


@every_game
def test_changed_covers_all_cells_that_differ(rules):
    for _, _, trace in games_of(rules):
        for before, after in transitions(trace):
            differ = np.flatnonzero(cells_array(rules, before) != cells_array(rules, after))
            mask = int(rules.changed(before, after))
            assert all(mask >> c & 1 for c in differ)


@every_game
def test_cells_players_and_scores_are_in_range(rules):
    facts = facts_of(rules)
    low, high = facts.score_range
    seen = np.zeros(facts.values, bool)
    for _, _, trace in games_of(rules):
        assert 0 <= trace.cells.min() <= trace.cells.max() < facts.values
        assert 0 <= trace.players.min() <= trace.players.max() < facts.players
        assert low <= trace.scores.min() <= trace.scores.max() <= high
        assert list(trace.overs[:-1]) == [0] * (len(trace.overs) - 1)
        seen[trace.cells] = True
    if not isinstance(rules, Twenty48):  # where few games hold large tiles
        assert seen.all()


@every_game
def test_scores_come_at_the_end(rules):
    """Except for points, which grow; two players' scores add up to 0, three get 1, 0.2 and 0."""
    for _, _, trace in games_of(rules):
        if isinstance(rules, Twenty48):
            assert (np.diff(trace.scores[:, 0]) >= 0).all()
        else:
            assert not trace.scores[:-1].any()
            if isinstance(rules, Nim3P):
                assert sorted(trace.scores[-1]) == [0.0, 0.2 if rules.extra else 0.0, 1.0]
            else:
                assert trace.scores[-1].sum() == 0.0


@every_game
def test_asking_writes_to_nothing(rules):
    facts = facts_of(rules)
    for _, _, trace in games_of(rules)[:5]:
        state = trace.words[-1].copy()
        state.flags.writeable = False
        for _ in range(2):  # the end of a game is the end, however often one asks
            assert rules.over(state)
            assert [rules.score(state, p) for p in range(facts.players)] == list(trace.scores[-1])
            assert np.array_equal(cells_of(rules, state), trace.cells[-1])
        state = trace.words[0].copy()
        state.flags.writeable = False
        assert rules.player(state) == 0
        assert any(rules.legal(state, a) for a in range(facts.actions))
        if type(rules) in {type(one) for one in HANDS}:
            eyes = range(facts.players)
            assert all(rules.draw(state, player) for player in (-1, *eyes))
            seen = [[rules.sees(state, p, c) for c in range(facts.cells)] for p in eyes]
            assert all(cells != list(trace.cells[0]) for cells in seen)
        else:
            assert rules.draw(state)


@every_game
def test_start_forgets_what_was(rules):
    words = facts_of(rules).words
    fresh, used = np.zeros(words, np.int64), np.full(words, -1, np.int64)
    rules.start(fresh)
    rules.start(used)
    assert np.array_equal(fresh, used)


@every_board
def test_position_gives_the_state_back(rules):
    for _, _, trace in games_of(rules)[:10]:
        for state, cells in zip(trace.words, trace.cells, strict=True):
            made = position(rules, cells.tolist(), int(rules.player(state)))
            if isinstance(rules, Twenty48):  # cells do not tell the points
                made[1] = state[1]
            assert np.array_equal(made, state)


@every_board
def test_symmetries_keep_everything(rules):
    """A move on an equivalent board does there what it does here."""
    facts = facts_of(rules)
    for s, (board, actions) in enumerate(
        zip(facts.symmetries, facts.action_symmetries, strict=True)
    ):
        for _, moves, trace in games_of(rules)[s % 5 :: 5]:
            for i in range(len(moves)):
                player = int(trace.players[i])
                here = position(rules, trace.cells[i].tolist(), player)
                there = position(rules, trace.cells[i][board].tolist(), player)
                legal = sorted(actions[a] for a in legal_actions(rules, here))
                assert legal == legal_actions(rules, there)
                rules.play(here, moves[i])
                rules.play(there, actions[moves[i]])
                assert np.array_equal(cells_array(rules, here)[board], cells_of(rules, there))
                assert rules.over(here) == rules.over(there)
                assert rules.player(here) == rules.player(there)
                for p in range(facts.players):
                    assert rules.score(here, p) == rules.score(there, p)


@every_game
def test_symmetries_are_a_group(rules):
    facts = facts_of(rules)
    for permutations, n in (
        (facts.symmetries, facts.cells),
        (facts.action_symmetries, facts.actions),
    ):
        assert permutations[0] == list(range(n))
        assert all(sorted(p) == list(range(n)) for p in permutations)
        assert all(
            [p[q[c]] for c in range(n)] in permutations for p in permutations for q in permutations
        )
    assert len({tuple(board) for board in facts.symmetries}) == len(facts.symmetries)


@every_board
def test_neighbours_are_mutual_and_symmetric(rules):
    facts = facts_of(rules)
    near = [set(cells) for cells in facts.neighbours]
    assert len(near) == facts.cells
    for c, others in enumerate(near):
        assert c not in others
        assert all(c in near[other] for other in others)
        for board in facts.symmetries:
            assert {board[other] for other in others} == near[board[c]]


@every_board
def test_lines_differ_and_are_symmetric(rules):
    facts = facts_of(rules)
    lines = {frozenset(line) for line in facts.lines}
    assert len(lines) == len(facts.lines)
    for board in facts.symmetries:
        assert {frozenset(board[c] for c in line) for line in lines} == lines


@every_game
def test_action_names_differ(rules):
    actions = facts_of(rules).actions
    assert len({rules.action_name(a) for a in range(actions)}) == actions
