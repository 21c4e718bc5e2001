"""The study of the presets `best`: trials and presets, stored, and the page made from them."""

from pathlib import Path

import pytest

from studies.best.computed import of
from studies.best.plan import FRESH, PRESET, attempts, goals, setup
from studies.best.report import write
from studies.best.run import key, main
from studies.make.champions import LIMITS, choice_of
from studies.records import Measurement, read, results, settings_of
from tafl.errors import InputError
from tafl.runs.champions import champion_file, read_card

HOME = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One seed of everything for Nim."""
    store = tmp_path_factory.mktemp("best") / "results.jsonl"
    options = ["--rows", "nim", "--seeds", "1"]
    main(options, store)
    return store, options


def test_everything_that_was_asked_for_is_stored(made, tmp_path):
    lines = read(made[0])
    assert [key(line) for line in lines] == [key(one) for one in attempts(["nim"], 1)]
    wanted = [setup(trial) for trial in (PRESET, *goals()["nim"].trials)]
    assert [{"preset": one.preset, "overrides": one.overrides} for one in lines] == wanted
    assert [line.seed for line in lines] == [FRESH[0], *[1] * len(goals()["nim"].trials)]
    for line in lines:
        assert line.moves > line.episodes > 0
        assert 0.4 < line.value <= 0.5 + 1e-9
        assert not line.history
    _, trials = write(tmp_path / "docs", made[0])
    assert "| `start.plies=1` |" in trials.read_text()


def test_what_is_stored_is_not_made_again(made, capsys):
    store, options = made
    before = store.read_text()
    *kept, _ = before.splitlines(keepends=True)
    last = read(store)[-1]
    store.write_text("".join(kept))
    main(options, store)
    said = capsys.readouterr().out
    assert f"{len(kept)} of {len(kept) + 1} runs are already stored" in said
    assert "Nim 3x5" in said
    *same, _ = store.read_text().splitlines(keepends=True)
    assert same == kept
    again = read(store)[-1]
    for name in ("game", "preset", "overrides", "seed", "episodes", "moves", "value"):
        assert getattr(last, name) == getattr(again, name)


@pytest.mark.parametrize("option", ["--quick", "--keep", "--device=cuda", "--learners=td-farl"])
def test_options_that_a_study_does_not_have_are_refused(option, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([option], tmp_path / "results.jsonl")
    assert f"unrecognized arguments: {option}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_wrong_input_is_refused_before_anything_is_made(tmp_path):
    message = "--rows chess: unknown; available: tictactoe, nim, nim3p"
    with pytest.raises(InputError, match=message):
        main(["--rows", "chess"], tmp_path / "results.jsonl")
    assert not list(tmp_path.iterdir())


def test_every_run_can_be_planned_and_no_seed_is_judged_that_was_searched():
    for goal in goals().values():
        found = [one for one in attempts([goal.name]) if one.preset == PRESET]
        assert [one.seed for one in found] == list(FRESH)
        assert goal.seeds < FRESH[0]
        assert goal.longer in goal.trials
    for attempt in attempts(seeds=1):
        assert settings_of(attempt).seed == attempt.seed
    best, *trials = attempts(["tictactoe"], 1)
    (longer,) = [
        one for one in trials if setup(goals()["tictactoe"].longer)["overrides"] == one.overrides
    ]
    assert settings_of(longer).episodes == settings_of(best).episodes


def test_stored_runs_have_todays_lengths():
    """And the presets reach what the page says they do."""
    lines = read(results("best"))
    for goal in goals().values():
        for trial in (PRESET, *goal.trials):
            for line in of(lines, goal, trial):
                today = settings_of(Measurement(**{**vars(line), "episodes": None})).episodes
                assert line.episodes == today, key(line)
        values = [line.value for line in of(lines, goal, PRESET)]
        assert values == pytest.approx([goal.ideal] * len(FRESH))


def test_the_page_says_what_is_stored(tmp_path):
    for made in write(tmp_path):
        assert (HOME / "docs" / "science" / made.name).read_text() == made.read_text()


@pytest.mark.parametrize("name", LIMITS)
def test_champions_are_the_best_of_what_is_stored(name):
    card, choice = read_card(champion_file(name)), choice_of(name)
    assert (card.command, card.chosen) == (choice.command, choice.reason)
