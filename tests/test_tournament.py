"""Tournaments: everyone meets everyone, and what was played is not played again."""

import json
import re
from math import comb, isnan
from warnings import catch_warnings

import numpy as np
import pytest

import tafl
from tafl.arena.records import checksum
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.pictures.tournament import draw

AGENTS = ["random", "exact", "maxn(depth=1)"]


def files(folder):
    return {file.name: file.read_bytes() for file in (folder / "matches").iterdir()}


def test_everyone_meets_everyone():
    found = tafl.tournament("nim(stones=2)", AGENTS, games=10)
    assert list(found.matches) == [(0, 1), (0, 2), (1, 2)]
    assert all(len(match.records) == 10 for match in found.matches.values())
    assert len({match.seed for match in found.matches.values()}) == 3
    table = np.array(found.table)
    assert np.isnan(np.diag(table)).all()
    assert table[0, 1] == found.matches[0, 1].means[0]
    assert table[0, 1] == -table[1, 0]
    assert found.means[0] == pytest.approx((table[0, 1] + table[0, 2]) / 2)
    assert found.ratings.elo[1] == max(found.ratings.elo)


def test_three_of_four_agents_at_a_time():
    agents = [*AGENTS, "maxn(depth=2)"]
    found = tafl.tournament("nim3p(stones=2)", agents, games=6)
    assert len(found.matches) == comb(4, 3)
    assert found.matches[0, 1, 3].agents == ["random", "exact", "maxn(depth=2)"]
    games = [s for s in found.results() if 0 in s and 3 in s]
    assert len(games) == 12
    assert found.table[0][3] == pytest.approx(np.mean([s[0] for s in games]))
    assert sum(found.ratings.elo) == pytest.approx(0, abs=1e-6)


def test_a_game_that_everyone_plays_alone_has_no_ratings():
    found = tafl.tournament("2048", ["random", "random()"], games=2)
    assert found.ratings is None
    assert isnan(found.table[0][1])
    assert all(mean > 0 for mean in found.means)


def test_a_tournament_goes_on_where_it_stopped(tmp_path):
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    expected = tafl.tournament("nim(stones=2)", AGENTS, games=6, seed=4, out=whole)

    def stop(match):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tafl.tournament("nim(stones=2)", AGENTS, games=6, seed=4, out=halves, ended=stop)
    assert list(files(halves)) == ["0-1.jsonl"]
    before = (halves / "matches" / "0-1.jsonl").stat().st_mtime_ns
    found = tafl.tournament("nim(stones=2)", AGENTS, games=6, seed=4, out=halves)
    assert (halves / "matches" / "0-1.jsonl").stat().st_mtime_ns == before
    assert files(halves) == files(whole)
    assert found.ratings == expected.ratings


def test_agents_may_be_added(tmp_path):
    tafl.tournament("nim(stones=2)", AGENTS[:2], games=6, out=tmp_path / "t")
    tafl.tournament("nim(stones=2)", AGENTS, games=6, out=tmp_path / "t")
    tafl.tournament("nim(stones=2)", AGENTS, games=6, out=tmp_path / "other")
    assert files(tmp_path / "t") == files(tmp_path / "other")
    assert json.loads((tmp_path / "t" / "tournament.json").read_text())["agents"] == AGENTS


@pytest.mark.parametrize(
    ("agents", "options", "message"),
    [
        (["random"], {}, "needs at least 2 agents"),
        (["random", "random"], {}, "only once"),
        (["random", "exactly"], {}, "there is no agent 'exactly'"),
        (["random", "exact"], {"games": 0}, "games must be 1 to 1,000,000, not 0"),
        (["random", "exact"], {"games": 8}, "contains a tournament with games = 6"),
        (["exact", "random"], {"games": 6}, "contains a tournament of random, exact"),
    ],
)
def test_wrong_tournaments(tmp_path, agents, options, message):
    tafl.tournament("nim(stones=2)", ["random", "exact"], games=6, out=tmp_path / "t")
    before = files(tmp_path / "t")
    with pytest.raises(InputError, match=message):
        tafl.tournament("nim(stones=2)", agents, **options, out=tmp_path / "t")
    assert files(tmp_path / "t") == before


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "precious").write_text("data")
    with pytest.raises(InputError, match="is not empty and is not a tournament folder"):
        tafl.tournament("nim", ["random", "exact"], games=2, out=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["precious"]


@pytest.fixture
def stored(tmp_path):
    """A tournament that has been played, and what it found."""
    found = tafl.tournament("nim(stones=2)", AGENTS[:2], games=6, seed=4, out=tmp_path / "t")
    return tmp_path / "t", found


def again(folder, **options):
    how = {"games": 6, "seed": 4, "out": folder} | options
    return tafl.tournament("nim(stones=2)", AGENTS[:2], **how)


@pytest.mark.parametrize("kept", [0, 1, 4])
def test_games_missing_from_a_file_are_played(stored, kept):
    """Lines cut off at a line's end are games like those that were never played."""
    folder, expected = stored
    whole, file = files(folder), folder / "matches" / "0-1.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[6 - kept :]))
    found = again(folder)
    assert found.matches[0, 1].records == expected.matches[0, 1].records
    assert found.ratings == expected.ratings
    assert files(folder) == whole


def test_a_tournament_interrupted_while_it_is_mended_goes_on(stored):
    folder, expected = stored
    whole, file = files(folder), folder / "matches" / "0-1.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:2]))
    (folder / "matches" / "0-1.jsonl.writing").write_bytes(lines[1] + lines[4] + lines[3][:20])
    assert again(folder).ratings == expected.ratings
    assert files(folder) == whole


@pytest.mark.parametrize("finished", [True, False])
def test_a_tournament_killed_when_all_games_were_played_is_finished(stored, finished):
    """Between its last game and the file of the match, or before the notes are removed."""
    folder, expected = stored
    whole, file = files(folder), folder / "matches" / "0-1.jsonl"
    (folder / "matches" / "0-1.jsonl.writing").write_bytes(file.read_bytes())
    if not finished:
        file.unlink()
    assert again(folder).ratings == expected.ratings
    assert files(folder) == whole


DAMAGED = {
    "a flipped bit": (lambda line: line.replace(b"1.0", b"3.0", 1), "its checksum is"),
    "half a line": (lambda line: line[:40], "this is not the record of a game"),
    "no text": (lambda line: b"\xff" + line[1:], "this is not the record of a game"),
    "a line twice, with another end": (
        lambda line: other(line, number=1, agents=["exact", "random"], scores=[0.0, 0.0]),
        "seed is",
    ),
    "another game": (
        lambda line: other(line, game="nim"),
        r"game is nim, but this match has nim\(",
    ),
    "other agents": (lambda line: other(line, agents=["a", "b"]), r"agents is \['a', 'b'\], but"),
    "another start": (lambda line: other(line, start=[3]), r"start is \[3\], but this match has"),
    "another seed": (lambda line: other(line, seed=3), "seed is 3, but this match has"),
    "a game of a longer match": (lambda line: other(line, number=6), "this match has no game 6"),
}


def other(line, **changes):
    values = json.loads(line) | changes
    del values["check"]
    return json.dumps(values | {"check": checksum(values)}).encode() + b"\n"


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_line_is_named_and_left(stored, damage, capsys):
    folder, _ = stored
    change, message = DAMAGED[damage]
    file = folder / "matches" / "0-1.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = change(lines[2])
    file.write_bytes(b"".join(lines))
    before = files(folder)
    with pytest.raises(InputError, match=rf"^{re.escape(str(file))}, line 3: {message}"):
        again(folder)
    command = ["tournament", "nim(stones=2)", *AGENTS[:2], "--games", "6", "--seed", "4"]
    assert main([*command, "--out", str(folder)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert files(folder) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"tournament\.json, line 1: this is not what a tournament writes about itself"),
        (b'{\n"game": \n', r"tournament\.json, line 3: this is not"),
        (b"\xff\xfe\xff", r"tournament\.json: this is not"),
        (b"[]", r"tournament\.json: this is not"),
        (b'{"agents": 3}', r"tournament\.json: this is not"),
        (b'{"agents": ["random"]}', "contains a tournament with game = None"),
    ],
)
def test_a_damaged_description_is_named_and_left(stored, content, message):
    file = stored[0] / "tournament.json"
    file.write_bytes(content)
    with pytest.raises(InputError, match=message):
        again(stored[0])
    assert file.read_bytes() == content


@pytest.mark.parametrize("game", ["nim(stones=2)", "2048"])
def test_picture(tmp_path, game):
    from matplotlib.image import imread

    agents = ["random", f"random({' ' * 100})"]  # a long name leaves room for the rest
    with catch_warnings(action="error"):
        draw(tafl.tournament(game, agents, games=2), tmp_path / "t.png")
    pixels = imread(tmp_path / "t.png")
    assert min(pixels.shape[:2]) > 300
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 20


def test_a_tournament_killed_at_its_very_beginning_begins_again(tmp_path):
    """A kill while `tournament.json` was written leaves half of it under another name."""
    (tmp_path / "tournament.json.new").write_text('{"game": "ni')
    result = tafl.tournament("nim(stones=2)", ["random", "exact"], games=2, out=tmp_path)
    assert len(result.matches) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"matches", "tournament.json"}
