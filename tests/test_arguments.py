"""Arguments in Python are checked as options are: one line says what would be right."""

import pytest

import tafl
from tafl.errors import InputError
from tafl.training.plan import prepare

GAMES = {"game": "tictactoe", "games": 2}
PAIR = ["random", "random"]
NUMBER = "must be a whole number, not"
SPACE = {"td.alpha": "0.1..1"}

WRONG = {
    "games must be a whole number, not '2'": lambda: tafl.evaluate("random", game="hex", games="2"),
    "games must be a whole number, not 2.5": lambda: tafl.match("nim", PAIR, games=2.5),
    "games must be a whole number, not True": lambda: tafl.tournament("nim", PAIR, games=True),
    "games must be at least 1, not 0": lambda: tafl.check("nim", games=0),
    "games must be a whole number, not 'all'": lambda: tafl.check("nim", games="all"),
    "workers must be a whole number, not 1.5": lambda: tafl.match("nim", PAIR, 2, workers=1.5),
    "a seed must be a whole number from 0 to 2": lambda: tafl.check("nim", seed=-1),
    "roles must be all, first, second or the number of a player from 0 to 1, not 'third'": (
        lambda: tafl.evaluate("random", **GAMES, roles="third")
    ),
    "roles must be all, first, second or the number of a player from 0 to 1, not 2": (
        lambda: tafl.evaluate("random", **GAMES, roles=2)
    ),
    "roles must be all, first, second or 0, not 'second'": (
        lambda: tafl.evaluate("random", game="2048", games=1, roles="second")
    ),
    "unknown start 'begin'": lambda: tafl.match("nim", PAIR, starts="begin"),
    "vs must be text, not 3": lambda: tafl.evaluate("random", vs=3, **GAMES),
    "agents must be a list of agents, not 'random'": lambda: tafl.match("nim", "random"),
    "an agent must be text, or have act(state); 1 has not": lambda: tafl.match("nim", [1, 2]),
    "an agent must be text, not 5": lambda: tafl.agent(5, "hex"),
    "agents must be a list of agents, not 5": lambda: tafl.exploitability(5),
    "algo = 'ppo': must be": lambda: tafl.train("nim", algo="ppo"),
    "device = 'tpu': must be": lambda: tafl.train("nim", device="tpu"),
    "has no preset 'better'": lambda: tafl.train("nim", preset="better"),
    "td.farl_others = 'off': must be": lambda: tafl.train("nim", farl="off"),
    "minutes must be a number, not '1'": lambda: tafl.train("nim", minutes="1"),
    "settings must be text or a path, not 5": lambda: tafl.train("nim", settings=5),
    "evaluation.roles = 'third': must be": lambda: prepare("nim", None, None, of(roles="third")),
    "evaluation.roles: it must be all, first, second or the number": (
        lambda: prepare("nim", None, None, of(roles=2))
    ),
    "executor must be local or ray, not 'cloud'": (
        lambda: tafl.sweep("nim", SPACE, executor="cloud", episodes=5)
    ),
    "there is no sampler best": lambda: tafl.sweep("nim", SPACE, sampler="best", episodes=5),
    "trials must be a whole number, not '3'": (
        lambda: tafl.sweep("nim", SPACE, trials="3", episodes=5)
    ),
    "a run or an agent must be text or a path, not 5": lambda: tafl.load(5),
    "run must be a tafl.Run, not 5": lambda: tafl.save(5, "nim.agent"),
    "a run must be text or a path, not 5": lambda: tafl.compare(5),
    "a position must be text, not 5": lambda: tafl.position(5),
    "a game must be text or a path, not 5": lambda: tafl.trust(5),
}  # fmt: skip


def of(**evaluation):
    """Return changes of the evaluation."""
    return {"evaluation": evaluation}


@pytest.mark.parametrize("said", WRONG)
def test_wrong_argument_is_refused_in_one_line(said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        WRONG[said]()
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("roles", "player"), [("first", 0), ("second", 1), (1, 1), (2, 2)])
def test_an_agent_can_play_one_role(roles, player):
    """The games are those of all roles in which it is that player."""
    wanted = tafl.evaluate("exact", "random", 12, roles=roles, game="nim3p", seed=3)
    every = tafl.evaluate("exact", "random", 36, game="nim3p", seed=3)
    expected = [record for record in every.records if record.number % 3 == player]
    assert wanted.records == expected
    assert wanted.only_role == wanted.document()["role"] == player
    assert wanted.roles == [every.roles[player]] == [wanted.mean]
    assert every.only_role is None


def test_a_run_is_evaluated_in_one_role(tmp_path):
    judged = {"every": 5, "games": 4, "roles": "second", "opponents": ["random"]}
    run = tafl.train("nim", episodes=5, evaluation=judged, out=tmp_path / "run")
    (result,) = run.metrics[0]["results"]
    assert (result["games"], result["role"], len(result["roles"])) == (4, 1, 1)
    assert tafl.Run.open(run.path).settings.evaluation.roles == "second"
