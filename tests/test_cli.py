"""The command line: what it prints, JSON that is nothing but JSON, and errors of one line."""

import contextlib
import fcntl
import importlib.util
import json
import os
import pty
import re
import shlex
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

import tafl
from planted import line_of, plant
from tafl.cli.main import COMMANDS, EXAMPLES, GROUPS, main, make_app
from tafl.core.games import GAMES
from tafl.settings import PRESETS

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(tafl.__file__).parent.parent)}


def run(capsys, *arguments):
    """Runs a command in this process: exit code, stdout and stderr."""
    code = main([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def run_json(capsys, *arguments):
    """What a command prints as JSON."""
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


def test_games(capsys):
    listed = {game["game"]: game for game in run_json(capsys, "games")}
    paper = ["tictactoe", "connectfour", "hex", "othello", "nim", "nim3p", "2048"]
    assert list(listed)[: len(paper)] == paper
    assert {"sliding", "einstein", "rolit"} < set(listed) == set(GAMES)
    assert listed["nim3p"]["players"] == 3
    assert listed["nim"]["parameters"] == {"heaps": 3, "stones": 5, "take": 5, "misere": False}
    assert (listed["connectfour"]["actions"], listed["connectfour"]["cells"]) == (7, 42)
    code, out, _ = run(capsys, "games")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if line.split()[1:2]][1:] == list(listed)


def test_state(capsys):
    state = run_json(capsys, "state", "tictactoe", "--moves", "0 3 1 4")
    assert state == {
        "game": "tictactoe",
        "player": 0,
        "legal_actions": [2, 5, 6, 7, 8],
        "over": False,
        "scores": [0.0, 0.0],
        "cells": [1, 1, 0, 2, 2, 0, 0, 0, 0],
        "drawing": "x x .\no o .\n. . .",
    }
    code, out, _ = run(capsys, "state", "tictactoe", "--moves", "0 3 1 4 2")
    assert code == 0
    assert out.startswith("x x x\no o .\n. . .\n")
    assert "player         none (game over)" in out
    assert "scores         1 -1" in out


def test_state_of_a_game_of_chance_depends_on_the_seed(capsys):
    cells = {tuple(run_json(capsys, "state", "2048", "--seed", s)["cells"]) for s in range(8)}
    assert len(cells) > 4


def test_state_of_a_file(capsys, tmp_path):
    state = run_json(capsys, "state", f"{plant(tmp_path)}(size=5,players=3)", "--moves", "12 13 14")
    assert state["player"] == 0
    assert state["cells"][12:15] == [1, 2, 3]


def test_perft(capsys):
    counted = run_json(capsys, "perft", "tictactoe", 9)
    # 1440, 5328, 47952 and 72576 games end with move 5, 6, 7 and 8; 255168 games in all
    assert counted["counts"] == [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    code, out, _ = run(capsys, "perft", "tictactoe", 3)
    assert code == 0
    assert "504" in out


def test_new_game_is_correct_and_can_be_played(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TAFL_CACHE_DIR", str(tmp_path / "cache"))
    code, out, _ = run(capsys, "new-game", "five_in_a_row")
    assert code == 0
    assert "tafl check five_in_a_row.py" in out
    written = (tmp_path / "five_in_a_row.py").read_text()
    assert "class FiveInARow(NamedTuple):" in written
    assert "LineGame" not in written
    checked = run_json(capsys, "check", "five_in_a_row.py", "--games", 5)
    assert checked["faults"] == []
    assert checked["games"] == 5
    code, out, _ = run(capsys, "check", "five_in_a_row.py", "--games", 5)
    assert code == 0
    assert out.startswith("five_in_a_row.py: no faults in 5 random games, ")


def test_new_game_overwrites_nothing(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("precious")
    for arguments in (["mine"], ["other", "--out", "mine.py"]):
        code, out, err = run(capsys, "new-game", *arguments)
        assert (code, out) == (2, "")
        assert err == "tafl: mine.py already exists; choose another name\n"
    assert (tmp_path / "mine.py").read_text() == "precious"


def test_check_lists_faults(capsys, tmp_path):
    path = plant(tmp_path, ("values=self.players + 1", "values=2"))
    code, out, err = run(capsys, "check", path)
    assert (code, err) == (1, "")
    fault, total = out.splitlines()
    assert fault.startswith("- cell(")
    assert "is 2, not one of 0 to 1; --seed 0 --moves " in fault
    assert total.startswith(f"{path}: 1 fault in 50 random games, ")
    code, out, err = run(capsys, "check", path, "--json")
    assert (code, err) == (1, "")
    (found,) = json.loads(out)["faults"]
    assert found["seed"] == 0
    assert len(found["moves"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["stat"], 'Unknown command "stat". Did you mean "state"?'),
        (["state"], "GAME"),
        (["state", "hex", "--move", "3"], "Unknown option: --move. Did you mean --moves?"),
        (["state", "hex", "--seed", "x"], "--seed"),
        (["state", "hex", "1", "2"], "unexpected arguments: 1 2"),
        (["state", "hexx"], "there is no game 'hexx'; did you mean hex?"),
        (["state", "hex", "--seed", "-1"], "a seed must be a whole number from 0"),
        (
            ["state", "hex", "--moves", "0 x"],
            "--moves, move 2: 'x' is not legal here; legal actions: 1",
        ),
        (["state", "hex", "--moves", "0 0"], "--moves, move 2: action 0 is not legal here"),
        (["state", "hex", "--moves", "36"], "--moves, move 1: there is no action 36"),
        (["perft", "hex"], "DEPTH"),
        (["perft", "hex", "x"], "DEPTH"),
        (["perft", "hex", "0"], "DEPTH must be from 1 to 1,000, not 0"),
        (["perft", "2048", "2"], "perft cannot count the moves of a game of chance such as 2048"),
        (["check", "nowhere.py"], "file not found: nowhere.py"),
        (["check", "hex", "--games", "0"], "--games must be from 1 to 1,000,000, not 0"),
        (["check", "hex", "--seed", "-1"], "--seed must be 0 to 2**63 - 1"),
        (["new-game", "3d"], "NAME may have only letters, digits and _"),
        (["new-game", "class"], "NAME may have only letters, digits and _"),
        (["new-game", "x", "--out", "x.txt"], "--out must be a file that ends in .py"),
        (["new-game", "x", "--out", "nowhere/x.py"], "cannot write nowhere/x.py: No such file"),
    ],
)
def test_wrong_input_is_one_line_and_exit_code_2(capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("tafl: ")
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_mistake_in_a_file_is_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = plant(tmp_path, ("state[0] += 1", "state[99] += 1"))
    code, out, err = run(capsys, "state", "mygame.py", "--moves", "3")
    assert (code, out) == (2, "")
    assert err == (
        f"tafl: mygame.py:{line_of(path, 'state[99]')}, in play(): "
        "IndexError: index 99 is out of bounds for axis 0 with size 18\n"
    )


def test_unexpected_error_is_one_line_too(capsys, tmp_path):
    (tmp_path / "folder.py").mkdir()
    code, _, err = run(capsys, "state", tmp_path / "folder.py")
    assert code == 2
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "seconds"), [("check othello", 0.7), ("perft othello 20", 5)]
)
def test_interrupt_ends_without_a_traceback(arguments, seconds):
    """In Python, and in compiled code."""
    program = (
        "import os, signal, sys, threading\n"
        "from tafl.cli.main import main\n"
        "interrupt = lambda: os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Timer(float(sys.argv[1]), interrupt).start()\n"
        "sys.exit(main(sys.argv[2:]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(seconds), *arguments.split()],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(capsys, command):
    code, out, err = run(capsys, command, "--help")
    assert (code, err) == (0, "")
    assert "--json" in out


def test_help_is_quick_and_lists_all_commands():
    program = (
        "import sys, time\n"
        "from tafl.cli.main import main\n"
        "assert main(['--help']) == 0\n"
        "heavy = {'numba', 'numpy', 'pydantic', 'matplotlib', 'scipy', 'safetensors'}\n"
        "print(heavy & set(sys.modules), time.process_time(), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    imported, seconds = done.stderr.rsplit(maxsplit=1)
    assert imported == "set()"
    assert float(seconds) < 0.5
    for command in COMMANDS:
        assert f" {command} " in done.stdout


def test_help_groups_commands(capsys):
    _, out, _ = run(capsys, "--help")
    places = [out.index(f"─ {group} ─") for group in GROUPS]
    assert places == sorted(places)
    for group, names in GROUPS.items():
        panel = out.partition(f"─ {group} ─")[2].partition("╰")[0]
        rows = re.findall(r"│ ([a-z-]+) +[A-Z]", panel)
        assert rows == names


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_an_example_that_parses(capsys, command):
    program, *arguments = shlex.split(EXAMPLES[command])
    assert (program, arguments[0]) == ("tafl", command)
    make_app().parse_args(arguments, exit_on_error=False, print_error=False)
    _, out, _ = run(capsys, command, "--help")
    assert f"Example: {EXAMPLES[command]}" in " ".join(out.split())


def test_help_has_one_phrase_for_each_option():
    app = make_app()
    for command in COMMANDS:
        for argument in app[command].assemble_argument_collection(parse_docstring=True):
            phrase = " ".join((argument.parameter.help or "").split())
            one = phrase.endswith(".") and ". " not in phrase
            assert one or not argument.show, f"{command} {argument.name}: {phrase}"


def test_help_names_all_presets(capsys):
    files = Path(tafl.__file__).parent.joinpath("settings", "presets").glob("*.toml")
    assert {file.name.split(".")[1] for file in files} == set(PRESETS)
    for command in ("train", "settings", "sweep"):
        _, out, _ = run(capsys, command, "--help")
        words = re.sub(r"[│\s]+", " ", out)
        assert all(f"{name} ({meaning})" in words for name, meaning in PRESETS.items())


def test_version():
    done = subprocess.run(
        [sys.executable, "-m", "tafl.cli.main", "--version"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == tafl.__version__


def test_reader_that_goes_away_is_no_error():
    shell = f"{sys.executable} -m tafl.cli.main games --json | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", shell], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


@pytest.mark.parametrize("line", ["games", "state hex --moves a1"])
def test_no_word_is_broken_in_a_narrow_terminal(line):
    """40 columns: what does not fit into a table is printed row by row."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    command = [sys.executable, "-m", "tafl", *line.split()]
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=env) as process:
        os.close(child)
        printed = b""
        with contextlib.suppress(OSError):  # what Linux says at the end
            while piece := os.read(parent, 65536):
                printed += piece
    os.close(parent)
    assert process.returncode == 0
    text = printed.decode()
    wanted = list(GAMES) if line == "games" else [f"({c}{r})" for c in "abcdef" for r in "23456"]
    assert [word for word in wanted if word not in text] == []
    if line != "games":
        assert max(map(len, text.splitlines())) <= 40


def test_the_page_of_commands_is_current():
    """`python docs/commands.py` writes it."""
    path = Path(__file__).parent.parent / "docs" / "commands.py"
    spec = importlib.util.spec_from_file_location("commands", path)
    commands = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(commands)
    assert commands.PAGE.read_text(encoding="utf-8") == commands.page()
