"""Disks that are full or read-only, no home, a clock that jumps: one line, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

import tafl
from tafl.cli.main import main

KIND = "tmpfs"


def called(*words, **environment):
    """A command in a process of its own: exit code, and what it complained."""
    done = subprocess.run(
        [*environment.pop("before", []), sys.executable, "-m", "tafl", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    return done.returncode, done.stderr


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    """A disk of 3 MB with a run on it."""
    folder = tmp_path_factory.mktemp("disk")
    mounted = ["mount", "-t", KIND, "-o", "size=3m", "none", str(folder)]
    if not shutil.which("mount") or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("only root can make a small disk, and only on Linux")
    try:
        tafl.train("nim", episodes=50, seed=1, evaluation={"every": 0}, out=folder / "run")
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


WRITING = {
    "train": "train nim --episodes 50 --out {0}/new",
    "train --seeds": "train nim --seeds 2 --episodes 50 --out {0}/new",
    "train --resume": "train --resume {0}/run --episodes 100",
    "match": "match nim random random --games 4 --workers 1 --record {0}/new",
    "tournament": "tournament nim random exact --games 4 --workers 1 --out {0}/new",
    "export": "export {0}/run --agent {0}/new",
    "compare": "compare {0}/run --vs random --out {0}/new.png",
    "new-game": "new-game mine --out {0}/new.py",
    "reproduce": "reproduce fig3 --quick --seeds 1 --out {0}/paper",
}


def content(folder):
    """All files, and what is in them; who held a lock last does not matter."""
    return {
        path.relative_to(folder): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != "lock"
    }


@pytest.fixture(params=["full", "read-only"])
def unwritable(request, disk):
    if request.param == "full":
        with suppress(OSError), (disk / "ballast").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
        yield disk, "No space left on device"
        (disk / "ballast").unlink()
    else:
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        yield disk, "Read-only file system"
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)


@pytest.mark.parametrize("command", WRITING)
def test_a_disk_that_cannot_be_written(command, unwritable, capsys):
    folder, reason = unwritable
    before = content(folder)
    code = main(WRITING[command].format(folder).split())
    said = capsys.readouterr().err
    *_, last = said.splitlines()
    assert code in (1, 2), said
    assert last.startswith("tafl: ")
    assert reason in last
    assert str(folder) in last
    if command == "reproduce":  # its folder may stay, and can be used again
        shutil.rmtree(folder / "paper", ignore_errors=True)
    assert content(folder) == before


def test_what_is_on_such_a_disk_can_be_read(unwritable, capsys):
    folder, _ = unwritable
    for line in (f"values {folder}/run", f"runs {folder}", f"eval {folder}/run --games 4"):
        assert main(line.split()) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.long
@pytest.mark.parametrize("home", ["", "/nonexistent", "/proc"])
def test_no_home(home, tmp_path):
    folders = {"TAFL_CACHE_DIR": "", "TAFL_DATA_DIR": "", "XDG_CACHE_HOME": "", "XDG_DATA_HOME": ""}
    words = ["train", "nim", "--episodes", "10", "--set", "evaluation.every=0", "--out"]
    code, said = called(*words, tmp_path / "run", HOME=home, **folders)
    assert code == 0, said
    assert len(tafl.Run.open(tmp_path / "run").agent.values(tafl.game("nim").start())) == 15


@pytest.mark.skipif(shutil.which("faketime") is None, reason="faketime is not installed")
def test_a_clock_that_jumps(tmp_path):
    """Years back and years ahead between two parts of a run, and then backwards."""
    run = tmp_path / "run"
    words = ["--set", "evaluation.every=100"]
    code, said = called("train", "nim", "--episodes", 200, "--out", run, *words,
                        before=["faketime", "2060-01-01"])  # fmt: skip
    assert code == 0, said
    assert json.loads((run / "environment.json").read_text())["started"].startswith("20")
    code, said = called("train", "--resume", run, "--episodes", 400,
                        before=["faketime", "2001-01-01"])  # fmt: skip
    assert code == 0, said
    code, said = called("runs", run, before=["faketime", "-f", "+0 x-5"])
    assert (code, said) == (0, "")
    assert [line["episode"] for line in tafl.Run.open(run).metrics] == [100, 200, 300, 400]
