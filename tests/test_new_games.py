"""docs/new_games.md and the pages of games say what was measured."""

import pytest

import new_games
from new_games_pages import DOCS, load, pages
from tafl.core.games import FURTHER


def test_pages_are_written_from_what_is_stored():
    for path, text in pages(load()).items():
        assert path.read_text(encoding="utf-8") == text, path


@pytest.mark.parametrize("name", FURTHER)
def test_every_game_was_measured(name):
    """Each agent of the plan, and the training that it comes from."""
    mine = [line for line in load() if line["game"] == name]
    assert {(line["agent"], line["against"]) for line in mine} >= {("", ""), *new_games.PLAN[name]}
    assert "<!-- strength -->\n`tafl train" in (DOCS / "games" / f"{name}.md").read_text()
