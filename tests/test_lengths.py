"""How long a run is, by episodes, minutes or what suits a game, and what it reports on the way."""

from pathlib import Path

import pytest

import tafl
from gamble import Gamble
from planted import plant
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs.curves import self_play_means, still_rising
from tafl.settings.presets import compose
from tafl.training.plan import prepare


def test_a_settings_file_says_how_to_learn(tmp_path):
    """`algo` in a file counts in Python as it does on the command line."""
    file = tmp_path / "sarsa.toml"
    file.write_text('game = "nim"\nalgo = "sarsa"\nepisodes = 50\n')
    run = tafl.train(settings=file, out=tmp_path / "run")
    assert run.settings.algo == "sarsa"
    assert run.agent.net.by_action
    assert tafl.train(settings=file, algo="q", out=tmp_path / "q").settings.algo == "q"


def test_farl_can_be_switched_on_again(tmp_path):
    """What the command line says is above what a file says, also where it is the usual."""
    file = tmp_path / "off.toml"
    file.write_text('game = "nim"\n[td]\nfarl_others = false\nfarl_terminal = false\n')
    assert prepare(None, None, file, {}).settings.farl == "no"
    assert (
        tafl.train(settings=file, farl=True, episodes=10, out=tmp_path / "r").settings.farl == "yes"
    )
    assert (
        tafl.train("nim", algo="sarsa", farl=True, episodes=10, out=tmp_path / "s").settings.farl
        == "yes"
    )


@pytest.mark.parametrize("text", ["1e3", "1_000", "1000"])
def test_ways_to_write_a_thousand(text, tmp_path, capsys):
    out = str(tmp_path / "run")
    assert main(["train", "nim", "--episodes", text, "--out", out]) == 0
    assert tafl.Run.open(out).settings.episodes == 1000
    capsys.readouterr()
    assert main(["train", "nim", "--episodes", "1.5", "--out", out + "2"]) == 2
    assert "1.5" in capsys.readouterr().err
    assert not Path(out + "2").exists()


def test_whole_numbers_in_settings_may_be_written_as_floats():
    game = tafl.game("nim")
    assert compose(game, overrides={"episodes": 1e6}).episodes == 1_000_000
    with pytest.raises(InputError, match=r"episodes = 0\.5"):
        compose(game, overrides={"episodes": 0.5})


def test_evaluations_fit_the_length_of_a_run():
    """A preset of its usual length keeps its own; any other length has ten, unless it is said."""
    game = tafl.game("tictactoe")
    usual = compose(game)
    assert usual.evaluation.every == 1000
    assert compose(game, overrides={"episodes": 500}).evaluation.every == 50
    assert compose(game, overrides={"episodes": 7}).evaluation.every == 1
    said = {"episodes": 500, "evaluation": {"every": 100}}
    assert compose(game, overrides=said).evaluation.every == 100
    never = {"episodes": 500, "evaluation": {"every": 0}}
    assert compose(game, overrides=never).evaluation.every == 0
    own = compose(tafl.game(Gamble))
    assert own.evaluation.every == own.episodes // 10


def test_minutes_count_evaluations_too():
    """With one after every ten episodes, nearly all the time is theirs."""
    alone = prepare("tictactoe", None, None, {"evaluation": {"every": 0}}, minutes=0.01)
    often = prepare("tictactoe", None, None, {"evaluation": {"every": 10}}, minutes=0.01)
    assert often.settings.evaluation.every == 10
    assert often.settings.episodes < alone.settings.episodes / 20


def test_compiling_is_no_part_of_the_minutes(tmp_path):
    """The first run of a game trains as long as the second one, in which nothing is compiled."""
    unseen = plant(tmp_path, ("of them in a row wins.", f"wins {tmp_path}."))
    opponents = {"evaluation": {"opponents": ["random", "mcts(iterations=2)"]}}
    first, second = (prepare(unseen, None, None, opponents, minutes=0.05) for _ in range(2))
    assert first.settings.episodes > second.settings.episodes / 8


def test_minutes_become_episodes(tmp_path):
    """The run stores how many, so that its settings alone reproduce it."""
    plan = prepare("tictactoe", None, None, {"seed": 1}, minutes=0.01)
    assert 10 < plan.settings.episodes < 10_000_000
    assert plan.settings.evaluation.every == max(1, plan.settings.episodes // 10)
    unseen = {"evaluation": {"every": 0}}
    short, long = (prepare("tictactoe", None, None, unseen, minutes=m) for m in (0.01, 0.1))
    assert 2 < long.settings.episodes / short.settings.episodes < 50
    run = tafl.train("tictactoe", minutes=0.005, seed=1, out=tmp_path / "run")
    again = tafl.train(settings=run.path / "settings.toml", out=tmp_path / "again")
    assert (again.agent.net.weights == run.agent.net.weights).all()
    with pytest.raises(InputError, match="use either episodes or minutes, not both"):
        tafl.train("nim", minutes=1, episodes=10)
    for wrong in (0, -1, float("nan"), 1e9):
        with pytest.raises(InputError, match="minutes must be above 0"):
            tafl.train("nim", minutes=wrong)


def test_a_run_that_was_cut_too_short_says_so(tmp_path, capsys):
    """Six evaluations: the last two are compared with the two before."""
    run = tafl.train("nim", episodes=60, evaluation={"every": 10}, seed=1, out=tmp_path / "run")
    lines = run.metrics

    def rising(means):
        for line, mean in zip(lines, means, strict=True):
            line["results"][0]["mean"] = mean
        (run.path / "metrics.jsonl").write_text("")
        for line in lines:
            run.add_metrics(line)
        return still_rising(run)

    assert rising([0.0, 0.1, 0.20, 0.22, 0.40, 0.42])
    assert not rising([0.0, 0.1, 0.40, 0.42, 0.41, 0.41])
    assert not rising([0.0, 0.1, 0.40, 0.40, 0.40, 0.40])
    assert not rising([0.9, 0.8, 0.60, 0.58, 0.30, 0.32])


def test_self_play_is_reported(tmp_path):
    """2048: what the agent scored while it learned, between evaluations, in points."""
    small = {"network": {"tuples": "random-walk", "number": 4, "length": 3}}
    run = tafl.train(
        "2048", episodes=20, evaluation={"every": 10}, seed=1, out=tmp_path / "r", **small
    )
    first, second = run.metrics
    assert first["scores"][0] == int(first["scores"][0]) > 1000
    means = self_play_means(run)
    assert means[0][0] == first["scores"][0] / 10
    assert means[1][0] == (second["scores"][0] - first["scores"][0]) / 10


@pytest.mark.long
def test_an_edited_game_is_not_resumed_under_other_rules(tmp_path, capsys):
    """The hash is that of the rules that ran, not of the file when the checkpoint was written."""
    assert main(["new-game", "mygame", "--out", str(tmp_path / "mygame.py")]) == 0
    file = tmp_path / "mygame.py"
    game = tafl.game(file)
    source = file.read_text()
    file.write_text(source.replace("return 1.0 if", "return 0.5 if"))
    run = tafl.train(game, episodes=50, seed=1, out=tmp_path / "run")
    tafl.trust(file)
    with pytest.raises(InputError, match="was trained with other rules"):
        tafl.resume(run.path)
    file.write_text(source)
    assert tafl.resume(run.path).finished
