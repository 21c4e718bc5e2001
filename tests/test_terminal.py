"""Text of other people on the terminal: shown, and never obeyed."""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from tafl.cli.main import main
from tafl.cli.output import print_json, print_table
from tafl.files import sealed
from tafl.terminal import OBEYED, printable

HOSTILE = "\x1b]52;c;cHduZWQ=\x07[/bold]\x9b31m\u202e\x08"


@given(text=st.text())
def test_nothing_that_a_terminal_obeys_is_left(text):
    import unicodedata

    shown = printable(text)
    left = {sign for sign in shown if unicodedata.category(sign) in OBEYED} - {"\n", "\t", "\u200d"}
    assert left == set()
    assert printable(shown) == shown
    shown.encode()  # no surrogates


@given(text=st.text())
def test_json_says_the_same(text):
    from contextlib import redirect_stdout
    from io import StringIO

    out = StringIO()
    with redirect_stdout(out):
        print_json({"text": text})
    line = out.getvalue().removesuffix("\n")
    assert json.loads(line) == {"text": text}
    assert printable(line) == line


def test_tables_take_no_markup(capsys):
    print_table([HOSTILE, "b"], [[HOSTILE, 1]], title=HOSTILE)
    said = capsys.readouterr().out
    assert said.count("[/bold]") == 3
    assert "\x1b" not in said.replace("\x1b]52", "", 1)  # the title is printed as it is, for main


@pytest.fixture
def hostile_home(tmp_path):
    """A run with hostile metrics in a folder with a hostile name, and hostile records."""
    run = tafl.train("nim", episodes=20, seed=1, out=tmp_path / "[/bold]")
    line = json.loads((run.path / "metrics.jsonl").read_text().splitlines()[-1])
    line["results"][0]["opponent"] = HOSTILE
    line.pop("check", None)
    (run.path / "metrics.jsonl").write_text(json.dumps(sealed(line)) + "\n")
    match = tafl.match("nim", ["random", "random"], games=1)
    match.save(tmp_path / "games.jsonl")
    record = json.loads((tmp_path / "games.jsonl").read_text().splitlines()[0])
    record.pop("check")
    record["agents"] = [HOSTILE, HOSTILE]
    (tmp_path / "games.jsonl").write_text(json.dumps(sealed(record)) + "\n")
    return tmp_path


LINES = [
    "runs {0}", "compare {0}/[/bold] --out {0}/c.png", "train --resume {0}/[/bold]",
    "replay {0}/games.jsonl", "replay {0}/games.jsonl --game 0",
    "match nim \x1b]52 random", "eval {0}/[/bold] --vs [/bold]", "values {0}/\x1b[2J",
    "tournament nim random [/bold]\x1b random --games 2", "state nim --moves \x9b31m",
]  # fmt: skip


@pytest.mark.parametrize("json_too", [False, True])
@pytest.mark.parametrize("line", LINES)
def test_no_command_passes_it_on(line, json_too, hostile_home, capsys):
    words = [word.format(hostile_home) for word in line.split(" ")]
    assert main([*words, "--json"] if json_too else words) in (0, 1, 2)
    said = capsys.readouterr()
    for text in (said.out, said.err):
        assert printable(text) == text
        assert "MarkupError" not in text


CLOSED = [
    "play nim <&-", "values run >&-", "values run 2>&-", "gtp random --game tictactoe <&-",
    "eval run >&- 2>&-",
]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="shells of Posix close streams like this")
@pytest.mark.parametrize("line", CLOSED)
def test_closed_streams(line, tmp_path):
    tafl.train("nim", episodes=20, seed=1, out=tmp_path / "run")
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m tafl {line}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, done
    assert "Error" not in done.stderr
