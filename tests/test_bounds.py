"""Numbers and texts without bounds are refused in one line, before anything is made."""

import errno
import io
import os
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tafl
from tafl.arena.starts import make_tasks
from tafl.cli.main import main
from tafl.errors import InputError

LONG = "x" * 20_000


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """An empty folder, and nobody at the terminal."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO())


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return tafl.train("nim", episodes=10, out=tmp_path_factory.mktemp("runs") / "nim").path


WRONG = {
    "match nim random random --games 1000000000": "games must be 1 to 1,000,000, not 1,000,000,000",
    "match nim random random --games -1": "games must be 1 to 1,000,000, not -1",
    "match nim random random --games nan": "nan",
    "match nim random random --games 1e300": "games must be 1 to 1,000,000, not",
    "match nim random random --workers 1001": "workers must be from 1 to 1,000, not 1001",
    "match nim random random --starts 1001": "at most 1,000 moves, not 1,001",
    "match nim random random --starts all:999999999": "at most 1,000 moves, not 999,999,999",
    f"match nim random random --starts all:{'9' * 5000}": "unknown start",
    f"match nim random random --seed {2**64}": "a seed must be a whole number from 0",
    "tournament nim random exact maxn --games 400000": "at most 1,000,000 games, and not 1,200,000",
    "tournament nim random exact --out /proc/t": "/proc/t cannot hold a tournament: ",
    "tournament nim random exact --out /dev/null": "/dev/null cannot hold a tournament: ",
    "eval RUN --games 2147483648": "games must be 1 to 1,000,000, not 2,147,483,648",
    "eval RUN --seed -1": "a seed must be a whole number from 0",
    "eval RUN --workers 100000": "workers must be from 1 to 1,000, not 100000",
    "train nim --seeds 100000": "--seeds must be 1 to 10,000, not 100000",
    "train nim --seeds -3": "--seeds must be 1 to 10,000, not -3",
    "train nim --episodes 1e16": "episodes",
    "train nim --minutes nan": "minutes must be above 0",
    "train nim --minutes -1": "minutes must be above 0",
    "train nim --threads 5000": "threads",
    f"train nim --seed {2**63}": "seed",
    "train nim --set evaluation.opponents=[]": "must name at least 1 of them, such as random",
    "reproduce table1 --seeds 100000": "--seeds must be 1 to 10,000, not 100000",
    "perft nim 1000000000": "DEPTH must be from 1 to 1,000, not 1000000000",
    "check nim --games 1000000000000": "--games must be from 1 to 1,000,000, not 1000000000000",
    "bench nim --seconds nan": "--seconds must be above 0",
    "bench nim --seconds 1e9": "--seconds must be above 0",
    "compare RUN --seed -1": "--seed must be from 0",
    "play nim --role 10000000000": "--role must be 0 to 1",
    f"play nim --seed {2**64}": "a seed must be a whole number from 0",
    f"play nim --against random --seed {2**64 - 1}": "a seed must be a whole number from 0",
    f"state nim --seed {2**70}": "a seed must be a whole number from 0",
    f"state nim --moves {'9' * 5000}": "is not legal here",
    f"state {LONG}": "the text of a game has at most 10,000 characters, not 20,000",
    "state :x": "':x' is not a game",
    "state .x:y": "cannot load the game .x:y",
    "state x:": "'x:' is not a game",
    f"state {'x' * 5000}": "there is no game",
    f"state {'x' * 5000}.py": "file not found",
    "state a\0b.py": "an argument contains the character NUL",
    "replay a\0b": "an argument contains the character NUL",
    f"match nim random {LONG}": "the text of an agent has at most 10,000 characters, not 20,000",
    f"match nim random {'puct(' * 2000}random{')' * 2000}": "at most 10,000 characters",
    f"match nim random {'puct(' * 50}random{')' * 50}": "at most 10 others inside, and not 50",
    f"match nim random run:{'x' * 5000}": "run:",
    "match nim random mcts(seconds=1e99)": "seconds must be 0 to 3,600",
    "match nim random maxn(depth=99999999999999999999999)": "depth must be a whole number",
    "match othello random gtp(command=cat,timeout=0)": "timeout must be above 0 and at most",
}


@pytest.mark.parametrize("command", WRONG, ids=lambda command: command[:60])
def test_refused_in_one_line(command, run, capsys):
    words = [str(run) if word == "RUN" else word for word in command.split(" ")]
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert WRONG[command] in err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("text", ["a\0b", ":x", "(", "x" * 20_000, ".", "/", "a:b:c", "\ud800"])
def test_texts_that_are_nothing(text):
    """In Python as well."""
    for make in (
        lambda: tafl.game(text),
        lambda: tafl.agent(text, "nim"),
        lambda: tafl.agent(f"run:{text}", "nim"),
        lambda: tafl.agent(f"gtp(command='{text}')", "othello"),
        lambda: tafl.position(text),
        lambda: tafl.position(f"nim: {text}"),
        lambda: tafl.position(f"nim @ {text}"),
        lambda: tafl.load(text),
        lambda: tafl.Run.open(text),
    ):
        with pytest.raises(InputError):
            make()


@settings(max_examples=200)
@given(
    st.text(max_size=30),
    st.sampled_from(["{}", "run:{}", "mcts({})", "puct({})", "maxn(depth={})"]),
)
def test_any_text_is_an_agent_or_refused(text, form):
    with suppress(InputError):
        tafl.agent(form.format(text), "nim")


@settings(max_examples=200)
@given(st.text(max_size=30), st.sampled_from(["{}", "nim({})", "nim(heaps={})", "{}.py", "{}:{}"]))
def test_any_text_is_a_game_or_refused(text, form):
    with suppress(InputError):
        tafl.game(form.format(text, text))


def test_a_million_games_are_planned_without_memory():
    tasks = make_tasks(tafl.game("tictactoe"), 1_000_000, "first-moves", seed=0)
    assert len(tasks) == 1_000_000
    assert len(tasks.begun) == 10
    assert tasks[-1].number == 999_999
    assert tasks[2].moves == tasks[3].moves == tasks[22].moves == [0]
    assert [task.number for task in tasks[4:6]] == [4, 5]
    assert tasks.numbered(1_000_000) is tasks.numbered(-1) is None
    first = make_tasks(tafl.game("tictactoe"), 3, "start", seed=0, role=0)
    assert [task.number for task in first] == [0, 2, 4]
    assert first.numbered(1) is None
    assert first.numbered(4) == first[2]


IMPOSSIBLE = {
    "folder": "folder, or its folder does not exist",
    "nowhere/file.png": "folder, or its folder does not exist",
    "/proc/file.png": "cannot be written",
    "/dev/full": "a device or a pipe",
    f"{'x' * 300}.png": "cannot be written",
}


@pytest.mark.parametrize("place", IMPOSSIBLE)
@pytest.mark.parametrize(
    "command",
    [
        "play nim --record",
        "match nim random random --games 2 --record",
        "export RUN --csv",
        "export RUN --agent",
        "export RUN --csv ok.csv --agent",
        "compare RUN RUN --out",
    ],
)
def test_files_are_tried_before_anything_is_done(command, place, run, capsys):
    Path("folder").mkdir()
    words = [str(run) if word == "RUN" else word for word in command.split(" ")]
    assert main([*words, place]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "compare" in command or IMPOSSIBLE[place] in err
    assert [path.name for path in Path().iterdir()] == ["folder"]


def test_a_game_that_was_played_is_stored(monkeypatch, capsys):
    """Each as soon as it is over."""
    assert main(["play", "nim", "--record", "games"]) == 0
    assert main(["replay", "games", "--json"]) == 0


def test_a_new_game_on_a_full_disk_leaves_nothing(monkeypatch, capsys):
    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert main(["new-game", "mygame"]) == 2
    assert "cannot write mygame.py: No space left on device" in capsys.readouterr().err
    assert list(Path().iterdir()) == []
