"""docs/strength.md is what was measured."""

import strength


def test_the_page_is_written_from_what_is_stored():
    assert strength.PAGE.read_text(encoding="utf-8") == strength.report(strength.stored())


def test_every_part_was_measured():
    assert list(strength.stored()) == list(strength.PARTS)
