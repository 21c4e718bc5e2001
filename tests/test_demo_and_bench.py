"""`tafl demo` and `tafl bench`: what they measure, print and write."""

import contextlib
import io
import json
import sys
from math import isnan, sqrt
from pathlib import Path
from time import process_time
from types import ModuleType, SimpleNamespace

import pytest

from tafl.cli.demo import _bars
from tafl.cli.main import main
from tafl.runs.curves import joined


def test_a_curve_is_mean_and_standard_error_over_seeds():
    runs = [{10: 0.1, 20: 0.5}, {10: 0.2, 20: 0.5, 30: 0.9}, {10: 0.6, 20: 0.5}]
    found = joined("three", runs)
    assert found.episodes == [10, 20]
    assert found.means == pytest.approx([0.3, 0.5])
    # sample variance of 0.1, 0.2, 0.6 is 0.07
    assert found.errors == pytest.approx([sqrt(0.07 / 3), 0.0])


def test_one_seed_has_no_standard_error():
    assert all(isnan(error) for error in joined("one", [{10: 0.1, 20: 0.2}]).errors)


def test_bars_lie_between_nothing_and_the_best():
    assert _bars([-1.0, 0.0, 0.25, 0.5, 0.7], best=0.5) == "▁▁▅██"


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """The folder of a quick demo, and what it printed with --json."""

    folder = tmp_path_factory.mktemp("demo") / "out"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["demo", "--quick", "--json", "--out", str(folder)]) == 0
    return folder, json.loads(printed.getvalue())


def test_the_demo_shows_that_farl_matters(shown):
    _, document = shown
    ends = {
        game["game"]: [learned["means"][-1] for learned in game["learned"].values()]
        for game in document["games"]
    }
    assert list(ends) == ["tictactoe", "nim3p", "connectfour"]
    assert all(farl > no_farl + 0.1 for farl, no_farl in ends.values())
    assert document["duel"]["played"] == 98
    assert document["duel"]["won"] > 80


def test_the_demo_leaves_a_picture_and_runs_to_go_on_with(shown):
    folder, document = shown
    assert Path(document["plot"]).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    runs = [r for g in document["games"] for way in g["learned"].values() for r in way["runs"]]
    assert len(runs) == 14
    assert all((Path(run) / "settings.toml").is_file() for run in runs)
    assert main(["values", str(folder / "connectfour-farl-1"), "--moves", "3 3", "--json"]) == 0


def test_the_demo_refuses_a_folder_that_is_in_use(shown, capsys):
    folder, _ = shown
    before = sorted(folder.rglob("*"))
    assert main(["demo", "--out", str(folder)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert sorted(folder.rglob("*")) == before


def test_bench_measures_moves_and_episodes(capsys):
    assert main(["bench", "tictactoe", "--seconds", "0.2", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (row,) = document["games"]
    assert row["game"] == "tictactoe"
    assert 5 <= row["moves_per_episode"] <= 9
    rate = row["moves_per_second"] / row["episodes_per_second"]
    assert rate == pytest.approx(row["moves_per_episode"], rel=0.01)
    assert row["moves_per_second"] > 10_000  # compiled


def bench_search(capsys, *more):
    assert main(["bench", "tictactoe", "nim3p", "--search", "--seconds", "0.1", *more]) == 0
    return capsys.readouterr().out


def test_bench_measures_search(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)  # as where OpenSpiel is not installed
    document = json.loads(bench_search(capsys, "--json"))
    assert [row["game"].partition("(")[0] for row in document["games"]] == ["tictactoe", "nim3p"]
    for row in document["games"]:
        assert row["simulations_per_second"] > 100_000  # compiled
        assert "openspiel" not in row
    assert 0 < document["maxn_seconds"] < 0.01


class SlowBot:
    """As OpenSpiel's, it searches for 20 milliseconds."""

    def __init__(self, game, evaluator, exploration, simulations, megabytes, *flags):
        assert (game.name, simulations, megabytes) == ("tic_tac_toe", 10_000, 1000)

    def mcts_search(self, state):
        end = process_time() + 0.02
        while process_time() < end:
            pass


def test_bench_measures_openspiel_beside(capsys, monkeypatch):
    fake = ModuleType("pyspiel")
    fake.load_game = lambda name: SimpleNamespace(name=name, new_initial_state=lambda: None)
    fake.RandomRolloutEvaluator = lambda rollouts, seed: None
    fake.MCTSBot = SlowBot
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    tictactoe, nim3p = json.loads(bench_search(capsys, "--json"))["games"]
    assert 400_000 < tictactoe["openspiel"] <= 500_000
    assert tictactoe["ratio"] == tictactoe["simulations_per_second"] / tictactoe["openspiel"]
    assert "openspiel" not in nim3p  # not among the games that both have
    shown = bench_search(capsys)
    assert "OpenSpiel" in shown
    assert "ratio" in shown


def test_bench_gives_both_sides_as_much_time(capsys, monkeypatch):
    """However slow the other one is: it makes fewer searches, and nobody waits for it."""
    searches = []

    class Counted(SlowBot):
        def mcts_search(self, state):
            searches.append(1)
            super().mcts_search(state)

    fake = ModuleType("pyspiel")
    fake.load_game = lambda name: SimpleNamespace(name=name, new_initial_state=lambda: None)
    fake.RandomRolloutEvaluator = lambda rollouts, seed: None
    fake.MCTSBot = Counted
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    bench_search(capsys, "--json")
    assert 5 <= len(searches) <= 6  # 0.1 s of 0.02 s each


def test_bench_compares_with_an_earlier_one(capsys, tmp_path):
    line = ["bench", "tictactoe", "nim(stones=2)", "--seconds", "0.05", "--json"]
    assert main(line) == 0
    first = json.loads(capsys.readouterr().out)
    first["games"] = [{**first["games"][0], "moves_per_second": 1_000}]
    file = tmp_path / "before.json"
    file.write_text(json.dumps(first))
    assert main([*line, "--against", str(file)]) == 0
    tictactoe, nim = json.loads(capsys.readouterr().out)["games"]
    assert tictactoe["against"] == tictactoe["moves_per_second"] / 1_000
    assert "against" not in nim


@pytest.mark.parametrize("algo", ["td", "sarsa", "q"])
def test_bench_measures_every_learner_and_threads(algo, capsys):
    line = ["bench", "nim(stones=2)", "--seconds", "0.05", "--algo", algo, "--threads", "2"]
    assert main([*line, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["algo"], document["threads"]) == (algo, 2)
    assert document["games"][0]["moves_per_second"] > 10_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--search --algo q", "--algo and --threads are about learning"),
        ("--search --threads 2", "--algo and --threads are about learning"),
        ("--against nowhere.json", "No such file"),
        ("--against FILE", "this is not what bench --json prints"),
        ("--against RATES --search", "one is about search, the other about learning"),
    ],
)
def test_bench_refuses_what_does_not_fit(words, message, capsys, tmp_path):
    (tmp_path / "FILE").write_text("[1, 2]")
    (tmp_path / "RATES").write_text('{"games": [{"game": "nim", "moves_per_second": 1}]}')
    given = [str(tmp_path / word) if word.isupper() else word for word in words.split()]
    assert main(["bench", "nim", *given]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e9"])
def test_bench_refuses_impossible_times(seconds, capsys):
    assert main(["bench", "--seconds", seconds]) == 2
    assert "--seconds must be above 0" in capsys.readouterr().err
