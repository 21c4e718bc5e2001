"""tafl reproduce best: trials and presets, stored, and the page made from them."""

import json
from pathlib import Path

import pytest

from tafl.cli.main import main
from tafl.errors import InputError
from tafl.reproduction.best import (
    FRESH,
    PRESET,
    STORE,
    attempts,
    goals,
    key,
    load_lines,
    of,
    write_page,
)

HOME = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One seed of everything for Nim."""
    out = tmp_path_factory.mktemp("best")
    command = ["reproduce", "best", "--rows", "nim", "--seeds", "1", "--out", str(out)]
    assert main(command) == 0
    return out, command


def test_everything_that_was_asked_for_is_stored(made):
    lines = load_lines(made[0] / "results")
    assert [key(line) for line in lines] == [a.key for a in attempts(["nim"], 1)]
    assert {line["trial"] for line in lines} == {PRESET, *goals()["nim"].trials}
    assert [line["seed"] for line in lines] == [FRESH[0], *[1] * len(goals()["nim"].trials)]
    for line in lines:
        assert line["moves"] > line["episodes"] > 0
        assert 0.4 < line["value"] <= 0.5 + 1e-9
    assert "| `start.plies=1` |" in (made[0] / "docs" / "best.md").read_text()


def test_what_is_stored_is_not_made_again(made, capsys):
    out, command = made
    store = out / "results" / STORE
    before = store.read_text()
    *kept, last = before.splitlines(keepends=True)
    store.write_text("".join(kept))
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rows"][0]["game"] == "Nim 3x5"
    *same, remade = store.read_text().splitlines(keepends=True)
    assert same == kept
    first, again = json.loads(last), json.loads(remade)
    for name in ("game", "trial", "seed", "episodes", "moves", "value"):
        assert first[name] == again[name]


def test_a_damaged_line_is_found(made, tmp_path):
    content = (made[0] / "results" / STORE).read_bytes()
    for k in range(0, content.index(b"\n"), 5):
        damaged = bytearray(content)
        damaged[k] ^= 129
        (tmp_path / STORE).write_bytes(damaged)
        with pytest.raises(InputError, match="line 1 is damaged: delete it"):
            load_lines(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rows", "chess"], "--rows chess: unknown; available: tictactoe, nim, nim3p"),
        (["--quick"], "--quick does not go with best; remove it"),
        (["--keep"], "--keep does not go with best; remove it"),
        (["--device", "cuda"], "--device does not go with best; remove it"),
        (["--learners", "td-farl"], "--learners does not go with best; remove it"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_made(arguments, message, tmp_path, capsys):
    assert main(["reproduce", "best", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_every_run_can_be_planned_and_no_seed_is_judged_that_was_searched():
    for goal in goals().values():
        found = [a for a in attempts([goal.name]) if a.trial is None]
        assert [a.seed for a in found] == list(FRESH)
        assert goal.seeds < FRESH[0]
        assert goal.longer in goal.trials
    for attempt in attempts(seeds=1):
        settings = attempt.plan().settings
        assert settings.seed == attempt.seed
    longer = {a.trial: a.plan().settings.episodes for a in attempts(["tictactoe"], 1)}
    assert longer[goals()["tictactoe"].longer] == longer[None]


def test_stored_runs_have_todays_lengths():
    """And the presets reach what the page says they do."""
    lines = load_lines(HOME / "results")
    for attempt in attempts(seeds=1):
        for line in of(lines, attempt.goal, attempt.key[1]):
            assert line["episodes"] == attempt.plan().settings.episodes, attempt.key
    for goal in goals().values():
        values = [line["value"] for line in of(lines, goal, PRESET)]
        assert values == pytest.approx([goal.ideal] * len(FRESH))


def test_the_page_says_what_is_stored(tmp_path):
    made = write_page(HOME / "results", tmp_path)
    assert (HOME / "docs" / "best.md").read_text() == made.read_text()
