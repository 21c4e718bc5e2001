"""Evaluation: where games begin, in which roles, how many, and what is stored."""

import numpy as np
import pytest

import tafl
from gamble import Gamble
from tafl.arena import evaluate
from tafl.arena.contest import after
from tafl.arena.match import make_contest
from tafl.arena.starts import make_tasks, start_moves
from tafl.errors import InputError
from tafl.files import to_json
from tafl.training.training import train


class Watcher:
    """Plays the first legal action and remembers where its games began."""

    def __init__(self):
        self.seen: list[tuple[int, int]] = []  # stones on the board, player

    def act(self, state):
        self.seen.append((sum(cell != 0 for cell in state.cells), state.player))
        return state.legal_actions[0]

    def values(self, state):
        return dict.fromkeys(state.legal_actions, 0.0)


def start_positions(game, starts, number, seed=0):
    return [after(game.start(), moves) for moves in start_moves(game, starts, number, seed)]


def test_start_positions_by_name():
    game = tafl.game("tictactoe")
    assert [s.cells for s in start_positions(game, "start", 7)] == [[0] * 9]
    first = start_positions(game, "first-moves", 7)
    assert first[0] == game.start()
    assert [s.cells for s in first[1:]] == np.eye(9, dtype=int).tolist()


def test_start_positions_after_random_plies():
    game = tafl.game("tictactoe")
    found = start_positions(game, 6, 50, seed=1)
    assert len(found) == 50
    assert all(sum(c != 0 for c in s.cells) == 6 and not s.over for s in found)
    assert len({tuple(s.cells) for s in found}) > 30
    again = start_positions(game, 6, 50, seed=1)
    assert [s.cells for s in found] == [s.cells for s in again]
    other = start_positions(game, 6, 50, seed=2)
    assert [s.cells for s in found] != [s.cells for s in other]
    assert start_positions(game, 0, 2) == [game.start(), game.start()]


def test_plies_that_no_game_survives_are_refused(tmp_path):
    """TicTacToe has nine cells; in a settings file the key is named."""
    with pytest.raises(InputError, match="is over after 9 random moves"):
        start_positions(tafl.game("tictactoe"), 9, 1)
    with pytest.raises(InputError, match=r"^evaluation.starts: tictactoe is over after 9"):
        train("tictactoe", evaluation={"starts": 9}, out=tmp_path / "run")
    with pytest.raises(InputError, match=r"^evaluation.starts: half-board needs"):
        train("connectfour", evaluation={"starts": "half-board"}, out=tmp_path / "run")
    with pytest.raises(InputError, match=r"^evaluation.starts = 'all': must be start, first-"):
        train("connectfour", evaluation={"starts": "all"}, out=tmp_path / "run")
    with pytest.raises(InputError, match="unknown start 'end'; use start, first-moves"):
        start_positions(tafl.game("tictactoe"), "end", 1)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("starts", "games", "played"),
    [("start", 6, 6), ("first-moves", 21, 40), ("all:2", 1, 144), (3, 7, 8)],
)
def test_every_role_gets_as_many_games_as_asked(starts, games, played):
    """10 positions after first moves in 2 roles are 20 games, so 21 take two rounds; 9 x 8 x 2."""
    result = evaluate(Watcher(), "random", games, starts=starts, seed=5, game="tictactoe")
    document = result.document()
    assert (document["games"], document["starts"]) == (played, starts)
    assert result.mean == document["mean"] == pytest.approx(np.mean(result.roles))


def test_games_begin_where_they_should():
    """After three plies player 1 moves: as player 1 the agent sees 3 stones, as player 0 four."""
    watcher = Watcher()
    evaluate(watcher, "random", 8, starts=3, seed=5, game="tictactoe")
    assert min(watcher.seen) == (3, 1)
    assert {(4, 0)} <= set(watcher.seen)


def test_chance_gives_every_round_its_own_future():
    """2048 from one start position: five games of a player without chance of its own differ."""
    result = evaluate(Watcher(), games=5, starts="start", seed=1, game="2048")
    assert len(result.records) == 5
    assert result.error > 0
    assert result.opponent == "alone"


@pytest.mark.parametrize("starts", ["first-moves", 2, "all:1"])
def test_games_of_chance_begin_anywhere(starts):
    """The moves before a game fit the chance before it: records replay to their scores."""
    game = tafl.game(Gamble)
    result = evaluate("random", "random", 12, starts=starts, seed=3, game=game)
    assert len(result.records) >= 12
    assert any(record.start for record in result.records)
    for record in result.records:
        *_, (_, end) = record.replay()
        assert end.over
    n = game.facts.players
    for record in result.records:
        same = [r for r in result.records if r.number // n == record.number // n]
        assert {(tuple(r.start), r.seed) for r in same} == {(tuple(record.start), record.seed)}


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("tictactoe", {}),
        ("nim3p", {"algo": "sarsa"}),
        ("hex(size=3)", {"td": {"afterstates": False}}),
        ("2048", {"network": {"tuples": "random-walk", "number": 4, "length": 3}}),
    ],
)
def test_compiled_games_are_those_that_python_plays(name, changes, tmp_path):
    """Games of a trained agent against random ones, move by move, in all roles."""
    run = train(name, episodes=30, seed=2, out=tmp_path / "run", **changes)
    random = ["random"] * (run.game.facts.players - 1)
    contest = make_contest(run.game, [run.agent, *random], seed=5)
    tasks = make_tasks(run.game, 12, "start", seed=5)
    assert list(contest.play(tasks)) == [contest._play(task) for task in tasks]


def test_a_game_longer_than_the_room_for_its_moves(tmp_path, monkeypatch):
    run = train("nim", episodes=20, seed=1, out=tmp_path / "run")
    contest = make_contest(run.game, [run.agent, "random"], seed=5)
    tasks = make_tasks(run.game, 30, "start", seed=5)
    usual = list(contest.play(tasks))
    monkeypatch.setattr("tafl.arena.contest.ROOM", 1)
    assert list(contest.play(tasks)) == usual


def test_errors_are_those_of_rounds_and_one_round_has_none():
    """A round has both roles: 40 games are 20 rounds."""
    result = tafl.evaluate("random", "exact", 40, starts="start", seed=3, game="tictactoe")
    own = [record.scores[record.agents.index("random")] for record in result.records]
    rounds = [(own[k] + own[k + 1]) / 2 for k in range(0, 40, 2)]
    assert result.error == pytest.approx(np.std(rounds, ddof=1) / np.sqrt(20))
    one = tafl.evaluate("random", "exact", 1, starts="start", game="tictactoe")
    assert np.isnan(one.error)
    assert '"standard_error": null' in to_json(one.document())


def test_only_the_first_role():
    result = tafl.evaluate("exact", "random", 10, roles="first", game="nim")
    assert [record.agents for record in result.records] == [["exact", "random"]] * 10
    assert len(result.roles) == 1
    assert result.roles == [result.mean]


def test_win_rates_of_three_players_and_nobody_to_play_alone_against():
    """Where three share the highest score, each has a third of the win."""
    result = tafl.evaluate("exact", "random", 30, game="nim3p")
    best = [
        (r.scores[r.agents.index("exact")] == max(r.scores)) / r.scores.count(max(r.scores))
        for r in result.records
    ]
    assert result.win_rate == pytest.approx(np.mean(best))
    with pytest.raises(
        InputError, match=r"^2048 is a game for one player; it cannot be played against mcts"
    ):
        tafl.evaluate("random", "mcts", game="2048")


def test_an_agent_has_to_say_its_game():
    with pytest.raises(InputError, match="Watcher does not say which game it plays"):
        evaluate(Watcher())
    with pytest.raises(InputError, match=r"maxn: name a game; only trained agents know theirs"):
        tafl.evaluate("maxn")


def test_a_result_as_a_frame_and_as_a_table():
    result = tafl.match("nim3p", ["exact", "random", "random"], games=6)
    frame = result.frame()
    assert frame.groupby("agent")["score"].mean()["exact"] == pytest.approx(result.mean)
    assert frame["role"].tolist() == [0, 1, 2, 1, 2, 0, 2, 0, 1] * 2
    assert result._repr_html_().count("<tr>") == 4


def test_training_stores_starts_and_numbers_of_games(tmp_path):
    evaluation = {"every": 50, "opponents": ["random", "exact"], "games": 7, "starts": 2}
    run = train("tictactoe", episodes=100, evaluation=evaluation, out=tmp_path / "run")
    assert [line["episode"] for line in run.metrics] == [50, 100]
    for result in run.metrics[-1]["results"]:
        assert (result["games"], result["starts"], len(result["roles"])) == (8, 2, 2)
    assert "starts = 2" in (run.path / "settings.toml").read_text()


def test_what_games_have_reached_besides_their_scores():
    """2048: the largest tile at the end, as a replay of the game shows it."""
    result = tafl.evaluate("random", games=6, game="2048")
    ends = [list(record.replay())[-1][1] for record in result.records]
    assert result.reached == [1 << max(end.cells) for end in ends]
    document = result.document()
    assert document["best"] == max(record.scores[0] for record in result.records)
    shares = list(document["reached"].values())
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert tafl.match("nim", ["random", "random"], games=2).reached == []
