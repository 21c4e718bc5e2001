"""Training: the same bits whatever happens, and a run folder that tells the truth."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from safetensors.numpy import load_file

import tafl
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs.checkpoint import checkpoint_files, save
from tafl.runs.folder import claimed
from tafl.runs.run import Run
from tafl.settings import build
from tafl.settings.presets import compose
from tafl.settings.tables import merged
from tafl.training.learner import Learner
from tafl.training.plan import make_plan, option_tree, prepare
from tafl.training.progress import Lines, Progress
from tafl.training.stop import Stopped
from tafl.training.training import resume, start, train

# Small networks, so that a run takes no time.
SMALL = {
    "tictactoe": {},
    "connectfour": {"tuples": "random-walk", "number": 5, "length": 4},
    "hex": {"tuples": "random-walk", "number": 5, "length": 4},
    "othello": {"tuples": "othello-2"},
    "nim": {},
    "nim3p": {},
    "2048": {"tuples": "2048-1"},
}
EPISODES, EVERY = 50, 5


def small(game: str, **more):
    """Options of a run with all that could get lost: traces, random moves, starts, evaluations.

    Only small games are evaluated: that spares the compiler five games' kernels.
    """
    every = EVERY if game in ("tictactoe", "nim", "nim3p") else 0
    evaluation = {"every": every, "games": 2, "opponents": ["random"]}
    td = {"lambda": 0.5, "epsilon": 0.2, "epsilon_final": 0.1}
    again = {"again": 0.5 if game in ("nim", "2048") else 0.0}
    sections = {"td": td, "start": again, "network": SMALL[game], "evaluation": evaluation}
    return {"game": game, "preset": "as-run", "episodes": EPISODES, "seed": 3, **sections, **more}


def watched(progress, game, out, preset=None, farl=True, **changes) -> Run:
    """What `train` does, with somebody who looks on and may stop it."""
    overrides = merged(option_tree(farl=farl), changes)
    return start(prepare(game, preset, None, overrides), out, progress)


def bits(run: Run) -> dict[str, str]:
    """Hashes of all arrays of the last checkpoint."""
    arrays = load_file(checkpoint_files(run.checkpoints)[0])
    return {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in arrays.items()}


def told(run: Run) -> list[dict]:
    """The metrics without what depends on the clock."""
    return [{k: v for k, v in line.items() if k != "seconds"} for line in run.metrics]


class StopAt(Progress):
    """Sends this process a signal when so many episodes are finished."""

    def __init__(self, episode: int, number: int = signal.SIGINT):
        self.episode, self.number = episode, number

    def block(self, episode: int, moves: int) -> None:
        if episode >= self.episode:
            signal.raise_signal(self.number)


@pytest.mark.parametrize("farl", [True, False], ids=["farl", "no-farl"])
@pytest.mark.parametrize("game", SMALL)
def test_resumed_equals_uninterrupted(game, farl, tmp_path):
    """Stopped and resumed at five places, one after the other, and at each of them alone."""
    through = train(**small(game, farl=farl), out=tmp_path / "through")
    cuts = (1, 3, 7, 15, 31)  # ends of blocks, each twice as long as the one before
    for cut in cuts:
        with pytest.raises(Stopped):
            watched(StopAt(cut), **small(game, farl=farl), out=tmp_path / str(cut))
        one = resume(tmp_path / str(cut))
        assert bits(one) == bits(through), f"cut at {cut}"
        assert told(one) == told(through)
    with pytest.raises(Stopped):
        watched(StopAt(cuts[0]), **small(game, farl=farl), out=tmp_path / "all")
    for cut in cuts[1:]:
        with pytest.raises(Stopped):
            resume(tmp_path / "all", StopAt(cut))
    assert bits(resume(tmp_path / "all")) == bits(through)


# Trains every game, with and without FARL, and prints the hashes of all weights.
ALL_GAMES = """
import json, sys, tempfile
sys.path.insert(0, sys.argv[1])
from test_train import SMALL, bits, small, train
with tempfile.TemporaryDirectory() as folder:
    runs = {
        f"{game} {farl}": train(**small(game, farl=farl), out=f"{folder}/{game}-{farl}")
        for game in SMALL for farl in (True, False)
    }
    print(json.dumps({name: bits(run)["weights"] for name, run in runs.items()}))
"""


def test_the_same_seed_gives_the_same_bits_anywhere(tmp_path):
    """Two processes side by side, in another folder, with another hash seed and locale."""
    places = [tmp_path / "here", tmp_path / "there ü"]
    strange = {"PYTHONHASHSEED": "77", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kolkata"}
    processes = []
    for place, more in zip(places, ({"PYTHONHASHSEED": "0", "LC_ALL": "C"}, strange), strict=True):
        place.mkdir()
        command = [sys.executable, "-c", ALL_GAMES, str(Path(__file__).parent)]
        environment = {**os.environ, **more}
        processes.append(
            subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE)
        )
    one, two = (json.loads(process.communicate()[0]) for process in processes)
    assert len(one) == 14
    assert one == two
    # FARL and the game matter to the weights, or the comparison would mean nothing
    assert len(set(one.values())) == 14
    here = train(**small("nim"), out=tmp_path / "run")
    assert bits(here)["weights"] == one["nim True"]


def test_another_seed_gives_other_bits(tmp_path):
    runs = [train(**small("nim") | {"seed": s}, out=tmp_path / str(s)) for s in (1, 2)]
    assert bits(runs[0])["weights"] != bits(runs[1])["weights"]
    assert bits(runs[0])["rng.0"] != bits(runs[1])["rng.0"]


def test_blocks_do_not_matter():
    game = tafl.game("nim")
    settings = compose(game, "as-run", overrides={"episodes": 64})
    learners = [Learner(game, settings, [[0, 1, 2]]) for _ in range(3)]
    learners[0].learn(64)
    for _ in range(64):
        learners[1].learn(1)
    for n in (5, 50, 9):
        learners[2].learn(n)
    for other in learners[1:]:
        for name, array in learners[0].tensors().items():
            np.testing.assert_array_equal(array, other.tensors()[name], err_msg=name)
    assert learners[0].episode == learners[2].episode == 64
    assert learners[0].moves > 64


def test_evaluations_come_at_exact_episodes_and_do_not_disturb(tmp_path):
    with_them = train(**small("nim", episodes=23), out=tmp_path / "with")
    without = train(**small("nim", episodes=23, evaluation={"every": 0}), out=tmp_path / "without")
    assert [line["episode"] for line in with_them.metrics] == [5, 10, 15, 20, 23]
    assert without.metrics == []
    assert bits(with_them) == bits(without)
    line = with_them.metrics[-1]
    assert line["moves"] >= 23
    assert 0 < line["active"] <= 1
    assert line["results"][0]["opponent"] == "random"
    assert line["results"][0]["games"] == 2


def test_share_of_active_weights_is_counted_without_the_gaps():
    """Nim: one table of 216 weights for each of two players."""
    game = tafl.game("nim")
    learner = Learner(game, compose(game), [[0, 1, 2]])
    assert learner.active == 0
    first_of_each_player = [0, learner.net.size]
    learner.net.weights[first_of_each_player] = 1
    assert learner.active == 2 / (2 * 216)


def test_settings_alone_reproduce_a_run(tmp_path):
    first = train(**small("hex", td={"alpha": 0.7}), out=tmp_path / "first")
    again = train(settings=first.path / "settings.toml", out=tmp_path / "again")
    assert again.settings == first.settings
    assert bits(again) == bits(first)
    assert told(again) == told(first)


def test_the_run_folder_says_what_there_is(tmp_path):
    run = train(**small("nim"), out=tmp_path / "run")
    assert {p.name for p in run.path.iterdir()} == {
        "settings.toml",
        "environment.json",
        "metrics.jsonl",
        "checkpoints",
        "lock",
    }
    environment = json.loads((run.path / "environment.json").read_text())
    assert {
        "tafl",
        "numpy",
        "numba",
        "python",
        "platform",
        "cores",
        "command",
    } <= environment.keys()
    opened = Run.open(run.path)
    assert opened.settings == run.settings
    assert opened.agent.values(opened.game.start()) == run.agent.values(run.game.start())
    assert opened.summary()["episode"] == EPISODES


def test_random_plies_never_use_up_the_game(tmp_path):
    """TicTacToe is over after 5 to 9 plies; then an episode begins at the empty board."""
    plies = {"plies": 9, "probability": 1.0}
    run = train(**small("tictactoe", start=plies), out=tmp_path / "run")
    assert run.summary()["moves"] >= 5 * EPISODES


def test_no_farl_is_both_parts_off(tmp_path):
    run = train(**small("nim", farl=False), out=tmp_path / "run")
    assert (run.settings.td.farl_others, run.settings.td.farl_terminal) == (False, False)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_leave_a_checkpoint_and_say_how_to_go_on(number, tmp_path):
    """A real process; meanwhile a second writer is refused."""
    path = tmp_path / "run"
    command = "train nim --episodes 1000000000 --set evaluation.every=1000 evaluation.games=2"
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl.cli.main", *command.split(), "--out", str(path)],
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: (path / "metrics.jsonl").exists() and (path / "metrics.jsonl").stat().st_size)
    with pytest.raises(InputError, match=f"process {process.pid} is writing to"):
        resume(path)
    process.send_signal(number)
    assert process.wait(timeout=60) == 128 + number
    assert process.stderr is not None
    said = process.stderr.read().strip().split("\n")
    assert said[-1] == f"tafl: stopped; continue with: tafl train --resume {path}"
    run = Run.open(path)
    reached = run.summary()["episode"]
    assert reached >= 1000
    assert all(line["episode"] <= reached for line in run.metrics)
    with pytest.raises(Stopped):
        resume(path, StopAt(reached + 1))
    assert run.summary()["episode"] > reached


def wait_for(condition) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.05)
    raise TimeoutError


def test_a_second_signal_ends_at_once(tmp_path):
    class Twice(Progress):
        def block(self, episode: int, moves: int) -> None:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as ended:
        watched(Twice(), **small("nim"), out=tmp_path / "run")
    assert not isinstance(ended.value, Stopped)
    assert checkpoint_files(tmp_path / "run" / "checkpoints") == []
    assert bits(resume(tmp_path / "run")) == bits(train(**small("nim"), out=tmp_path / "other"))


def test_a_folder_in_use_or_not_empty_is_refused(tmp_path, capsys):
    run = train(**small("nim"), out=tmp_path / "run")
    before = {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()}
    ways = re.escape(
        f"already contains a run; continue it with tafl.resume('{run.path.as_posix()}'), or use "
        "another out, or overwrite=True"
    )
    with pytest.raises(InputError, match=ways):
        train(**small("nim"), out=run.path)
    assert main(["train", "nim", "--episodes", "9", "--out", str(run.path)]) == 2
    said = capsys.readouterr().err
    assert f"continue it with tafl train --resume {run.path}, or use another --out\n" in said
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear ...")
    with pytest.raises(InputError, match="is not empty"):
        train(**small("nim"), out=tmp_path / "other")
    with pytest.raises(InputError, match="cannot create the folder"):
        train(**small("nim"), out=tmp_path / "other" / "letter.txt")
    with claimed(run.path), pytest.raises(InputError, match=f"process {os.getpid()} is writing"):
        resume(run.path)
    after = {p: p.read_bytes() for p in run.path.rglob("*") if p.is_file()}
    assert {p: c for p, c in after.items() if p.name != "lock"} == {
        p: c for p, c in before.items() if p.name != "lock"
    }


def test_a_cell_of_a_notebook_can_be_run_again(tmp_path):
    first = train(**small("nim"), out=tmp_path / "run")
    before = bits(first)
    (first.path / "checkpoints" / "more").mkdir()
    assert bits(train(**small("nim"), out=first.path, overwrite=True)) == before
    assert not (first.path / "checkpoints" / "more").exists()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "lock").touch()  # a training that was killed at once
    train(**small("nim"), out=tmp_path / "new", overwrite=True)  # there is nothing to overwrite


def test_only_runs_are_overwritten(tmp_path):
    run = train(**small("nim"), out=tmp_path / "run")
    letter = run.path / "letter.txt"
    letter.write_text("dear ...")
    (tmp_path / "link").symlink_to(run.path)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.tex").write_text("...")
    refusals = {
        "run": "also contains letter.txt, which is not a file of a run",
        "link": "is a link",
        "home": "is not a run",
    }
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    for name, why in refusals.items():
        with pytest.raises(InputError, match=why):
            train(**small("nim"), out=tmp_path / name, overwrite=True)
    with pytest.raises(InputError, match="overwrite needs out"):
        train(**small("nim"), overwrite=True)
    letter.unlink()
    with claimed(run.path), pytest.raises(InputError, match="is writing"):
        train(**small("nim"), out=run.path, overwrite=True)
    with pytest.raises(InputError, match="unknown setting"):
        train(**small("nim"), out=run.path, overwrite=True, speed=3)
    assert {p: p.read_bytes() for p in before if p not in (letter, run.path / "lock")} == {
        p: c for p, c in before.items() if p not in (letter, run.path / "lock")
    }


def test_callbacks_hear_of_evaluations_and_checkpoints(tmp_path):
    heard = []

    class Listener(tafl.Callback):
        def on_evaluation(self, run, evaluation):
            heard.append((run.path, evaluation))

        def on_checkpoint(self, run, episode):
            assert Run.open(run.path).summary()["episode"] == episode
            heard.append((run.path, episode))

    run = train(**small("nim"), out=tmp_path / "run", callbacks=[tafl.Callback(), Listener()])
    assert [one for _, one in heard] == [*run.metrics, EPISODES]
    assert {path for path, _ in heard} == {run.path}
    with pytest.raises(InputError, match=r"a callback must be a tafl\.Callback"):
        train(**small("nim"), out=tmp_path / "other", callbacks=[print])
    with pytest.raises(InputError, match="callbacks need one run"):
        train(**small("nim"), out=tmp_path / "other", seeds=2, callbacks=[Listener()])
    assert not (tmp_path / "other").exists()


def test_several_seeds_train_in_python(tmp_path):
    """They are those of the command line, can be compared, and overwritten."""
    group = train(**small("nim"), seeds=2, out=tmp_path / "several")
    assert [run.path.name for run in group.runs] == ["seed-3", "seed-4"]
    alone = train(**small("nim") | {"seed": 4}, out=tmp_path / "alone")
    assert bits(group.runs[1]) == bits(alone)
    (found,) = tafl.compare(group, opponent="random")
    assert len(found.curves[0].last) == 2
    with pytest.raises(InputError, match="seeds must be 1 to"):
        train(**small("nim"), seeds=0, out=tmp_path / "none")
    one = train(**small("nim"), seeds=1, out=tmp_path / "several", overwrite=True)
    assert [run.path.name for run in one.runs] == ["seed-3"]
    assert not (tmp_path / "several" / "seed-4").exists()


class FailingAtOnce(Progress):
    def begin(self, episode: int, total: int) -> None:
        raise RuntimeError("no terminal")


def test_a_training_that_fails_before_its_first_episode_leaves_no_folder(tmp_path):
    with pytest.raises(RuntimeError):
        watched(FailingAtOnce(), **small("nim"), out=tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_default_folders_are_unique(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paths = [train(**small("hex")).path for _ in range(3)]
    assert [str(p) for p in paths] == ["runs/hex-td-3", "runs/hex-td-3-2", "runs/hex-td-3-3"]


def test_more_memory_than_there_is_is_refused_with_both_numbers(tmp_path, monkeypatch):
    machine = SimpleNamespace(available=1_000_000_000)
    monkeypatch.setattr(build.psutil, "virtual_memory", lambda: machine)
    length = {"tuples": "random-walk", "number": 10, "length": 11}
    with pytest.raises(
        InputError, match=r"needs 1\.27 GB of memory, but only 1\.00 GB is available"
    ):
        train("othello", network=length, coherence={"transfer": "id"}, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("game", ["connectfour", "othello", "nim3p"])
def test_the_estimate_covers_what_is_allocated(game):
    plan = make_plan(tafl.game(game), compose(tafl.game(game)))
    learner = Learner(plan.game, plan.settings, plan.tuples)
    arrays = [a for a in (*learner.net, *learner.works[0]) if isinstance(a, np.ndarray)]
    used = sum(a.nbytes for a in arrays)
    assert abs(plan.memory - build.PROCESS - used) <= 0.01 * used + 10_000


def test_what_a_checkpoint_does_not_know_is_forgotten(tmp_path):
    """Evaluations after the checkpoint, and half a line that a crash left, vanish on resuming."""
    through = train(**small("nim"), out=tmp_path / "through")
    with pytest.raises(Stopped):
        watched(StopAt(20), **small("nim"), out=tmp_path / "run")
    Run.open(tmp_path / "run").add_metrics({**through.metrics[4], "lost": True})
    with (tmp_path / "run" / "metrics.jsonl").open("a") as file:
        file.write('{"epis')
    assert len(Run.open(tmp_path / "run").metrics) == 4  # without the half line
    assert told(resume(tmp_path / "run")) == told(through)


def test_resuming_refuses_what_does_not_belong_together(tmp_path):
    run = train(**small("nim"), out=tmp_path / "run")
    text = (run.path / "settings.toml").read_text()
    (run.path / "settings.toml").write_text(text.replace("gamma = 1.0", "gamma = 0.5"))
    with pytest.raises(InputError, match=r"written with td.gamma = 1.0, but settings.toml has 0.5"):
        resume(run.path)
    (run.path / "settings.toml").write_text(text)
    (run.path / "metrics.jsonl").write_text("")
    with pytest.raises(InputError, match="has 0 lines, but the checkpoint has 10"):
        resume(run.path)
    other = train(**small("tictactoe"), out=tmp_path / "other")
    checkpoint = checkpoint_files(other.checkpoints)[0]
    checkpoint.write_bytes(checkpoint_files(run.checkpoints)[0].read_bytes())
    with pytest.raises(InputError, match="was written with"):
        _ = Run.open(other.path).agent
    with pytest.raises(InputError, match="is not a run"):
        Run.open(tmp_path)
    with pytest.raises(InputError, match="is not a run"):
        resume(tmp_path / "nowhere")


def test_a_finished_run_is_left_as_it_is(tmp_path):
    run = train(**small("nim"), out=tmp_path / "run")
    before = {p: p.stat().st_mtime_ns for p in run.path.rglob("*") if p.name != "lock"}
    assert bits(resume(run.path)) == bits(run)
    assert before == {p: p.stat().st_mtime_ns for p in run.path.rglob("*") if p.name != "lock"}


def test_stopped_in_the_last_block(tmp_path):
    """All episodes are played, the last evaluation is not: resuming makes up for it, once."""
    with pytest.raises(Stopped):
        watched(StopAt(EPISODES), **small("nim"), out=tmp_path / "run")
    assert [line["episode"] for line in Run.open(tmp_path / "run").metrics][-1] == EPISODES - EVERY
    through = train(**small("nim"), out=tmp_path / "through")
    assert told(resume(tmp_path / "run")) == told(through)
    metrics = (tmp_path / "run" / "metrics.jsonl").read_bytes()
    assert bits(resume(tmp_path / "run")) == bits(through)
    assert (tmp_path / "run" / "metrics.jsonl").read_bytes() == metrics


def test_threads_share_one_network(tmp_path):
    run = train(**small("nim", episodes=3000, threads=3, evaluation={"every": 1000}), out=tmp_path)
    arrays = load_file(checkpoint_files(run.checkpoints)[0])
    moves = [arrays[f"totals.{k}"][0] for k in range(3)]
    assert all(m > 1000 for m in moves)
    assert run.summary()["moves"] == sum(moves)
    assert len({arrays[f"rng.{k}"][0] for k in range(3)}) == 3
    assert [line["episode"] for line in run.metrics] == [1000, 2000, 3000]
    values = run.agent.values(run.game.position([1, 0, 0]))
    assert values[0] == pytest.approx(1.0, abs=0.2)  # whoever takes the last stone wins


OWN_GAME = '''
"""Race: add 1 or 2 by turns; who reaches the goal wins."""
from typing import NamedTuple
from tafl.rules import Facts, rules


@rules
class Race(NamedTuple):
    """state = [sum, player];   action = what is added - 1"""

    goal: int = 5

    def start(self, state):
        state[:] = 0

    def player(self, state):
        return state[1]

    def legal(self, state, action):
        return state[0] + action + 1 <= self.goal

    def play(self, state, action):
        state[0] += action + 1
        state[1] = 1 - state[1]

    def over(self, state):
        return state[0] == self.goal

    def score(self, state, player):
        if state[0] < self.goal:
            return 0.0
        return -1.0 if player == state[1] else 1.0

    def cell(self, state, c):
        return state[0]

    def facts(self):
        return Facts(players=2, actions=2, cells=1, values=self.goal + 1, words=2)
'''


@pytest.fixture
def race(tmp_path_factory):
    """The file of the game, at the same place in all tests: machine code is found by its path."""
    file = tmp_path_factory.getbasetemp() / "race" / "race.py"
    file.parent.mkdir(exist_ok=True)
    file.write_text(OWN_GAME)
    return file


def test_a_game_of_ones_own_trains_without_any_setting(race, tmp_path, monkeypatch):
    monkeypatch.chdir(race.parent)
    train("race.py(goal=7)", episodes=2000, seed=1, out=tmp_path / "run")
    monkeypatch.chdir("/")
    opened = Run.open(tmp_path / "run")
    # whoever makes the sum 1, 4 or 7 wins: 7 - sum is then a multiple of 3
    assert opened.agent.act(opened.game.start()) == 0
    state = opened.game.start()
    state.play(1)
    assert opened.agent.act(state) == 1
    assert opened.metrics[-1]["results"][0]["win_rate"] > 0.9


def test_a_folder_of_game_and_run_may_move(race, tmp_path):
    run = train(str(race), episodes=50, out=race.parent / "run")
    before = run.agent.values(run.game.start())
    new = race.parent.rename(tmp_path / "new")
    text = (new / "run" / "settings.toml").read_text()
    copied = Run.open(new / "run")  # the run keeps a copy of its game
    assert copied.agent.values(copied.game.start()) == before
    text = text.replace(str(race.parent), str(new))
    (new / "run" / "settings.toml").write_text(text)
    moved = Run.open(new / "run")
    assert moved.agent.values(moved.game.start()) == before
    assert moved.game.name.startswith(str(new / "race.py"))
    (new / "run" / "settings.toml").write_text(text.replace("=5)", "=6)"))
    with pytest.raises(InputError, match=r"written with game = race.py\(goal=5\)"):
        _ = Run.open(new / "run").agent


def test_edited_rules_cannot_be_resumed_but_still_play(race, tmp_path, caplog):
    with pytest.raises(Stopped):
        watched(StopAt(100), game=str(race), episodes=500, out=tmp_path / "run")
    race.write_text(OWN_GAME.replace("<= self.goal", "<= self.goal + 0"))
    with pytest.raises(InputError, match="was trained with other rules of"):
        resume(tmp_path / "run")
    opened = Run.open(tmp_path / "run")
    assert len(opened.agent.values(opened.game.start())) == 2
    assert "have changed since this run" in caplog.text


def test_runs_of_other_versions_are_resumed_if_the_game_is_one_of_tafl(tmp_path, caplog):
    """An edit of its file in between means other rules; another version of tafl does not."""
    with pytest.raises(Stopped):
        watched(StopAt(100), game="nim", episodes=500, seed=1, out=tmp_path / "run")
    path, header = Run.open(tmp_path / "run").checkpoint()
    tensors = load_file(path)
    save(path.parent, replace(header, source="another"), tensors)
    with pytest.raises(InputError, match="was trained with other rules of"):
        resume(tmp_path / "run")
    _ = Run.open(tmp_path / "run").agent
    assert "have changed since this run" in caplog.text
    caplog.clear()
    save(path.parent, replace(header, source="another", tafl="0.1.0"), tensors)
    assert bits(resume(tmp_path / "run")) == bits(
        train("nim", episodes=500, seed=1, out=tmp_path / "other")
    )
    assert caplog.text == ""


def test_lines_say_rate_and_time_left(capsys):
    """After 10 episodes while compiling: 90 more in 30 seconds, so 900 take 5 minutes."""
    times = iter([100.0, 110.0, 130.0])
    lines = Lines(clock=lambda: next(times))
    lines.begin(0, 1000)
    for episode in (10, 40, 100):
        lines.block(episode, 0)
    assert capsys.readouterr().err == "100 of 1,000 episodes, 3 episodes/s, 5:00 left\n"
