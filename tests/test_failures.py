"""An agent that fails ends its match; which one, and where, is said, and finished games stay."""

import json
import re
import signal
import sys
import textwrap
from contextlib import suppress

import numpy as np
import psutil
import pytest

import tafl
from tafl.agents.spec import AGENTS
from tafl.arena.records import Notes, read_records
from tafl.cli.main import main
from tafl.errors import AgentError

# A program that plays the first legal move, and in its fourth game does something else, unless
# somebody has mended it: then there is a file.
ENGINE = """
    import os, sys, time
    import tafl

    game, games = tafl.game("othello"), 0
    names = {game.action_name(action): action for action in range(64)}
    for line in sys.stdin:
        word, *rest = line.split()
        answer = ""
        if word == "clear_board":
            state, games = game.start(), games + 1
        elif word == "play" and rest[1] != "pass":
            state.play(names[rest[1]])
        elif word == "genmove":
            if games > 3 and not os.path.exists("MENDED"):
                FAIL
            answer = game.action_name(state.legal_actions[0])
            state.play(names[answer])
        print("= " + answer + chr(10), flush=True)
"""


@pytest.fixture
def engine(tmp_path):
    """The text of an agent whose program does this in its fourth game."""

    def make(fail):
        path = tmp_path / "engine.py"
        source = ENGINE.replace("FAIL", fail).replace("MENDED", f"{tmp_path}/mended")
        path.write_text(textwrap.dedent(source))
        return f"gtp(command='{sys.executable} {path}',timeout=20)"

    return make


FAILURES = {
    "sys.exit(3)": "ended with exit code 3",
    "print('= a1' + chr(10), flush=True)": "played the illegal move 'a1'",
    "print('= x' + chr(10), flush=True)": "answered genmove with 'x' instead of a move such as d3",
}


@pytest.mark.parametrize("fail", FAILURES)
def test_finished_games_are_recorded(fail, engine, tmp_path, capfd):
    agent, file = engine(fail), tmp_path / "games.jsonl"
    arguments = ["match", "othello", agent, "random", "--games", "10", "--record", str(file)]
    code = main([*arguments, "--workers", "1"])
    out, err = capfd.readouterr()
    assert (code, out) == (1, "")
    finished = f"3 of 10 games were finished; they are in {file}"
    why = f"{re.escape(agent)}: the engine {re.escape(FAILURES[fail])}; {re.escape(finished)}"
    assert re.fullmatch(rf"tafl: game 3, move \d: {why}\n", err)
    records = read_records(file)
    assert [record.number for record in records] == [0, 1, 2]
    assert all(list(record.replay())[-1][1].over for record in records)
    whole = tafl.match("othello", [engine("pass"), "random"], 10)
    assert [record.moves for record in records] == [r.moves for r in whole.records[:3]]
    assert {file.name for file in tmp_path.iterdir()} == {"engine.py", "games.jsonl"}


def test_finished_games_of_several_processes_are_recorded(engine, tmp_path, capfd):
    agent, file = engine("time.sleep(1000)").replace("=20", "=5"), tmp_path / "games.jsonl"
    before = psutil.pids()
    arguments = ["--games", "20", "--record", str(file), "--workers", "2"]
    assert main(["match", "othello", "random", agent, *arguments]) == 1
    err = capfd.readouterr().err
    found = re.fullmatch(
        rf"tafl: game (\d+), move \d: {re.escape(agent)}: the engine did not answer 'genmove \w+' "
        rf"within 5 seconds; (\d+) of 20 games were finished; they are in {file}\n",
        err,
    )
    numbers = [record.number for record in read_records(file)]
    assert len(numbers) == int(found[2]) >= 3
    assert int(found[1]) not in numbers
    assert numbers == sorted(numbers)
    for pid in set(psutil.pids()) - set(before):
        with suppress(psutil.NoSuchProcess):
            assert "engine.py" not in " ".join(psutil.Process(pid).cmdline())


def test_a_match_that_fails_at_once_leaves_no_file(tmp_path, capsys):
    agent = "gtp(command='false')"
    file = tmp_path / "games.jsonl"
    arguments = ["--record", str(file), "--workers", "1", "--games", "2"]
    assert main(["match", "othello", agent, "random", *arguments]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"tafl: game 0, move 1: {agent}: the engine ended with exit code 1")
    assert err.endswith("; 0 of 2 games were finished\n")
    assert list(tmp_path.iterdir()) == []


def test_an_engine_that_is_missing_is_wrong_input(tmp_path, capsys):
    file = tmp_path / "games.jsonl"
    arguments = ["random", "gtp(command=no-such-engine)", "--record", str(file)]
    assert main(["match", "othello", *arguments]) == 2
    assert "no-such-engine is not installed; on Debian" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_match_keeps_its_games(tmp_path, monkeypatch):
    """Ctrl-C during the third game."""
    file, games = tmp_path / "games.jsonl", []

    def progress(text):
        games.append(text)
        if len(games) == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("tafl.cli.match.say_progress", progress)
    arguments = ["--record", str(file), "--workers", "1"]
    assert main(["match", "nim(stones=1)", "random", "exact", *arguments]) == 130
    assert [record.number for record in read_records(file)] == [0]


def test_no_game_is_lost_while_they_are_put_in_order(tmp_path, monkeypatch):
    def interrupted(path, records):
        raise KeyboardInterrupt

    notes = Notes(tmp_path / "games.jsonl")
    tafl.match("nim(stones=1)", ["random", "exact"], 2, played=notes.add)
    monkeypatch.setattr("tafl.arena.records.write_records", interrupted)
    with pytest.raises(KeyboardInterrupt):
        notes.finish()
    assert read_records(notes.draft) == notes.records
    assert list(tmp_path.iterdir()) == [notes.draft]


def test_a_tournament_goes_on_after_a_failure(engine, tmp_path, capfd):
    agent = engine("sys.exit(3)")
    command = ["tournament", "othello", "heur", "bench", agent, "--games", "6", "--workers", "1"]
    folder = tmp_path / "t"
    assert main([*command, "--out", str(folder)]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert re.fullmatch(
        rf"tafl: heur against {re.escape(agent)}: game 3, move \d: {re.escape(agent)}: the engine "
        r"ended with exit code 3; 3 of 6 games were finished; 1 of 3 matches were finished before; "
        r"run the same command to continue\n",
        err,
    )
    matches = folder / "matches"
    assert {file.name for file in matches.iterdir()} == {"0-1.jsonl", "0-2.jsonl.writing"}
    finished = (matches / "0-2.jsonl.writing").read_text()
    before = (matches / "0-1.jsonl").stat().st_mtime_ns

    (tmp_path / "mended").touch()
    assert main([*command, "--out", str(folder), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert found["games"] == 18
    assert (matches / "0-1.jsonl").stat().st_mtime_ns == before
    assert (matches / "0-2.jsonl").read_text().startswith(finished)
    assert main([*command, "--out", str(tmp_path / "whole"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == found
    for file in matches.iterdir():
        assert file.read_bytes() == (tmp_path / "whole" / "matches" / file.name).read_bytes()


def test_notes_go_on_after_a_line_that_was_cut_short(tmp_path):
    match = tafl.match("nim(stones=2)", ["random", "exact"], 6)
    lines = [record.line() + "\n" for record in match.records]
    file = tmp_path / "m.jsonl"
    (tmp_path / "m.jsonl.writing").write_text(lines[4] + lines[0] + lines[2][:30])
    notes = Notes(file)
    notes.take_up()
    assert notes.records == [match.records[4], match.records[0]]
    again = tafl.match(
        "nim(stones=2)", ["random", "exact"], 6, played=notes.add, known=list(notes.records)
    )
    assert again.records == match.records
    text = (tmp_path / "m.jsonl.writing").read_text()
    assert text == "".join(lines[k] for k in (4, 0, 1, 2, 3, 5))
    notes.finish()
    assert file.read_text() == "".join(lines)
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_match_whose_games_are_all_known(workers):
    match = tafl.match("nim(stones=2)", ["random", "exact"], 4)
    again = tafl.match(
        "nim(stones=2)", ["random", "exact"], 4, workers=workers, known=match.records
    )
    assert again.records == match.records


@pytest.fixture
def failing(tmp_path, monkeypatch):
    """An agent whose `act` does this."""

    def make(act):
        (tmp_path / "failing.py").write_text(
            "import os\n"
            "from tafl.errors import InputError\n"
            "class Failing:\n"
            "    def __init__(self, game, seed=0): pass\n"
            f"    def act(self, state): {act}\n"
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "failing", raising=False)
        monkeypatch.setitem(AGENTS, "failing", "failing:Failing")
        return "failing"

    return make


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("act", "message"),
    [
        ("raise InputError('the engine has died')", "failing: the engine has died"),
        ("raise KeyError('a mistake')", "failing: KeyError: 'a mistake'"),
        ("return 99", "failing: there is no action 99"),
        ("return None", "failing: "),
        ("return 'b2'", "failing: "),
    ],
)
def test_whoever_fails_is_named(workers, act, message, failing):
    with pytest.raises(
        AgentError, match=rf"^game \d, move [12]: {message}.*; \d of 8 games were finished$"
    ):
        tafl.match("tictactoe", [failing(act), "random"], games=8, workers=workers)


def test_a_process_that_dies(failing):
    act = f"os.kill(os.getpid(), {signal.SIGKILL:d})"
    message = r"^game \d: its worker process ended with signal 9; 0 of 8 games were fin"
    with pytest.raises(AgentError, match=message):
        tafl.match("tictactoe", [failing(act), "random"], games=8, workers=2)


def test_a_mistake_can_be_seen(failing, monkeypatch):
    """The message has one line; who wants to know more, does."""
    monkeypatch.setenv("TAFL_TRACEBACK", "1")
    with pytest.raises(AgentError) as caught:
        main(["match", "tictactoe", failing("raise KeyError(1)"), "random", "--workers", "1"])
    assert isinstance(caught.value.__cause__, KeyError)


class Counted:
    """Plays NumPy's numbers, as own agents often do."""

    def act(self, state):
        return np.array(state.legal_actions)[-1]

    def values(self, state):
        return {}


def test_numbers_of_numpy_are_recorded(tmp_path):
    match = tafl.match("tictactoe", [Counted(), "random"], games=2)
    match.save(tmp_path / "g")
    assert read_records(tmp_path / "g") == match.records


def test_play_says_that_an_engine_failed(capsys):
    """It is not a matter of input."""
    assert main(["play", "othello", "--against", "gtp(command='false')", "--role", "1"]) == 1
    assert "the engine ended with exit code 1" in capsys.readouterr().err
