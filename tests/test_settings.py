"""Settings: what is refused and how it is said, presets against the paper, TOML there and back."""

import json
import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tafl
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.settings.build import horizon, make_td, make_tuples
from tafl.settings.model import Settings
from tafl.settings.presets import compose, presets_of
from tafl.settings.tables import merged, nested, parse_assignments
from tafl.training.plan import prepare

GAMES = ["tictactoe", "connectfour", "hex", "othello", "nim", "nim3p", "2048"]
LEARNING = {
    "alpha": st.floats(1e-6, 1000),
    "epsilon": st.floats(0, 1),
    "gamma": st.floats(0, 1),
    "lambda": st.floats(0, 0.999),
    "eligibility": st.sampled_from(["standard", "reset"]),
    "farl_others": st.booleans(),
}

WRONG = {  # assignments -> what the message has to name
    "td.alpha=-1": "td.alpha",
    "td.alpha=0": "td.alpha",
    "td.alpha=nan": "td.alpha",
    "td.alpha=inf": "td.alpha",
    "td.alpha=1e300": "td.alpha",
    'td.alpha="1"': "td.alpha",
    "td.alpha=true": "td.alpha",
    "td.alpha=[1.0]": "td.alpha",
    "td.alpha=": "td.alpha",
    "td.alpha_final=0": "td.alpha_final",
    "td.alpha_schedule=cosine": "td.alpha_schedule",
    "td.epsilon=1.5": "td.epsilon",
    "td.epsilon=-0.1": "td.epsilon",
    "td.epsilon_final=2": "td.epsilon_final",
    "td.gamma=1.01": "td.gamma",
    "td.lambda=1": "td.lambda",
    "td.lambda=-0.5": "td.lambda",
    "td.horizon_cut=0": "td.horizon_cut",
    "td.horizon_cut=1": "td.horizon_cut",
    "td.eligibility=replace": "td.eligibility",
    "td.farl_others=1": "td.farl_others",
    "td.farl_terminal=yes": "td.farl_terminal",
    "td.alhpa=0.5": "did you mean td.alpha?",
    "td.lambda_=0.5": "did you mean td.lambda?",
    "td=0.5": "td",
    "td.backward=-1": "td.backward",
    "td.backward=1": "td.backward = 1: must be 0, or at least 2",
    "td.backward=100001": "td.backward",
    "td={backward=9,lambda=0.5}": "td: backward and lambda exclude each other; set one of them",
    "start.plies=-1": "start.plies",
    "start.plies=1.5": "start.plies",
    "start.probability=2": "start.probability",
    "network.tuples=chess-1": "chess-1",
    "network.tuples=connectfour-1": "boards with 42 cells",
    "network.tuples=5": "network.tuples",
    "network.tuples=[1, 2]": "network.tuples",
    "network.tuples=[[0, 1.5]]": "network.tuples",
    "network.tuples=[]": "n-tuple",
    "network.tuples=[[0, 36]]": "cell 36",
    "network.tuples=random-walk": "network: number is missing",
    "network.tuples=lines": "this game has no lines; use random-walk or random-points n-tuples",
    "network.number=0": "network.number",
    "network.length=0": "network.length",
    "network.length=37": "length of n-tuples must be 1 to 36, the cells of the game, not 37",
    "network.length=20": "more than the limit of 4,294,967,295",
    "network.sigma=relu": "network.sigma",
    "network.symmetries=0": "network.symmetries",
    "network.symmetries=1.5": "network.symmetries",
    "coherence.transfer=log": "coherence.transfer",
    "coherence.beta=0": "coherence.beta",
    "coherence.init=0": "coherence.init",
    "coherence.accumulate=both": "coherence.accumulate",
    "evaluation.every=-1": "evaluation.every",
    "evaluation.opponents=random": "evaluation.opponents",
    'evaluation.opponents=["gandalf"]': "evaluation.opponents: there is no agent 'gandalf'",
    "evaluation.games=0": "evaluation.games",
    "checkpoint.every_seconds=-1": "checkpoint.every_seconds",
    "episodes=0": "episodes",
    "episodes=1.5": "episodes",
    "episodes=many": "episodes",
    "seed=-1": "seed",
    "seed=9223372036854775808": "seed",
    "threads=0": "threads",
    "algo=ppo": "algo",
    "speed=fast": "unknown setting speed",
    "network.depth.x=1": "unknown setting network.depth",
    "td.alpha": "expected NAME=VALUE, such as td.alpha=0.5",
    ".alpha=1": "expected NAME=VALUE, such as td.alpha=0.5",
    "=1": "expected NAME=VALUE, such as td.alpha=0.5",
}


@pytest.mark.parametrize("assignment", WRONG)
def test_wrong_settings_are_refused_in_one_line_before_anything_is_made(assignment, tmp_path):
    with pytest.raises(InputError) as refused:
        tafl.train("hex", out=tmp_path / "run", **parse_assignments([assignment]))
    message = str(refused.value)
    assert WRONG[assignment] in message
    assert "\n" not in message
    assert "validation error" not in message
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"td = {", "is not TOML"),
        (b"\xff\xfe", "is not TOML"),
        (b"[td]\nalhpa = 1.0", "did you mean td.alpha?"),
        (b'game = "connectfour"', "is for connectfour, not for hex"),
        (b"game = 5", "game = 5: must name a game"),
    ],
)
def test_wrong_files_are_refused(content, message, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"[^\n]*") as refused:
        tafl.train("hex", settings=file, out=tmp_path / "run")
    assert message in str(refused.value)
    assert not (tmp_path / "run").exists()


def test_missing_files_and_unknown_presets_are_refused(tmp_path):
    with pytest.raises(InputError, match="settings file not found"):
        tafl.train("hex", settings=tmp_path / "none.toml")
    with pytest.raises(InputError, match="has no preset 'good'; it has: as-run, best, paper"):
        tafl.train("othello", preset="good")
    with pytest.raises(InputError, match="use either a settings file or a preset, not both"):
        compose(tafl.game("hex"), "paper", "mine.toml")
    with pytest.raises(InputError, match="name a game, or a settings file that names one"):
        tafl.train()


def test_preset_paper_is_the_appendix():
    """Typed from the appendix: alpha, epsilon (first, last), lambda, episodes, evaluation."""
    appendix = {
        "2048": (1.0, 1.0, 0.0, 0.0, 0.0, 200_000, 5_000, "identity", "id"),
        "tictactoe": (1.0, 0.5, 0.1, 0.0, 0.0, 30_000, 1_000, "tanh", "off"),
        "connectfour": (3.7, 3.7, 0.1, 0.0, 0.0, 5_000_000, 100_000, "tanh", "exp"),
        "hex": (1.0, 0.5, 0.2, 0.2, 0.0, 300_000, 10_000, "tanh", "id"),
        "othello": (0.2, 0.2, 0.2, 0.2, 0.5, 250_000, 2_000, "tanh", "exp"),
        "nim": (0.5, 0.5, 0.1, 0.1, 0.5, 20_000, 1_000, "tanh", "id"),
        "nim3p": (0.2, 0.2, 0.15, 0.15, 0.5, 300_000, 10_000, "tanh", "id"),
    }
    for name, numbers in appendix.items():
        s = compose(tafl.game(name), "paper")
        td = (s.td.alpha, s.td.alpha_final, s.td.epsilon, s.td.epsilon_final, s.td.lambda_)
        rest = (s.episodes, s.evaluation.every, s.network.sigma, s.coherence.transfer)
        assert td + rest == numbers, name
        assert s.td.alpha_schedule == "linear"
        assert not any((s.td.learn_from_start, s.td.zero_next, s.td.trace_across_episodes))
        assert s.td.zero_terminal


def test_preset_as_run_is_what_the_logs_say():
    """The authors' stored settings, in their words."""
    logs = json.loads((Path(__file__).parent / "data" / "settings_as_run.json").read_text())
    for name, log in logs.items():
        game = tafl.game(name)
        s = compose(game, "as-run")
        assert [s.td.alpha, s.td.alpha_final] == log["alpha"], name
        assert [s.td.epsilon, s.td.epsilon_final] == log["epsilon"]
        assert s.td.lambda_ == log["lam"]
        assert horizon(s.td) == log.get("horizon", 1)
        assert s.td.eligibility == ("reset" if log.get("elig") == "RESET" else "standard")
        assert s.network.sigma == {"tanh": "tanh", "none": "identity"}[log["sigmoid"]]
        assert s.coherence.transfer == log["tc"]
        assert s.td.learn_from_random_moves == log["learn_from_rm"]
        assert (s.start.plies > 0) == log["choose_start01"]
        assert s.episodes == log["episodes"]
        assert s.evaluation.every == log["num_eval"]
        boards = len(game.facts.symmetries) if s.network.symmetries else 1
        assert boards == log["symmetry"]
        assert s.td.alpha_schedule == "geometric"
        assert s.td.learn_from_start == (name != "2048")
        assert s.td.zero_next
        assert s.td.trace_across_episodes
        assert not s.td.zero_terminal


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_both_presets_and_their_tuples_fit(name):
    game = tafl.game(name)
    assert presets_of(game) == ["as-run", "best", "paper"]
    for preset in presets_of(game):
        assert make_tuples(game, compose(game, preset))


def test_a_board_that_the_preset_does_not_fit_gets_settings_of_its_own():
    game = tafl.game("nim(heaps=4)")
    settings = compose(game)
    assert settings.network.tuples in ("random-walk", "random-points")
    assert make_tuples(game, settings)
    with pytest.raises(InputError, match="boards with 3 cells; this one has 4"):
        make_tuples(game, compose(game, "paper"))


@given(st.fixed_dictionaries({}, optional=LEARNING))
def test_toml_there_and_back(learning):
    settings = Settings.of({"game": "nim", "td": learning, "network": {"tuples": [[0, 1], [2]]}})
    again = Settings.of(tomllib.loads(settings.toml()))
    assert again == settings
    assert again.tree() == settings.tree()


def test_a_rate_without_a_final_value_is_constant():
    td = Settings.of({"game": "nim", "td": {"alpha": 0.3}, "network": {"tuples": "nim-1"}}).td
    assert (td.alpha, td.alpha_final) == (0.3, 0.3)
    assert compose(tafl.game("connectfour"), overrides={"td": {"alpha": 2.0}}).td.alpha_final == 2.0


@given(st.floats(0.01, 0.99), st.floats(1e-4, 0.99))
def test_horizon_keeps_the_terms_above_the_cut(lam, cut):
    """Terms k = 0 ... h - 1 have lambda^k >= cut, the next has not."""
    tree = {
        "game": "nim",
        "td": {"lambda": lam, "horizon_cut": cut},
        "network": {"tuples": "nim-1"},
    }
    h = horizon(Settings.of(tree).td)
    exact = math.log(cut) / math.log(lam)
    assert h - 1 <= exact < h
    assert h == 1 or lam ** (h - 1) >= cut * (1 - 1e-9)


def test_horizons_of_the_paper():
    """lambda = .5: cut .1 gives 4 terms, cut .01 gives 7; lambda = 0 gives 1."""
    assert horizon(compose(tafl.game("nim")).td) == 4
    assert horizon(compose(tafl.game("othello")).td) == 7
    assert horizon(compose(tafl.game("connectfour")).td) == 1


def test_settings_reach_the_kernel():
    tree = {"td.lambda": 0.5, "td.eligibility": "reset", "td.alpha_schedule": "geometric"}
    more = {"start.plies": 2, "start.probability": 0.25, "td.learn_from_random_moves": False}
    more["start.again"] = 0.75
    td = make_td(compose(tafl.game("hex"), overrides=nested({**tree, **more})))
    assert (td.lam, td.reset, td.alpha_linear) == (0.5, True, False)
    assert (td.start_plies, td.start_probability, td.learn_from_random) == (2, 0.25, False)
    assert td.start_again == 0.75


def test_learning_backwards_is_for_td_alone():
    game, backward = tafl.game("2048"), {"td": {"backward": 9}}
    assert make_td(compose(game, None, None, backward)).backward == 9
    for algo in ("sarsa", "q"):  # a preset may have what has no effect
        lam = {"algo": algo, "td": {"lambda": 0.5}}
        assert make_td(compose(game, "best", None, lam)).backward == 0
        with pytest.raises(InputError, match=f"td.backward has no effect with {algo}"):
            compose(game, None, None, {"algo": algo, **backward})


def test_new_tuples_forget_the_number_of_random_ones():
    settings = compose(tafl.game("hex"), overrides={"network": {"tuples": "hex-2"}})
    assert settings.network.number is None
    assert len(make_tuples(tafl.game("hex"), settings)) == 25


def test_printed_settings_train_the_same_agent(tmp_path, capsys):
    for options in ("hex", "tictactoe --algo sarsa", "nim --preset as-run"):
        assert main(["settings", *options.split()]) == 0
        file = tmp_path / "mine.toml"
        file.write_text(capsys.readouterr().out)
        assert main(["settings", *options.split(), "--json"]) == 0
        tree = json.loads(capsys.readouterr().out)
        assert Settings.read(file).tree() == tree
        assert prepare(None, None, file, {}).settings.tree() == tree
    assert main(["settings", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == ["game", "network"]
    assert main(["settings"]) == main(["settings", "hex", "--schema"]) == 2


def test_assignments_are_toml_values():
    tree = parse_assignments(["td.alpha=1", "network.tuples=[[0,1]]", "a.b.c=x y", 'd="#"'])
    assert tree == {
        "td": {"alpha": 1},
        "network": {"tuples": [[0, 1]]},
        "a": {"b": {"c": "x y"}},
        "d": "#",
    }


def test_merging_leaves_its_arguments_alone():
    below, above = {"td": {"alpha": 1.0}}, {"td": {"gamma": 0.9}}
    assert merged(below, above) == {"td": {"alpha": 1.0, "gamma": 0.9}}
    assert (below, above) == ({"td": {"alpha": 1.0}}, {"td": {"gamma": 0.9}})
