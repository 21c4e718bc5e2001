"""Tournaments: everyone meets everyone, and what was played is not played again."""

import json
from math import comb, isnan
from warnings import catch_warnings

import numpy as np
import pytest

import tafl
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
    assert table[0, 1] == found.matches[0, 1].payoffs[0]
    assert table[0, 1] == -table[1, 0]
    assert found.payoffs[0] == pytest.approx((table[0, 1] + table[0, 2]) / 2)
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
    assert all(payoff > 0 for payoff in found.payoffs)


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
        (["random", "exact"], {"games": 0}, "games must be at least 1, not 0"),
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


@pytest.mark.parametrize("game", ["nim(stones=2)", "2048"])
def test_picture(tmp_path, game):
    from matplotlib.image import imread

    agents = ["random", f"random({' ' * 100})"]  # a long name leaves room for the rest
    with catch_warnings(action="error"):
        draw(tafl.tournament(game, agents, games=2), tmp_path / "t.png")
    pixels = imread(tmp_path / "t.png")
    assert min(pixels.shape[:2]) > 300
    assert len(np.unique(pixels.reshape(-1, pixels.shape[2]), axis=0)) > 20
