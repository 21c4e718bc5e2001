"""Matches: balanced, the same in any number of processes, recorded, and fair to equals."""

import hashlib
import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from math import isnan, sqrt

import numpy as np
import pytest

import tafl
from tafl.arena.records import Record, read_records
from tafl.arena.starts import make_tasks, start_moves
from tafl.errors import AgentError, InputError


class First:
    """Plays the first legal action."""

    def act(self, state):
        return state.legal_actions[0]

    def values(self, state):
        return dict.fromkeys(state.legal_actions, 0.0)


class Cheat(First):
    """Plays the first legal action, and later one that is not legal."""

    def act(self, state):
        return state.legal_actions[0] if not any(state.cells) else 0


def test_start_or_first_where_every_first_move_ends_the_game():
    game = tafl.game("nim(heaps=1,stones=1)")
    assert start_moves(game, "start-or-first", 3) == [[], [], []]
    match = tafl.match(game, ["random", "exact"], games=2, starts="start-or-first")
    assert [record.scores for record in match.records] == [[1.0, -1.0]] * 2


def test_starts_of_the_games():
    """Othello's list has 244 sequences, Hex' 22 starts are those of the authors' evaluation."""
    assert len(start_moves(tafl.game("othello"), "all:4", 1)) == 244
    authors = [0, 6, 7, 12, 13, 14, 18, 19, 20, 21, 24, 25, 26, 27, 28, 30, 31, 32, 33, 34, 35]
    ours = {6 * (cell % 6) + cell // 6 for cell in authors}  # theirs is 6 * column + row
    starts = start_moves(tafl.game("hex"), "half-board", 1)
    assert starts[0] == []
    assert sorted(move for (move,) in starts[1:]) == sorted(ours)
    assert start_moves(tafl.game("nim"), "first-moves", 1) == [[], *([a] for a in range(15))]


def test_all_sequences_leave_out_finished_games():
    """TicTacToe: 9 8 7 ... sequences; of those of 5 moves 1,440 end the game."""
    numbers = [len(start_moves(tafl.game("tictactoe"), f"all:{k}", 1)) for k in range(6)]
    assert numbers == [1, 9, 72, 504, 3024, 15120 - 1440]


@pytest.mark.parametrize(
    ("game", "starts", "message"),
    [
        ("nim", "half-board", "half-board needs moves on a square board"),
        ("tictactoe", "all:9", "more than 20,000 sequences"),
        ("nim(heaps=1,stones=1)", "all:1", "is always over after 1 moves"),
        ("tictactoe", "all:x", "unknown start 'all:x'"),
        ("tictactoe", -1, "unknown start -1"),
        ("2048", "half-board", "half-board needs moves on a square board"),
    ],
)
def test_starts_that_make_no_sense(game, starts, message):
    with pytest.raises(InputError, match=message):
        make_tasks(tafl.game(game), 10, starts, 0)


@pytest.mark.parametrize(
    ("game", "agents", "starts", "games", "played"),
    [
        ("tictactoe", 2, "start", 5, 6),
        ("tictactoe", 2, "first-moves", 21, 40),
        ("nim3p(stones=2)", 3, "first-moves", 1, 21),
        ("hex(size=3)", 2, "half-board", 15, 28),
        ("nim3p(stones=2)", 3, 2, 8, 9),
    ],
)
def test_every_start_in_every_rotation_equally_often(game, agents, starts, games, played):
    names = ["random", "exact", "maxn(depth=1)"][:agents]
    match = tafl.match(game, names, games, starts)
    assert len(match.records) == played
    assert [record.number for record in match.records] == list(range(played))
    tally = Counter((tuple(r.start), tuple(r.agents)) for r in match.records)
    seats = {names for _, names in tally}
    assert len(seats) == agents
    for moves in {moves for moves, _ in tally}:
        assert len({tally[moves, names] for names in seats}) == 1
    if isinstance(starts, str):
        assert len(set(tally.values())) == 1


def test_means_by_hand():
    """Three heaps of one stone: the first player takes the first and the last, and wins."""
    match = tafl.match("nim(stones=1)", [First(), "random"], games=6)
    assert [record.scores for record in match.records] == [[1.0, -1.0]] * 6
    assert match.roles == [[1.0, -1.0], [1.0, -1.0]]
    assert match.means == [0.0, 0.0]
    assert match.win_rates == [0.5, 0.5]
    assert match.standard_errors == [0.0, 0.0]  # rounds are all alike
    assert match.p_value() == 1.0
    assert match.agents == ["First", "random"]


def test_draws_count_one_half_and_errors_are_those_of_rounds():
    match = tafl.match("tictactoe", ["random", "exact"], games=40, seed=3)
    outcome = {1.0: 1.0, 0.0: 0.5, -1.0: 0.0}
    own = [r.scores[r.agents.index("random")] for r in match.records]
    assert 0.0 in own
    assert match.win_rates[0] == pytest.approx(np.mean([outcome[score] for score in own]))
    rounds = [(own[k] + own[k + 1]) / 2 for k in range(0, 40, 2)]
    assert match.standard_errors[0] == pytest.approx(np.std(rounds, ddof=1) / sqrt(20))
    one = tafl.match("tictactoe", ["random", "exact"], games=2)
    assert isnan(one.standard_errors[0])
    assert isnan(one.p_value())


def test_who_tie_share_the_win():
    """Three players: scores 1 1 0 are half a win for each of two."""
    match = tafl.match("nim3p(stones=2)", ["random"] * 3, games=3)
    tied = replace(match, records=[replace(r, scores=[1.0, 1.0, 0.0]) for r in match.records])
    assert tied.wins.tolist() == [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]]


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        ("tictactoe", ["random", "mcts(iterations=30)"]),
        ("nim3p", ["random", "maxn(depth=2)", "exact"]),
    ],
)
def test_the_same_games_with_one_and_two_workers(game, agents):
    alone = tafl.match(game, agents, games=20, starts="first-moves", seed=5)
    told = []
    together = tafl.match(game, agents, 20, "first-moves", 5, workers=2, played=told.append)
    assert together.records == alone.records
    assert len(told) == len(alone.records)
    other = tafl.match(game, agents, games=20, starts="first-moves", seed=6)
    assert [r.moves for r in other.records] != [r.moves for r in alone.records]


def test_more_games_go_on_where_fewer_end():
    few = tafl.match("2048", ["random"], games=2, seed=1)
    more = tafl.match("2048", ["random"], games=3, seed=1)
    assert more.records[:2] == few.records
    assert len({r.seed for r in more.records}) == 3


def test_records_replay_to_the_same_scores(tmp_path):
    for game, agents in [("2048", ["random"]), ("othello", ["random", "random"])]:
        match = tafl.match(game, agents, games=2, starts="start", seed=2)
        match.save(tmp_path / "records")
        records = read_records(tmp_path / "records")
        assert records == match.records
        for record in records:
            *_, (_, end) = record.replay()
            assert end.over
            assert end.scores == record.scores
        with pytest.raises(InputError, match="but its record has"):
            list(replace(records[0], scores=[0.5] * len(agents)).replay())
        with pytest.raises(InputError, match="game 0, move 1: there is no action 99"):
            list(replace(records[0], moves=[99]).replay())


def test_files_that_are_no_records(tmp_path):
    file = tmp_path / "records"
    with pytest.raises(InputError, match="file not found"):
        read_records(file)
    file.write_text('{"game": "nim"}\n')
    with pytest.raises(InputError, match="line 1: this is not the record of a game"):
        read_records(file)


def test_every_flipped_bit_of_a_record_is_noticed(tmp_path):
    """Or it changes nothing but how a number is written."""
    (record, *_) = tafl.match("nim(stones=2)", ["random", "exact"], games=1).records
    line = record.line().encode()
    for bit in range(8 * len(line)):
        flipped = bytearray(line)
        flipped[bit // 8] ^= 1 << bit % 8
        with suppress(ValueError):
            assert Record.read(bytes(flipped)) == record


def test_the_checksum_is_what_the_page_says():
    """docs/guides/comparing_agents.md: the first digits of a SHA-256."""
    (record, *_) = tafl.match("nim(stones=2)", ["random", "exact"], games=1).records
    values = json.loads(record.line())
    check = values.pop("check")
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    assert check == hashlib.sha256(text.encode()).hexdigest()[:8]


def test_records_from_before_checksums_are_read(tmp_path):
    """They called the agents seats."""
    (record, *_) = tafl.match("nim(stones=2)", ["random", "exact"], games=1).records
    values = json.loads(record.line())
    del values["check"]
    with pytest.raises(ValueError, match=r"its checksum is .{8}, but its line says None"):
        Record.read(json.dumps(values))
    values["seats"] = values.pop("agents")
    assert Record.read(json.dumps(values)) == record


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["random"],), "tictactoe needs 2 agents, not 1"),
        ((["random", "rando"],), "there is no agent 'rando'"),
        ((["random", "random"], 0), "games must be 1 to 1,000,000, not 0"),
        ((["random", "random"], 2, "start", -1), "a seed must be a whole number"),
    ],
)
def test_wrong_matches(arguments, message, workers):
    with pytest.raises(InputError, match=message):
        tafl.match("tictactoe", *arguments, workers=workers)


def test_an_agent_that_cheats_is_named():
    message = r"^game 0, move 3: Cheat: action 0 is not legal here.*; 0 of 2 games were finished$"
    with pytest.raises(AgentError, match=message):
        tafl.match("tictactoe", [Cheat(), First()], games=2)


def test_equals_differ_as_often_as_chance_says():
    """200 matches of an agent against itself: p < 0.05 in about 5 % of them."""
    p = [
        tafl.match("nim(heaps=3,stones=2)", ["random", "random"], games=40, seed=k).p_value()
        for k in range(200)
    ]
    assert 0.02 <= np.mean(np.array(p) < 0.05) <= 0.09


def test_a_few_wins_in_a_row_are_no_proof():
    """n rounds that end alike are as likely as n equal throws of a coin: 2 of 2^n cases."""
    match = tafl.match("nim(stones=3)", ["random", "random"], games=12)
    won = [replace(r, scores=[1.0, -1.0][:: 1 - 2 * (r.number % 2)]) for r in match.records]
    for rounds, p in ((2, 0.5), (3, 0.25), (6, 1 / 32)):
        assert replace(match, records=won[: 2 * rounds]).p_value() == p


def test_unequal_agents_are_told_apart():
    assert tafl.match("nim(stones=3)", ["random", "exact"], games=40).p_value() < 1e-6
