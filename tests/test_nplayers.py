"""The study of three and more players: its page, its trials, and the small champions."""

import pytest

import tafl
from studies.make.small_champions import PLAN
from studies.nplayers import report
from studies.nplayers.plan import PARTS, RESULTS
from studies.nplayers.run import about
from studies.pages import DOCS
from studies.records import read, settings_of
from tafl.settings.build import make_tuples
from tafl.settings.presets import compose
from tafl.settings.tables import nested


def test_the_page_is_written_from_what_is_stored(tmp_path):
    for path in report.write(tmp_path):
        page = DOCS / path.relative_to(tmp_path)
        assert page.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", PARTS)
def test_settings_of_trials_exist_and_their_n_tuples_fit(part):
    for trial in PARTS[part]:
        one = about(trial, trial.seeds[0])
        assert make_tuples(tafl.game(trial.game), settings_of(one))


def test_every_stored_training_is_one_of_the_plan():
    def key(one):
        return one.game, one.preset, str(one.overrides), one.device

    planned = {key(about(trial, 1)) for trials in PARTS.values() for trial in trials}
    assert {key(one) for one in read(RESULTS)} <= planned


@pytest.mark.parametrize("name", PLAN)
def test_settings_of_small_champions_fit_their_games(name):
    game, plan = tafl.game(name), PLAN[name]
    settings = compose(game, plan.preset or None, None, nested(plan.settings))
    assert make_tuples(game, settings)
