"""docs/science/new_games.md and the pages of games say what was measured."""

import pytest

from studies.new_games import report
from studies.new_games.plan import PLAN, RESULTS
from studies.pages import DOCS
from studies.records import read
from tafl.core.games import FURTHER


def test_pages_are_written_from_what_is_stored(tmp_path):
    for path in report.write(tmp_path):
        page = DOCS / path.relative_to(tmp_path)
        assert page.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), page


@pytest.mark.parametrize("name", FURTHER)
def test_every_game_was_measured(name):
    """Each agent of the plan, and the training that it comes from."""
    mine = [one for one in read(RESULTS) if one.game == name]
    assert {(one.agent, one.against) for one in mine} >= {("", ""), *PLAN[name]}
    assert "<!-- strength -->\n`tafl train" in (DOCS / "games" / f"{name}.md").read_text()
