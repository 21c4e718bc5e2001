"""Agents that run code, and are named only by a run or a sweep, need trust."""

import json
import shutil
import sys

import pytest

import tafl
from tafl.agents.agent import GameAgent
from tafl.agents.spec import AGENTS
from tafl.boards import trust
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.files import checksum

ENGINE = """
import sys
from pathlib import Path
Path({mark!r}).touch()
for line in sys.stdin:
    print("= pass\\n", flush=True)
"""


@pytest.fixture(autouse=True)
def undecided(tmp_path, monkeypatch):
    """Nothing is trusted yet."""
    monkeypatch.setenv("TAFL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv(trust.ALL, raising=False)
    monkeypatch.setattr(trust, "_now", set())


@pytest.fixture
def engine(tmp_path):
    """The agent of a program that leaves a mark when it is started, and the mark."""
    script, mark = tmp_path / "engine.py", tmp_path / "pwned"
    script.write_text(ENGINE.format(mark=str(mark)))
    return f"gtp(command='{sys.executable} {script}',timeout=20)", mark


CENTRE = """
from pathlib import Path
Path({mark!r}).touch()

class Centre:
    def __init__(self, game, seed):
        self.middle = game.facts.cells // 2

    def act(self, state):
        return min(state.legal_actions, key=lambda action: abs(action - self.middle))

class Silent:
    pass
"""


@pytest.fixture
def centre(tmp_path):
    """An agent of a file that leaves a mark when it is loaded, and the mark."""
    file, mark = tmp_path / "myagent.py", tmp_path / "pwned"
    file.write_text(CENTRE.format(mark=str(mark)))
    return f"{file}:Centre", mark


SHORT = {"network": {"tuples": [[0, 1]]}, "evaluation": {"every": 2, "games": 1}, "episodes": 2}


def foreign(folder, engine, **changes):
    """An unfinished run of somebody else whose settings name an engine."""
    run = tafl.train("othello", seed=1, out=folder, **SHORT, **changes)
    file = run.path / "settings.toml"
    file.write_text(file.read_text().replace('"random"', json.dumps(engine)))
    for checkpoint in run.checkpoints.iterdir():
        checkpoint.unlink()
    run.keep_metrics(0)
    return run.path


def refused(capsys):
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert "which runs code and was never run here on purpose" in said
    assert "--trust" in said


def test_resume_starts_no_program(engine, tmp_path, capsys):
    agent, mark = engine
    run = foreign(tmp_path / "run", agent)
    before = (run / "settings.toml").read_text()
    assert main(["train", "--resume", str(run), "--episodes", "40"]) == 2
    refused(capsys)
    with pytest.raises(InputError, match=r"never run here on purpose.*trust=True"):
        tafl.resume(run)
    assert not mark.exists()
    assert (run / "settings.toml").read_text() == before


def test_trust_starts_it(engine, tmp_path):
    agent, mark = engine
    run = foreign(tmp_path / "run", agent)
    with pytest.raises(InputError, match=r"illegal move|pass"):  # it plays nonsense
        tafl.resume(run, trust=True)
    assert mark.exists()
    with pytest.raises(InputError, match="never run here on purpose"):  # for that call alone
        tafl.resume(run)


def test_settings_of_a_stored_run_are_not_the_users_own(engine, tmp_path, capsys):
    agent, mark = engine
    run = foreign(tmp_path / "run", agent)
    out = tmp_path / "mine"
    line = ["train", "othello", "--settings", str(run / "settings.toml"), "--out", str(out)]
    assert main(line) == 2
    refused(capsys)
    assert main([*line, "--set", 'evaluation.opponents=["random"]']) == 0
    assert not mark.exists()


def test_the_users_own_command_needs_no_trust(engine, tmp_path):
    """Neither at the start nor later, also in a copy elsewhere; another program does."""
    agent, mark = engine
    with pytest.raises(InputError, match=r"illegal move|pass"):
        tafl.train("othello", seed=1, out=tmp_path / "run", **SHORT | {
            "evaluation": SHORT["evaluation"] | {"opponents": [agent]}})  # fmt: skip
    assert mark.exists()
    run = foreign(tmp_path / "other", agent)
    with pytest.raises(InputError, match=r"illegal move|pass"):
        tafl.resume(run)
    script = tmp_path / "engine.py"
    script.write_text(script.read_text() + "# edited\n")
    with pytest.raises(InputError, match="never run here on purpose"):
        tafl.resume(run)


def test_seeds_start_no_program(engine, tmp_path, capsys):
    agent, mark = engine
    foreign(tmp_path / "runs" / "seed-1", agent)
    assert main(["train", "--resume", str(tmp_path / "runs")]) == 2
    refused(capsys)
    assert not mark.exists()


@pytest.mark.parametrize("where", ["base", "overrides", "base.toml"])
def test_a_sweep_starts_no_program(where, engine, tmp_path, capsys):
    agent, mark = engine
    folder, settings = tmp_path / "sweep", tmp_path / "base.toml"
    settings.write_text('game = "othello"\n[network]\ntuples = [[0, 1]]\n')
    tafl.sweep(
        "othello", {"td.alpha": [0.1, 0.5]}, settings=settings, episodes=2, confirm=0, games=1,
        out=folder, trials=2,
    )  # fmt: skip
    asked = json.loads((folder / "sweep.json").read_text())
    if where == "base.toml":
        (folder / where).write_text(
            settings.read_text() + f"[evaluation]\nopponents = [{json.dumps(agent)}]\n"
        )
        asked["overrides"]["evaluation"].pop("opponents", None)
    else:
        asked[where]["evaluation"]["opponents"] = [agent]
    asked["check"] = checksum(asked)
    (folder / "sweep.json").write_text(json.dumps(asked))
    (folder / "results.json").unlink()
    shutil.rmtree(folder / "trials")
    assert main(["sweep", "--resume", str(folder)]) == 2
    refused(capsys)
    assert not mark.exists()


def test_a_model_is_judged_before_it_is_loaded(tmp_path, monkeypatch):
    """A class with a hash of its code is not made before that is trusted."""
    made = []

    class Loads(GameAgent):
        def __init__(self, game, path: str, seed: int = 0):
            made.append(path)
            super().__init__(game, seed)

        @staticmethod
        def code(path):
            return trust.code_digest([path])

        def _act(self, state):
            return state.legal_actions[0]

    monkeypatch.setattr("tafl.agents.random.Loads", Loads, raising=False)
    monkeypatch.setitem(AGENTS, "loads", "tafl.agents.random:Loads")
    model = tmp_path / "model.zip"
    model.write_bytes(b"a pickle")
    run = foreign(tmp_path / "run", f"loads:{model}")
    with pytest.raises(InputError, match="which runs code"):
        tafl.resume(run)
    assert made == []
    tafl.resume(run, trust=True)
    assert set(made) == {str(model)}


def test_a_model_of_stable_baselines_is_its_file(tmp_path):
    from tafl.adapters.sb3 import SB3Agent

    model = tmp_path / "model"
    (tmp_path / "model.zip").write_bytes(b"one")
    before = SB3Agent.code(path=str(model), algorithm="PPO")
    (tmp_path / "model.zip").write_bytes(b"other")
    assert SB3Agent.code(path=str(model)) != before


def test_an_own_agent_plays_and_is_an_opponent_of_trainings(centre, tmp_path, capsys):
    """The first player takes the centre of TicTacToe, then what is next to it."""
    spec, _ = centre
    result = tafl.match("tictactoe", [spec, spec], games=2, workers=2)
    assert [record.moves[:3] for record in result.records] == [[4, 3, 5]] * 2
    assert tafl.evaluate("exact", vs=spec, games=4, game="tictactoe").opponent == spec
    evaluation = {"every": 100, "games": 2, "opponents": [spec]}
    run = tafl.train("tictactoe", episodes=100, evaluation=evaluation, out=tmp_path / "run")
    assert run.metrics[-1]["results"][0]["opponent"] == spec
    assert main(["tournament", "tictactoe", spec, "random", "--games", "4", "--json"]) == 0
    standings = json.loads(capsys.readouterr().out)["agents"]
    assert {one["agent"] for one in standings} == {spec, "random"}


def test_own_agent_that_only_a_run_names_needs_trust(centre, tmp_path, capsys):
    spec, mark = centre
    path = foreign(tmp_path / "run", spec)
    assert main(["train", "--resume", str(path)]) == 2
    refused(capsys)
    assert not mark.exists()
    tafl.resume(path, trust=True)
    assert mark.exists()


def test_mistakes_in_an_own_agent_are_told_in_one_line(centre, tmp_path):
    file = centre[0].partition(":")[0]
    (tmp_path / "broken.py").write_text("class Centre:\n    def __init__(self, depth): pass\n")
    for spec, said in {
        f"{tmp_path / 'nowhere.py'}:Centre": "there is no file",
        f"{file}:Corner": "has no class Corner",
        f"{file}:Silent": "an agent needs a method act",
        f"{tmp_path / 'broken.py'}:Centre": "missing 1 required positional argument: 'depth'",
    }.items():
        with pytest.raises(InputError, match=said):
            tafl.match("tictactoe", [spec, "random"], games=2)
