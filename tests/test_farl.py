"""The study of FARL: what it is worth, the rule for it, and the page."""

import json
from pathlib import Path

import numpy as np
import pytest

import tafl
from studies.__main__ import main
from studies.farl import numbers, report, run
from studies.farl.known import Known, came_up_again, known
from studies.farl.naive import make_naive, naive_action
from studies.farl.numbers import learner_of
from studies.farl.stored import RESULTS, Stored, store_predictions
from studies.farl.subjects import SEEDS, Subject, Trial, subjects, trials
from studies.farl.tables import kind_table, prediction_table, worth_table
from studies.farl.traits import traits
from studies.farl.unseen import NETWORK, TABLE, TOTALS, TRUE, make_trial, value_moves
from studies.records import Measurement, append
from tafl.core.games.nim import Nim
from tafl.errors import InputError

HOME = Path(__file__).parent.parent
UNKNOWN = -0.25  # what a network makes of positions that nobody learns


def by_hand(rules: Nim, by_action: bool) -> np.ndarray:
    """Values of the moves of the start position, where nobody explores; in plain Python."""
    trial = make_trial(rules.facts(), by_action, 0.0, 4, 3, UNKNOWN)
    rules.start(trial.state)
    with np.errstate(over="ignore"):
        n = value_moves(rules, trial, np.array([1], np.uint64), np.zeros(TOTALS))
    return trial.values[[TRUE, TABLE, NETWORK], :n]


def test_a_loss_that_no_one_learns_of():
    # leave three: the other cannot win, we do; leave two: the other takes both, we learn nothing
    assert by_hand(Nim(1, 4, 2), False).T.tolist() == [[1, 1, 1], [-1, 0, UNKNOWN]]


def test_a_win_that_no_one_learns_of():
    # leave two: the other leaves one, which we must take; leave one: the other must take it
    assert by_hand(Nim(1, 3, 2, True), False).T.tolist() == [[-1, -1, -1], [1, 0, UNKNOWN]]


def test_with_q_the_loser_learns_and_the_winner_does_not():
    assert by_hand(Nim(1, 4, 2), True).T.tolist() == [[1, 0, UNKNOWN], [-1, -1, -1]]


def test_naive_players_take_the_highest_reward():
    rules, state = Nim(1, 2, 2), np.zeros(3, np.int64)
    rules.start(state)
    naive, rng = make_naive(rules.facts()), np.array([1], np.uint64)
    with np.errstate(over="ignore"):
        assert {int(naive_action(rules, state, naive, rng)) for _ in range(10)} == {1}  # take both
        rules = Nim(1, 2, 2, True)
        assert {int(naive_action(rules, state, naive, rng)) for _ in range(10)} == {0}


def test_positions_come_up_again():
    rng = np.array([1], np.uint64)
    assert came_up_again(tafl.game("nim(heaps=1,stones=3)"), "td", 500, rng) == 1.0
    assert came_up_again(tafl.game("nim(heaps=16,stones=5)"), "q", 20, rng) < 0.5


def test_what_was_sampled_is_sampled_again():
    found = known(tafl.game("nim"), "td", subjects()["nim"].episodes)
    stored = Stored().known["nim", "td"]
    assert {key: round(value, 4) for key, value in vars(found).items()} == vars(stored)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nim", {"players": 2, "won": 1.0, "lost": 0.0, "on_the_way": 0.0, "again": 0.0}),
        ("nim(misere=true)", {"won": 0.0, "lost": 1.0}),
        ("nim3p", {"players": 3, "won": 0.0, "lost": 1.0}),
        ("2048", {"players": 1, "chance": True, "on_the_way": 1.0, "by_chance": 1.0}),
        ("dotsandboxes(rows=1,cols=1)", {"on_the_way": 0.0, "won": 1.0}),
        ("dotsandboxes(rows=2,cols=2)", {"on_the_way": 1.0, "again": 1.0, "by_chance": 0.0}),
    ],
)
def test_traits(name, expected):
    found = vars(traits(tafl.game(name), 20))
    assert {key: found[key] for key in expected} == expected


def lines(**ways: list[float]) -> list[Measurement]:
    return [
        Measurement(
            study="farl",
            game="g",
            metric="score",
            value=value,
            seed=seed,
            condition={"learner": way.replace("_", "-")},
        )
        for way, values in ways.items()
        for seed, value in enumerate(values)
    ]


def test_what_is_kept():
    runs = lines(td_untrained=[0, 0], td_farl=[1.0, 1.0], td_no_farl=[0.2, 0.3], q_farl=[1.0])
    assert numbers.kept(runs, "g", "td") == numbers.Share(0.25, pytest.approx(0.05))
    assert numbers.kept(runs, "g", "q") is None  # nothing to compare with
    assert (
        numbers.kept(lines(td_untrained=[0, 1], td_farl=[0, 1.1], td_no_farl=[1, 0]), "g", "td")
        is None
    )


def test_the_rule_is_a_straight_line():
    subject = subjects()["nim"]
    shares = [Known(share, 0.0, 1.0, 0.0) for share in (0.0, 0.5, 1.0)]
    found = [
        numbers.Point(subject, "td", one, numbers.Share(0.1 + 0.8 * one.share, 0.0))
        for one in shares
    ]
    rule = numbers.fitted(found)
    assert [round(x, 9) for x in (rule.intercept, rule.slope, rule.spread)] == [0.1, 0.8, 0.0]
    assert rule.predicted(Known(0.5, 0.1, 0.5, 0.0)) == pytest.approx(0.1 + 0.8 * 0.3)


def test_predictions_are_never_changed(tmp_path):
    file, everything = tmp_path / "results.jsonl", Stored()
    sampled, runs = everything.known, everything.runs
    every = list(subjects().values())
    old = {subject.name for subject in every if not subject.new}
    before = [run for run in runs if run.game in old]
    store_predictions(file, before, sampled, every)
    first, made = file.read_text(), Stored(file)
    assert set(made.said) == {subject.name for subject in every if subject.new}
    store_predictions(file, runs, {}, every)
    assert file.read_text() == first
    # and they are those that are stored
    assert everything.stored_rule == made.stored_rule
    assert everything.said == made.said


def test_the_pages_are_what_is_stored(tmp_path):
    for page in report.write(tmp_path)[: len(report.TEMPLATES)]:
        assert page.read_text() == (HOME / "docs" / "science" / page.name).read_text()
    for name in ("farl-rule.png", "farl-ways.png"):
        assert (tmp_path / "img" / name).stat().st_size > 10_000
    stored = Stored()
    assert len(prediction_table(stored)[1]) == len(stored.new)
    assert len(worth_table(stored)[1]) == len(stored.subjects) == len(subjects())


def test_every_run_is_there():
    stored = Stored()
    made = {(run.game, learner_of(run), run.seed) for run in stored.runs}
    assert {trial.key for trial in trials()} == made
    assert set(stored.traits) == set(subjects())


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two seeds of two ways to learn Nim, with what was sampled before."""
    file = tmp_path_factory.mktemp("farl") / "results.jsonl"
    sampled = [one for one in Stored().records if one.game == "nim" and one.metric != "score"]
    append(file, sampled)
    options = ["--rows", "nim", "--seeds", "2", "--learners", "td-farl,td-no-farl,td-untrained"]
    run.main(options, file)
    return file, options, len(sampled)


def test_runs_are_those_that_are_stored(made):
    file, _, sampled = made
    fresh = {(learner_of(r), r.seed): (r.moves, r.value) for r in Stored(file).runs}
    stored = {(learner_of(r), r.seed): (r.moves, r.value) for r in Stored().runs if r.game == "nim"}
    assert len(fresh) == 6
    assert len(Stored(file).records) == sampled + 6
    assert fresh.items() <= stored.items()


def test_what_is_stored_is_not_made_again(made):
    file, options, _ = made
    before = file.read_text()
    *kept, last = before.splitlines(keepends=True)
    file.write_text("".join(kept))
    run.main(options, file)
    assert kind_table(Stored(file))[1][0][0] == "Nim 3x5"
    *same, again = file.read_text().splitlines(keepends=True)
    assert same == kept
    assert json.loads(again)["value"] == json.loads(last)["value"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rows", "chess"], "--rows chess: unknown; available: tictactoe, connectfour"),
        (["--learners", "ppo"], "--learners ppo: unknown; available: td-farl, td-part-1"),
        (["--seeds", "0"], "--seeds must be 1 to"),
    ],
)
def test_wrong_input(arguments, message):
    before = RESULTS.read_bytes()
    with pytest.raises(InputError, match=message):
        main(["farl", "run", *arguments])
    assert RESULTS.read_bytes() == before


def test_networks_are_not_too_large():
    for subject in (Subject("connectfour", "", 10), Subject("2048", "", 10), subjects()["nim"]):
        network = subject.settings(subject.ways[0], 1).network
        facts = subject.game.facts
        weights = facts.players * facts.actions * network.number * facts.values**network.length
        assert network.number == 1 or weights <= 6_000_000
        assert subject.settings(subject.ways[0], 1).td.farl_others
    assert [Trial(subject, way, SEEDS).way.name for way in subject.ways][3] == "td-no-farl"
