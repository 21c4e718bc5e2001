"""Evaluation: where games begin, in which roles, how many, and what is stored."""

import numpy as np
import pytest

import tafl
from tafl.arena import evaluate, first_positions, start_positions
from tafl.errors import InputError
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


def test_start_positions_by_name():
    game = tafl.game("tictactoe")
    assert [s.cells for s in start_positions(game, "start", 7)] == [[0] * 9]
    assert start_positions(game, "first-moves", 7) == first_positions(game)
    assert len(first_positions(game)) == 10


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
    with pytest.raises(InputError, match="is over after 9 random plies"):
        start_positions(tafl.game("tictactoe"), 9, 1)
    with pytest.raises(InputError, match=r"^evaluation.starts: tictactoe is over after 9"):
        train("tictactoe", evaluation={"starts": 9}, out=tmp_path / "run")
    with pytest.raises(InputError, match=r"^evaluation.starts: half-board is for"):
        train("connectfour", evaluation={"starts": "half-board"}, out=tmp_path / "run")
    with pytest.raises(InputError, match=r"^evaluation.starts = 'all': should be start, first-"):
        train("connectfour", evaluation={"starts": "all"}, out=tmp_path / "run")
    with pytest.raises(InputError, match="cannot start at 'end'; there are: start, first-moves"):
        start_positions(tafl.game("tictactoe"), "end", 1)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("starts", "games", "played"),
    [("start", 6, 6), ("first-moves", 21, 40), ("all:2", 1, 144), (3, 7, 8)],
)
def test_every_role_gets_as_many_games_as_asked(starts, games, played):
    """10 positions after first moves in 2 roles are 20 games, so 21 take two rounds; 9 x 8 x 2."""
    result = evaluate(tafl.game("tictactoe"), Watcher(), "random", games, 5, starts)
    assert (result["games"], result["starts"]) == (played, starts)
    assert result["mean"] == pytest.approx(np.mean(result["roles"]))


def test_games_begin_where_they_should():
    """After three plies player 1 moves: as player 1 the agent sees 3 stones, as player 0 four."""
    watcher = Watcher()
    evaluate(tafl.game("tictactoe"), watcher, "random", 8, 5, starts=3)
    assert min(watcher.seen) == (3, 1)
    assert {(4, 0)} <= set(watcher.seen)


def test_chance_gives_every_round_its_own_future():
    """2048 from one start position: five games of a player without chance of its own differ."""
    result = evaluate(tafl.game("2048"), Watcher(), "random", 5, 1, "start")
    assert result["games"] == 5
    assert result["standard_error"] > 0


def test_training_stores_starts_and_numbers_of_games(tmp_path):
    evaluation = {"every": 50, "opponents": ["random", "exact"], "games": 7, "starts": 2}
    run = train("tictactoe", episodes=100, evaluation=evaluation, out=tmp_path / "run")
    assert [line["episode"] for line in run.metrics] == [50, 100]
    for result in run.metrics[-1]["results"]:
        assert (result["games"], result["starts"], len(result["roles"])) == (8, 2, 2)
    assert "starts = 2" in (run.path / "settings.toml").read_text()
