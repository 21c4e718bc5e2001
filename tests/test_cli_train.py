"""`tafl train`, `tafl values` and `tafl eval` as a person calls them."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tafl.cli.main import main
from tafl.runs.folder import claimed
from tafl.runs.run import Run
from test_train import bits, wait_for

SHORT = "--episodes 300 --set evaluation.every=100 evaluation.games=4"


def tafl(line: str, *more: str) -> int:
    return main([*line.split(), *more])


@pytest.fixture(scope="module")
def trained(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "nim"
    assert tafl(f"train nim --seed 5 {SHORT} --out {path}") == 0
    return path


def test_train_says_memory_progress_and_result(tmp_path, capsys):
    assert tafl(f"train nim {SHORT} --out {tmp_path / 'run'}") == 0
    out, err = capsys.readouterr()
    assert "432 weights in 1 n-tuple; needs 0.26 GB of memory" in err
    assert [line.split(":")[0] for line in err.splitlines() if line.startswith("episode")] == [
        "episode 100",
        "episode 200",
        "episode 300",
    ]
    assert f"{tmp_path / 'run'}: 300 episodes" in out


def test_json_is_one_document_and_nothing_else(tmp_path, capfd):
    assert tafl(f"train nim {SHORT} --json --out {tmp_path / 'run'}") == 0
    out, err = capfd.readouterr()
    document = json.loads(out)
    assert err == ""
    assert (document["episode"], document["seed"]) == (300, 1)
    assert document["evaluation"]["episode"] == 300


def test_options_reach_the_settings(tmp_path):
    options = "--algo td --no-farl --preset as-run --episodes 20 --seed 9 --threads 2"
    changes = "--set td.alpha=0.25 --set network.sigma=identity"
    assert tafl(f"train nim {options} {changes} --out {tmp_path / 'run'}") == 0
    settings = Run.open(tmp_path / "run").settings
    assert (settings.episodes, settings.seed, settings.threads) == (20, 9, 2)
    assert (settings.td.alpha, settings.td.alpha_schedule) == (0.25, "geometric")
    assert not settings.td.farl_others
    assert not settings.td.farl_terminal
    assert settings.network.sigma == "identity"


def test_settings_file_alone_is_enough(trained, tmp_path):
    path = tmp_path / "again"
    assert tafl(f"train --settings {trained / 'settings.toml'} --out {path}") == 0
    assert bits(Run.open(path)) == bits(Run.open(trained))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("train", "name a game, or a settings file"),
        ("train chess", "there is no game 'chess'"),
        ("train nim --algo ppo", "algo = 'ppo'"),
        ("train nim --episodes 0", "episodes = 0"),
        ("train nim --episodes ten", "--episodes"),
        ("train nim --preset finest", "has no preset 'finest'"),
        ("train nim --seeds 0", "--seeds must be 1 to 10,000, not 0"),
        ("train nim --set td.alhpa=1", "did you mean td.alpha?"),
        ("train nim --set td.alpha", "expected NAME=VALUE, such as td.alpha=0.5"),
        ("train nim --settings none.toml", "settings file not found"),
        ("train nim --sed 5", "--sed"),
        ("train --resume nowhere", "nowhere is not a run"),
        ("train nim --resume nowhere", "remove GAME"),
        ("train --resume nowhere --seed 5", "remove --seed"),
        ("train --resume nowhere --no-farl", "remove --farl"),
        ("values nowhere", "nowhere is not a run"),
        ("eval nowhere", "nowhere is not a run"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(line, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert tafl(line) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("tafl: ")
    assert err.count("\n") == 1
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_values_of_every_legal_action(trained, capsys):
    assert tafl(f"values {trained} --json --moves", "0 1 2") == 0
    document = json.loads(capsys.readouterr().out)
    run = Run.open(trained)
    state = run.game.start()
    for action in (0, 1, 2):
        state.play(action)
    assert document["player"] == 1
    assert [int(action) for action in document["values"]] == state.legal_actions
    assert list(document["values"].values()) == list(run.agent.values(state).values())
    assert tafl(f"values {trained}") == 0
    assert "best" in capsys.readouterr().out


def test_values_after_the_end_and_of_illegal_moves(trained, capsys):
    """Taking 5 from each of the three heaps ends the game."""
    assert tafl(f"values {trained} --moves", "12 13 14") == 0
    assert "\ngame over\n" in capsys.readouterr().out
    assert tafl(f"values {trained} --moves", "12 12") == 2
    assert "--moves, move 2" in capsys.readouterr().err


def test_eval_plays_all_roles(trained, capsys):
    assert tafl(f"eval {trained} --vs random --games 50 --json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["games"] == 50
    assert result["mean"] == pytest.approx(sum(result["roles"]) / 2)
    assert result["win_rate"] == pytest.approx((result["mean"] + 1) / 2)
    assert 0 <= result["standard_error"] < 0.2
    assert tafl(f"eval {trained} --vs gandalf") == 2
    assert tafl(f"eval {trained} --games 0") == 2
    assert tafl(f"eval {trained} --vs random --games 50") == 0
    assert "win rate" in capsys.readouterr().out


def test_several_seeds_are_the_runs_of_each_seed(tmp_path, capsys, trained):
    folder = tmp_path / "seeds"
    assert tafl(f"train nim --seed 4 --seeds 2 {SHORT} --json --out {folder}") == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["seed"] for run in runs] == [4, 5]
    assert bits(Run.open(folder / "seed-5")) == bits(Run.open(trained))
    assert tafl(f"train nim --seeds 2 --out {folder}") == 2
    assert "--resume" in capsys.readouterr().err
    # resuming what is finished changes nothing
    assert tafl(f"train --resume {folder} --json") == 0
    assert json.loads(capsys.readouterr().out)["runs"] == runs


def test_a_seed_that_fails_is_reported_and_the_others_finish(tmp_path, capsys):
    from tafl.training.plan import prepare
    from tafl.training.seed_runs import create_seeds

    evaluation = {"every": 0}
    plan = prepare("nim", None, None, {"episodes": 50, "seed": 1, "evaluation": evaluation})
    folder = create_seeds(plan, 2, tmp_path / "seeds")
    with claimed(folder / "seed-1"):
        assert tafl(f"train --resume {folder}") == 1
    out, err = capsys.readouterr()
    assert f"tafl: {folder / 'seed-1'} failed: process {os.getpid()} is writing to" in err
    assert f"{folder / 'seed-2'}: 50 episodes" in out
    assert tafl(f"train --resume {folder}") == 0
    assert f"{folder / 'seed-1'}: 50 episodes" in capsys.readouterr().out


def test_stopping_several_seeds_stops_and_saves_each(tmp_path):
    folder = tmp_path / "seeds"
    line = f"train nim --seeds 2 --episodes 1000000000 --set evaluation.every=1000 --out {folder}"
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl.cli.main", *line.split()], stderr=subprocess.PIPE, text=True
    )
    first = folder / "seed-1" / "metrics.jsonl"
    wait_for(lambda: first.exists() and first.stat().st_size)
    process.terminate()
    assert process.wait(timeout=60) == 143
    assert process.stderr is not None
    last = process.stderr.read().strip().split("\n")[-1]
    assert last == f"tafl: stopped; continue with: tafl train --resume {folder}"
    assert Run.open(folder / "seed-1").summary()["episode"] >= 1000


def test_a_terminal_gets_a_bar(tmp_path):
    master, slave = pty.openpty()
    line = f"train nim --episodes 100000 --set evaluation.every=0 --out {tmp_path / 'run'}"
    environment = {**os.environ, "COLUMNS": "100", "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl.cli.main", *line.split()],
        stdout=subprocess.DEVNULL,
        stderr=slave,
        env=environment,
    )
    os.close(slave)
    shown = b""
    while process.poll() is None:
        try:
            shown += os.read(master, 65536)
        except OSError:  # the other end is closed
            break
    assert process.wait(timeout=60) == 0
    os.close(master)
    assert b"compiling" in shown
    assert b"learning" in shown
    assert b"100,000 of 100,000" in shown
