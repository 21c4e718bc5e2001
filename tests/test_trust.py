"""Looking runs no code, what is run is trusted; runs can be moved; no link is followed."""

import shutil
import subprocess
import sys

import pytest

import tafl
from planted import plant
from tafl.boards import trust
from tafl.boards.load import same_rules
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs.run import Run

EVIL = """
from pathlib import Path
Path(__file__).with_suffix(".executed").touch()
"""


@pytest.fixture(autouse=True)
def undecided(tmp_path, monkeypatch):
    """Nothing is trusted yet."""
    monkeypatch.setenv("TAFL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv(trust.ALL, "0")
    monkeypatch.setattr(trust, "_now", set())


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A game of one's own and a run of it: compiled once for all tests."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAFL_DATA_DIR", str(home / "data"))
        tafl.train(str(plant(home)), episodes=20, seed=1, out=home / "run")
    return home


@pytest.fixture
def foreign(trained, tmp_path):
    """A run of somebody else: its game's file, and the copy of it, would do harm."""
    theirs = shutil.copytree(trained, tmp_path / "theirs")
    settings = theirs / "run" / "settings.toml"
    settings.write_text(settings.read_text().replace(str(trained), str(theirs)))
    for file in (theirs / "mygame.py", theirs / "run" / "game" / "mygame.py"):
        file.write_text(file.read_text() + EVIL)
    return theirs / "run"


def executed(folder):
    return list(folder.rglob("*.executed"))


LOOKING = {
    "runs {theirs}": 0,
    "compare {run} --out {tmp}/c.png": 0,
    "export {run} --csv {tmp}/x.csv": 0,
    "eval {run}": 2,
    "values {run}": 2,
    "train --resume {run}": 2,
    "match tictactoe run:{run} random": 2,
    "export {run} --agent {tmp}/x.agent": 0,
}


@pytest.mark.parametrize("line", LOOKING)
def test_looking_runs_nothing(line, foreign, tmp_path, capsys):
    words = line.format(run=foreign, theirs=foreign.parent, tmp=tmp_path).split()
    assert main(words) == LOOKING[line]
    assert executed(tmp_path) == []
    if LOOKING[line]:
        assert "which was never run here on purpose: look at it, and add --trust" in (
            capsys.readouterr().err
        )


def test_trust_runs_it(foreign, tmp_path, capsys):
    assert main(["values", str(foreign), "--trust"]) == 0
    assert executed(tmp_path)


def test_a_decision_holds_for_a_content(foreign, tmp_path):
    """Trusted is a content, not a place."""
    game = foreign.parent / "mygame.py"
    tafl.trust(game)
    assert Run.open(foreign).game
    for file in (game, foreign / "game" / "mygame.py"):
        file.write_text(file.read_text() + "# more\n")
    trust._now.clear()
    with pytest.raises(InputError, match="never run here on purpose"):
        _ = Run.open(foreign).game


def test_ones_own_runs_never_ask(trained, monkeypatch):
    """Training stores the decision, for other processes, too."""
    with pytest.raises(InputError, match="never run here on purpose"):
        tafl.load(trained / "run")
    monkeypatch.setenv("TAFL_DATA_DIR", str(trained / "data"))
    assert tafl.load(trained / "run").game == tafl.game(str(trained / "mygame.py"))
    code = f"import tafl; print(tafl.load({str(trained / 'run')!r}).game.facts.players)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "2\n", done.stderr


def test_records_run_nothing(tmp_path, capsys):
    evil = tmp_path / "evil.py"
    evil.write_text(EVIL)
    file = tmp_path / "games.jsonl"
    match = tafl.match("nim", ["random", "random"], games=2)
    match.save(file)
    text = file.read_text().replace(match.records[0].game, f"{evil}")
    file.write_text(text)
    assert main(["replay", str(file), "--game", "0"]) == 2
    assert executed(tmp_path) == []


@pytest.mark.parametrize("name", ["this:s", "antigravity:x", "tests.evil:Game", ":x", "x:"])
def test_no_module_is_imported_by_looking(name, tmp_path, capsys):
    run = tafl.train("nim", episodes=20, seed=1, out=tmp_path / "run")
    file = run.path / "settings.toml"
    file.write_text(file.read_text().replace(run.settings.game, name))
    before = set(sys.modules)
    assert main(["values", str(run.path)]) == 2
    assert not {"this", "antigravity"} & (set(sys.modules) - before)
    assert capsys.readouterr().err.startswith("tafl: ")


@pytest.mark.parametrize("name", ["lock", "metrics.jsonl", "settings.toml.new"])
def test_links_are_not_followed(name, tmp_path, capsys):
    run = tafl.train("nim", episodes=20, seed=1, out=tmp_path / "run")
    precious = tmp_path / "precious"
    precious.write_text("precious\n" * 5)
    (run.path / name).unlink(missing_ok=True)
    (run.path / name).symlink_to(precious)
    code = main(["train", "--resume", str(run.path), "--episodes", "40"])
    assert precious.read_text() == "precious\n" * 5
    assert code == (0 if name == "settings.toml.new" else 2)


def test_checkpoints_that_are_elsewhere_are_refused(tmp_path):
    run = tafl.train("nim", episodes=20, seed=1, out=tmp_path / "run")
    shutil.move(run.checkpoints, tmp_path / "elsewhere")
    run.checkpoints.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link"):
        tafl.resume(run.path)


def test_a_run_can_be_moved_with_and_without_its_game(trained, tmp_path, monkeypatch):
    """The copy in the run serves where the file has gone, and is the same game."""
    monkeypatch.setenv("TAFL_DATA_DIR", str(trained / "data"))
    there = shutil.copytree(trained, tmp_path / "there")
    settings = there / "run" / "settings.toml"
    settings.write_text(settings.read_text().replace(str(trained), str(tmp_path / "gone")))
    moved = Run.open(there / "run")
    assert moved.game.name.startswith(str(there / "run" / "game" / "mygame.py"))
    assert moved.game == tafl.game(str(there / "mygame.py")) == Run.open(trained / "run").game
    assert moved.game != tafl.game(str(there / "mygame.py"), size=5)
    assert (moved.agent.net.weights == Run.open(trained / "run").agent.net.weights).all()


@pytest.mark.long
def test_a_comment_is_no_other_rule(trained, tmp_path, monkeypatch, caplog):
    """Other rules are not resumed; the agent still plays by those that it learned."""
    monkeypatch.setenv("TAFL_DATA_DIR", str(trained / "data"))
    here = shutil.copytree(trained, tmp_path / "here")
    game, settings = here / "mygame.py", here / "run" / "settings.toml"
    settings.write_text(settings.read_text().replace(str(trained), str(here)))
    source = game.read_text()
    game.write_text("# a comment\n" + source.replace("# who is to move", "# whose turn it is"))
    run = Run.open(here / "run")
    assert not run.edited
    tafl.trust(game)
    assert tafl.resume(run.path, episodes=30).finished
    game.write_text(source.replace("return 1.0 if", "return 0.5 if"))
    with pytest.raises(InputError, match="was trained with other rules of"):
        tafl.resume(run.path)
    assert Run.open(run.path).game == tafl.game(str(run.path / "game" / "mygame.py"))
    assert "have changed since this run" in caplog.text


def test_what_the_same_rules_are(tmp_path):
    one, other = tmp_path / "a" / "g.py", tmp_path / "b" / "g.py"
    for file in (one, other):
        file.parent.mkdir()
        file.write_text('"""Text."""\n\ndef f(x):\n    """More."""\n    return x + 1\n')
    other.write_text("def f(x):  # no text\n  'another'\n  return (x+1)\n")
    assert not same_rules(one, other)  # the text above is a statement more
    other.write_text('"""Other text."""\ndef f(x):  # comment\n  "another"\n  return (x+1)\n')
    assert same_rules(one, other)
    other.write_text('"""Text."""\ndef f(x):\n  "more"\n  return x + 2\n')
    assert not same_rules(one, other)
    assert not same_rules(one, tmp_path / "nowhere.py")


def test_a_longer_run_says_how_it_came_about(tmp_path):
    """20 episodes, then 50: its settings alone give the same bits, and an interruption, too."""
    how = {"seed": 1, "evaluation": {"every": 15}, "td": {"alpha": 1.0, "alpha_final": 0.5}}
    run = tafl.train("nim", episodes=20, **how, out=tmp_path / "run")
    longer = tafl.resume(run.path, episodes=50)
    assert (longer.settings.stages, longer.settings.episodes) == ([20], 50)
    assert [line["episode"] for line in longer.metrics] == [15, 20, 30, 45, 50]
    again = tafl.train(settings=run.path / "settings.toml", out=tmp_path / "again")
    assert [line["episode"] for line in again.metrics] == [15, 20, 30, 45, 50]
    assert (again.agent.net.weights == longer.agent.net.weights).all()
    straight = tafl.train("nim", episodes=50, **how, out=tmp_path / "straight")
    assert (straight.agent.net.weights != longer.agent.net.weights).any()
    for wrong in (50, 20, 0):
        with pytest.raises(InputError, match="has 50 episodes: to go on, it needs more"):
            tafl.resume(run.path, episodes=wrong)


def test_longer_on_the_command_line(tmp_path, capsys):
    out = str(tmp_path / "seeds")
    assert main(["train", "nim", "--episodes", "20", "--seeds", "2", "--out", out]) == 0
    assert main(["train", "--resume", out, "--episodes", "1e2"]) == 0
    for seed in (1, 2):
        found = tafl.Run.open(f"{out}/seed-{seed}")
        assert found.finished
        assert found.settings.ends == [20, 100]
    assert main(["train", "--resume", out, "--seed", "3"]) == 2


def test_a_disk_without_room(tmp_path, monkeypatch, capsys):
    """Before the first episode it is refused; at the end what was learned is rescued."""
    import tafl.runs.checkpoint as checkpoint

    full = type("Usage", (), {"free": 1000})
    monkeypatch.setattr(checkpoint.shutil, "disk_usage", lambda path: full)
    assert main(["train", "nim", "--episodes", "20", "--out", str(tmp_path / "run")]) == 1
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert str(tmp_path / "run") in said
    assert not (tmp_path / "run").exists()
    monkeypatch.undo()

    real, calls = checkpoint.check_room, []

    def room(folder, size):
        calls.append(folder)
        if len(calls) == 2:  # the first is before training, the third where it is rescued
            raise OSError(28, "No space left on device", str(folder))
        real(folder, size)

    monkeypatch.setattr(checkpoint, "check_room", room)
    monkeypatch.setattr("tafl.training.training.check_room", room)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["train", "nim", "--episodes", "20", "--out", str(tmp_path / "run")]) == 1
    said = capsys.readouterr().err
    (file,) = tmp_path.glob("tafl-rescued-*/*.safetensors")
    assert str(file) in said
    shutil.move(file, tmp_path / "run" / "checkpoints")
    monkeypatch.undo()
    assert tafl.resume(tmp_path / "run").finished


def test_an_agent_file_names_its_game(foreign, tmp_path, capsys):
    assert main(["export", str(foreign), "--agent", str(tmp_path / "x.agent")]) == 0
    with pytest.raises(InputError, match="never run here on purpose"):
        tafl.load(tmp_path / "x.agent")
    assert executed(tmp_path) == []
