"""The games that `tafl new-game` writes: correct, quick to train, and a good start."""

import pytest

import tafl
from tafl.boards.check import check
from tafl.boards.template import TEMPLATES, write_template
from tafl.cli.main import main
from tafl.settings.presets import compose
from tafl.training.duration import expected_time
from tafl.training.plan import make_plan

KINDS = [kind for kind in TEMPLATES if kind != "line"]  # test_check.py has many tests of that one
OTHERS = {"dice": "(squares=3)", "pieces": "(rows=4,cols=3)", "cards": "(cards=9)"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_is_correct_and_learns(kind, tmp_path):
    file = write_template("my_own", tmp_path / "my_own.py", kind)
    assert "class MyOwn(NamedTuple):" in file.read_text()
    report = check(file)
    assert (report.faults, report.notes) == ({}, [])
    judged = {"games": 400, "opponents": ["random"]}
    run = tafl.train(file, episodes=5000, seed=1, evaluation=judged, out=tmp_path / "run")
    if run.game.hides:  # good play against a good player wins little against a random one
        before = tafl.exploitability("random", run.game).nash_conv
        assert tafl.exploitability(run.agent).nash_conv < before / 3
    else:
        (result,) = run.metrics[-1]["results"]
        assert result["mean"] > 3 * result["standard_error"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_template_has_parameters(kind, tmp_path):
    file = write_template("other", tmp_path / "other.py", kind)
    game = tafl.game(f"{file}{OTHERS[kind]}")
    state = game.start(seed=2)
    while not state.over:
        state.play(state.legal_actions[-1])
    assert sum(state.scores) == 0
    assert max(state.scores) > 0


def test_cards_are_not_shown_to_the_other_player(tmp_path):
    state = tafl.game(write_template("cards", tmp_path / "cards.py", "cards")).start(seed=1)
    first, second = state.cells[:2]
    assert state.seen_by(0)[:2] == [first, 0]
    assert state.seen_by(1)[:2] == [0, second]
    assert state.drawn(0) == f"cards: {first} ?\nmoves:"


def test_kinds_by_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new-game", "race", "--kind", "dice"]) == 0
    assert "wrote race.py, a small race with a die" in capsys.readouterr().out
    assert main(["new-game", "other", "--kind", "chess"]) == 2
    assert "--kind" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["race.py"]


def test_an_own_game_meets_an_opponent_that_looks_ahead(tmp_path):
    named = {
        kind: compose(tafl.game(write_template(kind, tmp_path / f"{kind}.py", kind)))
        for kind in TEMPLATES
    }
    both = ["random", "mcts(iterations=100)"]
    opponents = {kind: settings.evaluation.opponents for kind, settings in named.items()}
    assert opponents == {"line": both, "dice": both, "pieces": both, "cards": ["random"]}


def test_the_time_of_a_training_is_told(tmp_path):
    game = tafl.game(write_template("race", tmp_path / "race.py", "dice"))
    changes = {"episodes": 50, "evaluation": {"opponents": ["random"], "games": 2}}
    text = expected_time(make_plan(game, compose(game, overrides=changes)))
    assert text.startswith("50 episodes take about 0:0")
    assert text.endswith("of it for evaluations; --minutes or --episodes set another length")
