"""tafl works without what only POSIX has: it learns, resumes, plays, and makes a page.

This is Linux or macOS with `fcntl`, `fork`, SIGHUP and the like hidden (`without_posix.py`), not
Windows itself: that is a job in .github/workflows/test.yml.
"""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path

import pytest

import tafl
import without_posix
from test_failures import ENGINE
from test_processes import MARK, alive, until
from test_train import bits

SHORT = ["--set", "evaluation.games=4", "evaluation.every=100"]


@pytest.fixture(scope="module")
def hidden(tmp_path_factory):
    """The environment of processes that lack the ways of POSIX."""
    first = without_posix.install(tmp_path_factory.mktemp("without") / "posix")
    source = str(Path(tafl.__file__).parent.parent)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([first, source])}


@pytest.fixture
def run(hidden, tmp_path):
    """Runs a command of tafl there; returns what it prints, if it ends as it should."""

    def run_there(*words, code=0):
        mark = uuid.uuid4().hex
        done = subprocess.run(
            [sys.executable, "-m", "tafl", *map(str, words)],
            cwd=tmp_path,
            env={**hidden, MARK: mark},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert until(lambda: not alive(mark)), alive(mark)
        return done.stdout if code == 0 else done.stderr

    return run_there


def test_it_is_hidden(hidden):
    source = """
        import os, select, signal
        gone = [hasattr(os, "fork"), hasattr(select, "poll"), hasattr(signal, "SIGHUP")]
        try:
            import fcntl
        except ImportError:
            print(gone)
    """
    words = [sys.executable, "-c", textwrap.dedent(source)]
    assert subprocess.check_output(words, env=hidden, text=True) == "[False, False, False]\n"


def test_a_training_is_interrupted_and_resumed(run, hidden, tmp_path):
    """With the same bits as one that was never stopped, where nothing is hidden."""
    path, opponent = tmp_path / "run", "mcts(iterations=3000)"
    words = ["train", "nim", "--seed", "3", "--episodes", "400", "--out", str(path), "--set"]
    words += ["evaluation.every=100", "evaluation.games=10", f'evaluation.opponents=["{opponent}"]']
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl", *words], env=hidden, stderr=subprocess.PIPE, text=True
    )
    with process:
        assert until(lambda: any(f.stat().st_size for f in path.glob("metrics.jsonl")), 120)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert said.endswith(f"tafl: stopped; continue with: tafl train --resume {path}\n")
    run("train", "--resume", path)
    evaluation = {"every": 100, "games": 10, "opponents": [opponent]}
    other = tafl.train("nim", seed=3, episodes=400, evaluation=evaluation, out=tmp_path / "other")
    assert bits(tafl.Run.open(path)) == bits(other)


def test_two_seeds_are_trained_and_evaluated_in_processes(run, tmp_path):
    words = ["--seeds", 2, "--seed", 5, "--episodes", 300, *SHORT]
    run("train", "nim", *words, "--out", "seeds")
    assert [r.finished for r in map(tafl.Run.open, sorted(tmp_path.glob("seeds/seed-*")))] == [
        True,
        True,
    ]
    words = ["eval", "seeds/seed-5", "--vs", "exact", "--games", 20, "--seed", 1, "--json"]
    found = [json.loads(run(*words, "--workers", workers)) for workers in (1, 2)]
    assert found[0]["results"] == found[1]["results"] if "results" in found[0] else found


def test_a_folder_in_use_is_refused(run, tmp_path):
    run("train", "nim", "--episodes", 100, *SHORT, "--out", "run")
    from tafl.runs.folder import claimed

    with claimed(tmp_path / "run"):
        said = run("train", "--resume", "run", "--episodes", 200, code=2)
    assert said == (
        f"tafl: process {os.getpid()} is writing to run; wait for it, or use another folder\n"
    )


@pytest.mark.long
def test_a_page_is_made(run, tmp_path):
    run("page", "nim", "--out", "nim.html")
    assert "<html" in (tmp_path / "nim.html").read_text("utf-8")[:1000]


def test_games_files_and_engines(run, tmp_path):
    run("new-game", "mygame")
    engine = tmp_path / "engine.py"
    engine.write_text(textwrap.dedent(ENGINE).replace("FAIL", "pass"))
    agent = f"gtp(command='{sys.executable} {engine}')"
    run("match", "othello", "random", agent, "--games", 4, "--record", "games.jsonl")
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 4


def test_a_command_that_is_killed_leaves_nothing_behind(hidden, tmp_path):
    mark = uuid.uuid4().hex
    words = ["train", "nim", "--seeds", "2", "--episodes", str(10**9), "--out", "seeds"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl", *words, "--set", "evaluation.every=0"],
        cwd=tmp_path,
        env={**hidden, MARK: mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with process:
        assert until(lambda: list(tmp_path.glob("seeds/*/progress")), 120)
        time.sleep(0.2)
        process.kill()
    assert until(lambda: not alive(mark)), alive(mark)
