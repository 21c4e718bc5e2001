"""docs/science/search_speed.md is what was measured."""

from studies.pages import DOCS
from studies.records import read, results
from studies.strength.report import write
from studies.strength.run import PARTS


def test_the_page_is_written_from_what_is_stored(tmp_path):
    (page,) = write(tmp_path)
    assert page.read_text(encoding="utf-8") == (DOCS / "science" / "search_speed.md").read_text(
        encoding="utf-8"
    )


def test_every_part_was_measured():
    found = read(results("strength"))
    assert list(dict.fromkeys(one.condition["part"] for one in found)) == list(PARTS)
