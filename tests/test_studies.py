"""Studies: their command, their pages, and every line that they have stored."""

import json
from pathlib import Path

import pytest

from studies.__main__ import main, names
from studies.pages import history_note, write_page
from studies.records import (
    HOME,
    Measurement,
    append,
    by_training,
    marked,
    read,
    results,
    where,
)
from tafl.errors import InputError

ONE = Measurement(
    study="best",
    game="nim",
    metric="win_rate",
    value=0.5,
    error=0.01,
    n=100,
    preset="as-run",
    overrides={"td.lambda": 0.0, "start.plies": 2},
    seed=1,
    against="exact",
    condition={"role": "first"},
)


def test_what_is_stored_is_read_as_it_was(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    append(path, [ONE])
    append(path, [marked(ONE), ONE])
    assert read(path) == [ONE] * 3
    assert "device" not in json.loads(path.read_text().splitlines()[0]), "defaults are left out"
    assert read(tmp_path / "nothing") == []


def test_a_damaged_line_is_found(tmp_path):
    path = tmp_path / "results.jsonl"
    append(path, [ONE, ONE])
    content = path.read_bytes()
    for k in range(0, content.index(b"\n"), 5):
        damaged = bytearray(content)
        damaged[k] ^= 129
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="line 1 is damaged: delete it"):
            read(path)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"metric": "win rate, against ab"}, "unknown metric win rate, against ab; available: act"),
        ({"condition": {"level": 1}}, "unknown condition level; available: algo"),
    ],
)
def test_names_are_from_the_lists(changed, message, tmp_path):
    with pytest.raises(InputError, match=message):
        append(tmp_path / "results.jsonl", [Measurement(**{**vars(ONE), **changed})])
    assert not (tmp_path / "results.jsonl").exists()


def test_measurements_are_found_by_fields_and_conditions():
    other = Measurement(**{**vars(ONE), "seed": 2, "condition": {"role": "second"}})
    assert where([ONE, other], game="nim", role="second") == [other]
    assert where([ONE, other], starts="start") == []
    assert by_training([ONE, other, ONE]) == [[ONE, ONE], [other]]


def test_settings_that_no_longer_exist_make_a_line_history():
    gone = marked(Measurement(**{**vars(ONE), "overrides": {"td.noise": 0.1}}))
    assert gone.history
    assert not marked(ONE).history
    assert history_note([ONE, gone, gone]).startswith("1 trainings on this page used settings")
    assert history_note([ONE]) == "All settings of the trainings on this page still exist."


def test_a_page_begins_with_the_command_that_writes_it(tmp_path):
    template = HOME / "__init__.py"  # any file without places
    page = write_page(tmp_path / "docs" / "one.md", template, "python -m studies one report", {})
    first, _, rest = page.read_text().partition("\n\n")
    source = "studies/__init__.py"
    assert first == (
        f"<!-- Written by `python -m studies one report`; to change the words, edit {source}. -->"
    )
    assert rest == template.read_text()


def test_studies_are_listed(capsys):
    main([])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == names()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess", "run"], "unknown study chess; available: "),
        (["all", "run"], "unknown study all"),
        (["report"], "usage: python -m studies"),
    ],
)
def test_wrong_commands_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        main(arguments)


@pytest.mark.parametrize("study", names())
def test_a_study_has_the_files_that_all_have(study):
    for name in ("__init__.py", "run.py", "report.py", "page.md"):
        assert (HOME / study / name).is_file(), name


@pytest.mark.parametrize("path", sorted(HOME.glob("*/results.jsonl")), ids=lambda p: p.parent.name)
def test_stored_lines_are_sound_and_their_settings_exist_unless_they_are_history(path: Path):
    """Reading refuses damaged lines, unknown metrics and unknown conditions."""
    found = read(path)
    assert found
    assert path == results(path.parent.name)
    assert {one.study for one in found} == {path.parent.name}
    for some in by_training(one for one in found if one.agent):  # others need no training
        assert {one.history for one in some} == {marked(some[0]).history}, some[0]
