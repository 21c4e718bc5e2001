"""docs/science/symmetries.md says what was measured."""

from studies.pages import DOCS
from studies.records import read
from studies.symmetries import report
from studies.symmetries.run import BOARDS, RESULTS, SECONDS


def test_the_page_is_written_from_what_is_stored(tmp_path):
    (page,) = report.write(tmp_path)
    assert page.read_text() == (DOCS / "science" / "symmetries.md").read_text()


def test_everything_was_measured():
    measured = {(one.overrides["network.symmetries"], one.seconds) for one in read(RESULTS)}
    assert measured == {(boards, seconds) for boards in BOARDS for seconds in SECONDS}
