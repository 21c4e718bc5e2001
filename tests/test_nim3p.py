"""The study of Nim3P's seeds: its page, exact values, and stored trainings made again."""

from studies.nim3p import report
from studies.nim3p.run import exact_scores, limits, trained
from studies.nim3p.variants import RESULTS, SEEDS, VARIANTS
from studies.pages import DOCS
from studies.records import Measurement, read


def numbers(found: list[Measurement]) -> list[tuple[str, dict, dict, float]]:
    return [(one.metric, one.overrides, one.condition, one.value) for one in found]


def test_the_page_is_written_from_what_is_stored(tmp_path):
    (page,) = report.write(tmp_path)
    assert page.read_text() == (DOCS / "science" / "nim3p.md").read_text()


def test_all_seeds_are_stored():
    stored = read(RESULTS)
    for variant in VARIANTS:
        seeds = {one.seed for one in report.of(variant, stored)} - {None}
        assert seeds == set(SEEDS), variant.title


def test_what_is_computed_is_stored():
    stored = numbers(read(RESULTS))
    assert all(one in stored for one in numbers(exact_scores() + limits(VARIANTS[0])))


def test_a_training_is_as_stored():
    """Seed 1 with settings as-run: scores, opening, values of the key moves."""
    found = trained(VARIANTS[0], 1)
    for one in found:
        one.condition.update({"opening": [[*s] for s in one.condition.get("opening", [])]})
    mine = [one for one in report.of(VARIANTS[0], read(RESULTS)) if one.seed == 1]
    for one in mine:
        one.condition.setdefault("opening", [])
    assert numbers(found) == numbers(mine)
