"""Sweeps: the same points, scores and bytes whoever computes them and whatever stops them."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

import tafl
from gamble import Gamble
from tafl.cli.main import main
from tafl.errors import Diverged, InputError
from tafl.runs.checkpoint import checkpoint_files
from tafl.runs.comparison import Group
from tafl.runs.run import Run
from tafl.sweeps import sweep as module
from tafl.sweeps.plan import Wanted, plan_sweep
from tafl.sweeps.points import grid, hypercube, tpe
from tafl.sweeps.result import Score, Sweep, Trial, best_points
from tafl.sweeps.space import Choice, Range, make_space, parse_sweep
from tafl.training import gpu_executor
from tafl.training.executors import Ending, Outcome, finish, outcome_of
from tafl.training.gpu_executor import GpuExecutor, opened
from tafl.training.plan import prepare
from tafl.training.seed_runs import create_seeds, seed_folders
from test_train import bits, told, wait_for

LISTS = make_space({"td.alpha": [0.1, 0.5, 1.0], "td.lambda": [0, 0.5]})
RANGES = make_space({"td.alpha": "1..10:log", "td.lambda": [0, 0.5, 0.7], "network.number": "3..8"})
SMALL = "sweep nim --set td.alpha=0.05..1:log --set td.lambda=0,0.5 --trials 5 --episodes 60 "
SMALL += "--vs exact --games 8 --confirm 2 --fresh 2 --seed 7"


class Here:
    """An executor without processes that ends the last run first; `disturb` may do harm."""

    def __init__(self, disturb=lambda folder: None, backwards=True):
        self.disturb, self.backwards, self.left, self.started = disturb, backwards, [], []

    @property
    def busy(self):
        return bool(self.left)

    def start(self, folders):
        self.left = folders[::-1] if self.backwards else list(folders)
        self.started.append(len(folders))
        return "here"

    def ended(self):
        if not self.left:
            return []
        folder = self.left.pop(0)
        failure = self.disturb(folder)
        return [Ending(folder, "", failure) if failure else Ending(folder, "", *finish(folder))]

    def stop(self):
        self.left.clear()


@pytest.fixture
def here(monkeypatch):
    """All runs are trained in this process; tests may put another executor in its place."""
    used = [Here()]
    monkeypatch.setattr(module, "make_executor", lambda name, game, runs: used[0])
    monkeypatch.setattr("tafl.training.executors.SECONDS_BETWEEN_LOOKS", 0)
    return used


def files(folder):
    """What a sweep has found, to the last byte, and what its runs have learned."""
    runs = sorted(path.parent for path in folder.rglob("settings.toml"))
    texts = {name: (folder / name).read_bytes() for name in ("sweep.json", "results.json")}
    return texts, {str(p.relative_to(folder)): (bits(Run.open(p)), told(Run.open(p))) for p in runs}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A sweep that nobody disturbed, in processes of its own."""
    folder = tmp_path_factory.mktemp("sweep") / "whole"
    assert main([*SMALL.split(), "--out", str(folder), "--json"]) == 0
    return folder


def test_lists_and_ranges_are_told_from_values():
    fixed, space = parse_sweep(
        [
            "td.alpha=1..10:log",
            "td.gamma=0.9",
            "network.number=70,128",
            "network.tuples=random-walk,random-points",
            'evaluation.opponents=["random", "exact"]',
            "start.plies=0..4",
        ]
    )
    assert fixed == {"td": {"gamma": 0.9}, "evaluation": {"opponents": ["random", "exact"]}}
    assert space == {
        "td.alpha": Range(1, 10, log=True),
        "network.number": Choice((70, 128)),
        "network.tuples": Choice(("random-walk", "random-points")),
        "start.plies": Range(0, 4, whole=True),
    }
    assert make_space({key: tried.document() for key, tried in space.items()}) == space


def test_a_grid_has_every_point_once_in_an_order_of_the_seed():
    points = grid(LISTS, seed=1)
    expected = [{"td.alpha": a, "td.lambda": b} for a, b in product([0.1, 0.5, 1.0], [0, 0.5])]
    assert points != expected
    assert sorted(points, key=str) == sorted(expected, key=str)
    assert grid(LISTS, seed=1) == points != grid(LISTS, seed=2)


def test_random_points_are_spread_evenly_over_every_setting():
    """One in each part of a range, on the scale of its logarithm; all values equally often."""
    points = hypercube(RANGES, 60, seed=3)
    assert hypercube(RANGES, 60, seed=3) == points != hypercube(RANGES, 60, seed=4)
    parts = [int(60 * np.log10(point["td.alpha"])) for point in points]
    assert len(set(parts)) >= 58  # numbers are rounded to four digits, some over an edge
    assert Counter(point["td.lambda"] for point in points) == {0: 20, 0.5: 20, 0.7: 20}
    assert Counter(point["network.number"] for point in points) == dict.fromkeys(range(3, 9), 10)
    assert all(type(point["network.number"]) is int for point in points)
    assert all(point["td.alpha"] == float(f"{point['td.alpha']:.4g}") for point in points)
    ends = [RANGES[key].at(share) for key in RANGES for share in (0.0, 1 - 1e-12)]
    assert ends == [1, 10, 0, 0.7, 3, 8]


def test_tpe_repeats_and_goes_where_scores_are_high():
    pytest.importorskip("optuna", reason="Optuna is not installed (extra: sweep)")
    first = tpe(RANGES, 20, 5, 0, [])
    assert first == hypercube(RANGES, 20, 5)
    known = [(p, -abs(np.log(p["td.alpha"] / 3)) - (p["td.lambda"] != 0.5)) for p in first]
    points = tpe(RANGES, 20, 5, 1, known)
    assert tpe(RANGES, 20, 5, 1, known) == points
    assert tpe(RANGES, 20, 5, 2, known) != points != tpe(RANGES, 20, 6, 1, known)
    near = [sum(abs(np.log(p["td.alpha"] / 3)) < 0.4 for p in some) for some in (first, points)]
    assert near[1] > near[0]
    assert sum(p["td.lambda"] == 0.5 for p in points) > 7
    assert all(1 <= p["td.alpha"] <= 10 and p["network.number"] in range(3, 9) for p in points)


def test_the_sampler_fits_the_space():
    assert Wanted(trials=6).checked(LISTS) == Wanted(6, "grid", 6)
    assert Wanted(trials=64).checked(LISTS).trials == 6
    assert Wanted(trials=5).checked(LISTS).sampler == "random"
    assert Wanted(trials=64).checked(RANGES).sampler == "random"
    assert Wanted(trials=3).checked(RANGES).confirm == 3


def trial(number, mean, **point):
    return Trial(number, point, number, Score(mean))


def test_the_best_points_are_those_of_all_their_trials():
    trials = [trial(0, 0.9, x=1), trial(1, 0.5, x=2), trial(2, 0.0, x=1), trial(3, 0.5, x=3)]
    trials += [trial(4, None, x=4), trial(5, 1.0, x=4)]  # it diverged once
    best = best_points(trials, 3)
    assert [(first.number, mean) for first, mean in best] == [(1, 0.5), (3, 0.5), (0, 0.45)]


def test_shares_of_the_variance():
    """All of it, none, and what a setting that another one overlays explains."""
    space = make_space({"td.alpha": "0..8", "td.lambda": [0, 0.5]})
    points = list(product(range(8), [0, 0.5]))
    trials = [trial(i, b, **{"td.alpha": a, "td.lambda": b}) for i, (a, b) in enumerate(points)]
    found = Sweep("nim", "exact", space, trials, [], None)
    assert found.shares == {"td.alpha": 0.0, "td.lambda": 1.0}
    assert [len(group) for group in found.groups("td.alpha")] == [4, 4, 4, 4]
    trials[0] = trial(0, None, **trials[0].point)
    assert sum(map(len, found.groups("td.alpha"))) == 15
    alike = Sweep("nim", "exact", space, trials[1:2], [], None)
    assert np.isnan(alike.shares["td.alpha"])


def test_a_sweep_finds_the_same_in_any_order_and_place(whole, here, tmp_path, capsys):
    """In processes, and here the last run first."""
    assert main([*SMALL.split(), "--out", str(tmp_path / "here")]) == 0
    assert here[0].started == [5, 6]  # all trials at once, then all that confirms
    assert files(tmp_path / "here") == files(whole)
    said = capsys.readouterr()
    assert "nim(heaps=3,stones=5,take=5,misere=false): the best of 5 trials" in said.out
    assert "trials/4: " in said.err
    found = json.loads((whole / "results.json").read_text())
    assert [one["seed"] for one in found["trials"]] == [7, 8, 9, 10, 11]
    for one in found["trials"]:
        run = Run.open(whole / "trials" / str(one["trial"]))
        assert run.settings.seed == one["seed"]
        assert run.settings.td.alpha == one["point"]["td.alpha"]
        assert run.settings.td.lambda_ == one["point"]["td.lambda"]
        (line,) = run.metrics
        assert (line["episode"], line["results"][0]["opponent"]) == (60, "exact")
        assert line["results"][0]["mean"] == one["mean"]
    best = max(found["trials"], key=lambda one: one["mean"])["trial"]
    assert {one["trial"] for one in found["confirmed"]} >= {best}
    for name, one in [*((str(c["trial"]), c) for c in found["confirmed"]), ("base", found["base"])]:
        group = Group.open(whole / "confirmed" / name)
        assert [run.settings.seed for run in group.runs] == [12, 13]
        assert group.curve("exact").last.tolist() == one["scores"]
        assert one["mean"] == np.mean(one["scores"])
    assert found["base"]["point"] == {"td.alpha": 0.5, "td.lambda": 0.5}
    assert (whole / "sweep.png").read_bytes()[1:4] == b"PNG"


def test_a_killed_sweep_goes_on_to_the_same_bytes(whole, here, tmp_path):
    folder = tmp_path / "killed"
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl", *SMALL.split(), "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_for(lambda: list(folder.glob("trials/*/checkpoints/*.safetensors")))
    process.kill()
    process.wait()
    (folder / "trials" / "4" / "settings.toml").unlink(missing_ok=True)  # killed while it was made
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert files(folder) == files(whole)


@pytest.mark.parametrize("number", [2, 8], ids=["search", "confirm"])
def test_a_stopped_sweep_goes_on_to_the_same_bytes(whole, here, tmp_path, number, capsys):
    def stop(folder):
        if len(list((tmp_path / "stopped").rglob("*.safetensors"))) == number:
            os.kill(os.getpid(), signal.SIGINT)

    folder = tmp_path / "stopped"
    here[0] = Here(stop)
    assert main([*SMALL.split(), "--out", str(folder), "--json"]) == 130
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"tafl: stopped; continue with: tafl sweep --resume {folder}\n")
    assert "confirmed" not in json.loads((folder / "results.json").read_text())
    here[0] = Here(backwards=False)
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["opponent"] == "exact"
    assert files(folder) == files(whole)
    here[0] = Here(lambda folder: "nothing is left to train")
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert files(folder) == files(whole)
    (folder / "results.json").unlink()  # it is made again
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert files(folder) == files(whole)


def test_a_run_that_fails_is_made_up_for(whole, here, tmp_path, capsys):
    folder = tmp_path / "failed"
    here[0] = Here(lambda run: "no space" if run.name == "3" else None)
    assert main([*SMALL.split(), "--out", str(folder), "--json"]) == 1
    message = f"1 of 5 runs failed: {folder / 'trials' / '3'}: no space; continue with: tafl sweep"
    assert message in capsys.readouterr().err
    here[0] = Here()
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert here[0].started == [1, 6]
    assert files(folder) == files(whole)


def test_settings_that_diverge_are_a_result(here, tmp_path):
    """They are not tried again, and neither best nor part of the variance."""
    found = tafl.sweep(
        "nim",
        {"td.alpha": [0.5, 1000]},
        episodes=300,
        vs="exact",
        games=4,
        confirm=2,
        fresh=1,
        network={"sigma": "identity"},
        coherence={"transfer": "off"},
        out=tmp_path / "sweep",
    )
    assert {t.point["td.alpha"]: t.score.diverged for t in found.trials} == {0.5: False, 1000: True}
    assert [one.point for one in found.confirmed] == [{"td.alpha": 0.5}]
    here[0] = Here(lambda folder: "nothing is left to train")
    again = tafl.sweep(resume=tmp_path / "sweep")
    assert again.document()["trials"] == found.document()["trials"]


def test_weights_of_the_search_need_not_be_kept(whole, here, tmp_path):
    folder = tmp_path / "lean"

    def stop(run):  # the third run has ended, but nobody has heard of it
        if len(list(folder.glob("trials/*/metrics.jsonl"))) == 5 and run.name == "2":
            finish(run)
            os.kill(os.getpid(), signal.SIGINT)

    here[0] = Here(stop)
    assert main([*SMALL.split(), "--no-keep", "--out", str(folder), "--json"]) == 130
    here[0] = Here()
    assert main(["sweep", "--resume", str(folder), "--json"]) == 0
    assert (folder / "results.json").read_bytes() == (whole / "results.json").read_bytes()
    assert not list(folder.glob("trials/*/checkpoints/*"))
    kept = [run / "checkpoints" for run in folder.glob("confirmed/*/seed-*")]
    assert len(kept) == 6
    assert all(checkpoint_files(place) for place in kept)


def test_a_sweep_by_tpe_does_not_depend_on_the_order(here, tmp_path, capsys):
    pytest.importorskip("optuna", reason="Optuna is not installed (extra: sweep)")
    line = f"{SMALL} --sampler tpe --batch 2 --out"
    assert main([*line.split(), str(tmp_path / "one"), "--json"]) == 0
    assert here[0].started == [2, 2, 1, 6]
    here[0] = Here(backwards=False)
    assert main([*line.split(), str(tmp_path / "other"), "--json"]) == 0
    assert files(tmp_path / "one") == files(tmp_path / "other")


@pytest.mark.parametrize(
    ("library", "option", "extra"),
    [("optuna", "--sampler=tpe", "tafl[sweep]"), ("ray", "--executor=ray", "tafl[ray]")],
)
def test_a_library_that_is_missing_is_said(library, option, extra, tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    assert main([*SMALL.split(), option, "--out", str(tmp_path / "s")]) == 2
    assert f"pip install '{extra}'" in capsys.readouterr().err
    assert not (tmp_path / "s").exists()


def test_n_tuples_are_drawn_where_their_number_is_asked():
    """The line of the documentation; the settings without changes keep their own n-tuples."""
    space = make_space({"td.alpha": "1..10:log", "network.number": [70, 128]})
    plan = plan_sweep("connectfour", None, None, {}, {}, space, Wanted(4))
    settings = plan.trial({"td.alpha": 2.0, "network.number": 128}, 3)
    network = settings.network
    assert (network.tuples, network.number, network.length) == ("random-walk", 128, 8)
    assert (settings.td.alpha, settings.td.alpha_final, settings.seed) == (2.0, 2.0, 3)
    assert settings.evaluation.every == settings.episodes == 5_000_000
    assert plan.base.settings.network.tuples == "connectfour-1"


def test_settings_said_together_belong_together():
    """Other n-tuples let go of a preset's number and length, not of those said beside them."""
    space = make_space({"network.tuples": ["random-walk", "random-points"]})
    fixed = {"network": {"number": 3, "length": 4}, "td": {"gamma": 0.9}}
    plan = plan_sweep("hex", None, None, {"seed": 5}, fixed, space, Wanted())
    settings = plan.trial({"network.tuples": "random-points"}, 5)
    assert (settings.network.number, settings.network.length) == (3, 4)
    assert (settings.td.gamma, plan.base.settings.td.gamma) == (0.9, 1.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nim", "nothing to try: give a setting several values, such as td.alpha=1..10:log"),
        ("nim --set td.alpha=0.5", "nothing to try"),
        ("--set td.alpha=1,2", "name a game"),
        ("chess --set td.alpha=1,2", "there is no game 'chess'"),
        ("nim --set td.alhpa=1..2", "unknown setting td.alhpa; did you mean td.alpha?"),
        ("nim --set td.alpha=1,2000", "td.alpha = 2000: must be less than or equal to 1000"),
        ("nim --set td.alpha=1..2000", "td.alpha = 2000.0: must be less than or equal to 1000"),
        ("nim --set td.alpha=1..x", "td.alpha=1..x: a range of numbers is LOW..HIGH or"),
        ("nim --set td.alpha=1..nan", "a range of numbers is LOW..HIGH"),
        ("nim --set td.alpha=2..1", "the first number of a range is the lower one"),
        ("nim --set td.alpha=0..1:log", "a range with :log begins above 0"),
        ("nim --set start.plies=0..1.5", "start.plies=0..1.5: a range of whole numbers is"),
        ("nim --set start.plies=0,1.5", "start.plies = 1.5"),
        ("nim --set td.farl_others=0..1", "this setting is no number; list its values"),
        ("nim --set td.alpha=1,,2", "a value is missing"),
        ("nim --set td.alpha=1,1", "name every value once"),
        ("nim --set seed=1,2", "seed is the same in all trials of a sweep: give it one value"),
        ("nim --set evaluation.games=1,2", "evaluation.games is the same in all trials"),
        ("nim --set td.alpha=1,2 --set evaluation.every=0", "needs the evaluation at the end"),
        ("nim --set td.alpha=1,2 --vs nobody", "evaluation.opponents: "),
        ("nim --set td.alpha=1,2 --trials 0", "--trials must be from 1 to 10,000, not 0"),
        ("nim --set td.alpha=1,2 --confirm -1", "--confirm must be from 0"),
        ("nim --set td.alpha=1,2 --fresh 0", "--fresh must be from 1"),
        ("nim --set td.alpha=1,2 --batch 2", "--batch is for --sampler tpe"),
        ("nim --set td.alpha=1..2 --sampler grid", "--sampler grid needs lists of values"),
        ("nim --set td.alpha=1,2,3 --sampler grid --trials 2", "the grid has 3 points, more than"),
        ("nim --set td.alpha=1,2 --sampler best", "best"),
        ("hex --set network.length=4,40", "the length of n-tuples must be 1 to 36"),
        ("nim --resume nowhere", "--resume uses the settings of the sweep; remove GAME"),
        ("--trials 5 --resume nowhere", "remove --trials"),
        ("--set td.alpha=1,2 --resume nowhere", "remove --set"),
        ("--resume nowhere", "nowhere is not a sweep: it has no sweep.json"),
    ],
)
def test_wrong_lines_are_refused_before_anything_is_written(
    line, message, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    assert main(["sweep", *line.split()]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_folders_of_others_and_damaged_ones_are_refused(whole, here, tmp_path, capsys):
    def refused(*arguments):
        assert main(["sweep", *map(str, arguments)]) == 2
        return capsys.readouterr().err

    assert f"contains a sweep; continue it with --resume {whole}" in refused(
        "nim", "--set", "td.alpha=1,2", "--out", whole
    )
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    assert "is not empty" in refused("nim", "--set", "td.alpha=1,2", "--out", tmp_path / "full")
    folder = tmp_path / "sweep"
    tafl.sweep("nim", {"td.alpha": [0.2, 0.5]}, episodes=10, games=2, confirm=0, out=folder)
    for name, advice in [("sweep.json", "begin the sweep again"), ("results.json", "delete it")]:
        text = (folder / name).read_text()
        (folder / name).write_text(text.replace("0.5", "0.6"))
        assert f"{folder / name} is damaged" in (err := refused("--resume", folder))
        assert advice in err
        (folder / name).write_text(text)
    (folder / "results.json").unlink()
    settings = folder / "trials" / "0" / "settings.toml"
    settings.write_text(settings.read_text().replace("gamma = 1.0", "gamma = 0.5"))
    assert "has other settings than this sweep needs" in refused("--resume", folder)


def test_a_settings_file_may_change_afterwards(here, tmp_path):
    """The sweep has its own copy."""
    file = tmp_path / "my.toml"
    file.write_text('game = "nim"\nepisodes = 20\n[td]\ngamma = 0.9\n')
    space = {"td.alpha": [0.2, 0.5]}
    found = tafl.sweep(None, space, settings=file, games=2, confirm=0, out=tmp_path / "s")
    file.write_text('game = "nim"\nepisodes = 30\n')
    (tmp_path / "s" / "results.json").unlink()
    assert tafl.sweep(resume=tmp_path / "s") == found
    assert Run.open(tmp_path / "s" / "trials" / "1").settings.td.gamma == 0.9


def test_a_game_of_a_script_is_refused(monkeypatch):
    """Other processes could not load it."""
    monkeypatch.setattr(Gamble, "__module__", "__main__")
    monkeypatch.setattr(sys.modules["__main__"], "Gamble", Gamble, raising=False)
    with pytest.raises(InputError, match="save the game as a file"):
        tafl.sweep(Gamble, {"td.alpha": [1, 2]})


@pytest.mark.skipif(
    find_spec("numba_cuda") is None, reason="numba-cuda is not installed: pip install 'tafl[gpu]'"
)
def test_a_sweep_on_a_gpu_trains_all_at_once(here, tmp_path):
    """In the simulator of numba-cuda, side by side; the scores are those of the CPU."""
    line = (
        "sweep nim(stones=2) --set td.alpha=0.1,0.5 --episodes 4 --vs exact --games 2 --confirm 0"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tafl",
            *line.split(),
            "--device",
            "cuda",
            "--out",
            tmp_path / "gpu",
        ],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert main([*line.split(), "--out", str(tmp_path / "cpu")]) == 0
    there, expected = (
        json.loads((tmp_path / name / "results.json").read_text()) for name in ("gpu", "cpu")
    )
    assert there["runs"] == expected["runs"]
    run = Run.open(tmp_path / "gpu" / "trials" / "0")
    assert (run.settings.device, run.settings.threads) == ("cuda", 1)


def test_of_runs_side_by_side_each_has_its_own_ending(tmp_path, monkeypatch):
    """One diverges and the others do not, or all of them fail."""
    plan = prepare("nim", None, None, {"episodes": 10})
    group = [opened(folder) for folder in seed_folders(create_seeds(plan, 3, tmp_path / "seeds"))]
    paths = [one.run.path for one in group]

    class Failing:
        def __init__(self, runs, tuples, progress):
            self.failed = {}

        def take_up(self, *found):
            pass

        def go(self, stop):
            self.failed[paths[0]] = outcome_of(Diverged("too large"))
            if all_fail:
                raise OSError("no device")

    monkeypatch.setattr(gpu_executor, "GpuTraining", Failing)
    monkeypatch.setattr(gpu_executor, "device_code", lambda: SimpleNamespace(device_name=str))
    executor, all_fail = GpuExecutor(), False
    diverged = Outcome("too large", diverged=True)
    assert executor._bring_to_end(group) == dict(
        zip(paths, [diverged, Outcome(), Outcome()], strict=True)
    )
    all_fail = True
    lost = Outcome("OSError: no device")
    assert executor._bring_to_end(group) == dict(zip(paths, [diverged, lost, lost], strict=True))


def test_a_seed_that_leaves_no_seeds_is_refused_before_the_trials(tmp_path, capsys):
    line = ["sweep", "nim", "--set", "td.alpha=0.1,0.5", "--trials", "2", "--fresh", "2"]
    folder = ["--out", str(tmp_path / "sweep"), "--seed"]
    assert main([*line, *folder, str(2**63 - 2)]) == 2
    assert f"the last run would have {2**63 + 1}" in capsys.readouterr().err
    assert not (tmp_path / "sweep").exists()
