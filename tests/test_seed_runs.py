"""Several seeds: one view of all, a run that fails or is killed, and a cluster of two machines."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tafl.cli.main import main
from tafl.errors import InputError
from tafl.runs.run import Run
from tafl.training.executors import LocalExecutor, make_executor
from tafl.training.plan import prepare
from tafl.training.progress import Progress
from tafl.training.seed_runs import create_seeds, seed_folders, train_seeds
from test_train import bits, told, wait_for

SHORT = "--episodes 300 --set evaluation.every=100 evaluation.games=4"


class Diary(Progress):
    """Remembers what it was shown."""

    def __init__(self):
        self.episodes: list[int] = []
        self.said: list[str] = []
        self.ended = 0

    def begin(self, episode, total):
        self.episodes.append(episode)
        self.total = total

    def block(self, episode, moves):
        self.episodes.append(episode)

    def say(self, text):
        self.said.append(text)

    def end(self):
        self.ended += 1


def go_on(folder, progress):
    run = Run.open(seed_folders(folder)[0])
    return train_seeds(folder, make_executor("local", run.game, [run.settings]), progress)


def test_one_view_of_all_runs(tmp_path):
    plan = prepare("nim", None, None, {"episodes": 5_000, "evaluation": {"every": 0}})
    folder = create_seeds(plan, 3, tmp_path / "seeds")
    diary = Diary()
    runs, failed = go_on(folder, diary)
    assert (len(runs), failed, diary.ended) == (3, {}, 1)
    assert diary.total == 15_000
    assert diary.episodes[0] == 0
    assert diary.episodes == sorted(diary.episodes)
    assert diary.episodes[-1] == 15_000
    assert sum(text.endswith(": finished") for text in diary.said) == 3
    assert not list(folder.glob("*/progress*"))
    again = Diary()
    go_on(folder, again)  # nothing is left to do, so no process starts
    assert again.episodes == [15_000]
    assert "0 of 3 seeds" in again.said[0]


def test_a_killed_run_is_reported_the_others_finish_and_resuming_makes_up_for_it(tmp_path):
    """The number of its process is in its lock."""
    folder = tmp_path / "seeds"
    line = "train nim --seeds 2 --episodes 1000000 --set evaluation.every=500000"
    process = subprocess.Popen(
        [sys.executable, "-m", "tafl.cli.main", *line.split(), "--json", "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    first = folder / "seed-1"
    wait_for(lambda: (first / "progress").exists())
    os.kill(int((first / "lock").read_text()), signal.SIGKILL)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert f"tafl: {first} failed: exit code -9\n" in err
    document = json.loads(out)
    assert [run["seed"] for run in document["runs"]] == [2]
    assert document["failed"] == {str(first): "exit code -9"}
    assert main(["train", "--resume", str(folder), "--json"]) == 0
    alone = tmp_path / "alone"
    assert (
        main([*line.replace("--seeds 2", "--seed 1").split(), "--json", "--out", str(alone)]) == 0
    )
    assert bits(Run.open(first)) == bits(Run.open(alone))
    assert told(Run.open(first)) == told(Run.open(alone))


def test_a_process_makes_several_runs_and_one_that_dies_takes_one_along(tmp_path):
    plan = prepare("nim", None, None, {"episodes": 300, "evaluation": {"every": 0}})
    folders = seed_folders(create_seeds(plan, 4, tmp_path / "seeds"))
    (folders[1] / "settings.toml").write_text("alpha = 1")
    executor = LocalExecutor(threads=10**6, memory=1)  # one at a time
    assert executor.start(folders) == "1 at a time"
    first, died, ended = executor.running[0].process.pid, [], []

    def look():
        ended.extend(executor.ended())
        if len(ended) == 2 and not died:  # the third run has been handed over
            died.append(executor.running[0].process.pid)
            executor.running[0].process.kill()
        return not executor.busy

    wait_for(look)
    assert died == [first]
    assert [one.folder for one in ended] == folders
    assert [bool(one.failure) for one in ended] == [False, True, True, False]
    assert "the setting game is missing" in ended[1].failure
    assert ended[2].failure == "exit code -9"
    assert not any(one.diverged for one in ended)
    assert [Run.open(folders[k]).finished for k in (0, 3)] == [True, True]


def test_a_run_that_diverges_is_told_from_one_that_fails(tmp_path):
    wild = {
        "td": {"alpha": 1000},
        "network": {"sigma": "identity"},
        "coherence": {"transfer": "off"},
    }
    plan = prepare("nim", None, None, {"episodes": 300, "evaluation": {"every": 0}, **wild})
    executor = make_executor("local", plan.game, [plan.settings])
    executor.start(seed_folders(create_seeds(plan, 1, tmp_path / "seeds")))
    ended = []
    wait_for(lambda: ended.extend(executor.ended()) or not executor.busy)
    assert ended[0].diverged
    assert "lower td.alpha" in ended[0].failure


def test_runs_are_all_made_or_none_is_resumed(tmp_path, monkeypatch):
    """A kill while the folders are made, then a full disk."""
    plan, made, create = prepare("nim", None, None, {"episodes": 10}), [], Run.create

    def stopped(path, game, settings):
        if made:
            raise made[0]
        made.append(KeyboardInterrupt() if path.parent.name == "killed" else OSError(28, "full"))
        return create(path, game, settings)

    monkeypatch.setattr(Run, "create", stopped)
    with pytest.raises(KeyboardInterrupt):
        create_seeds(plan, 2, tmp_path / "killed")
    assert (tmp_path / "killed" / "seed-1" / "settings.toml").exists()
    with pytest.raises(InputError, match="stopped before all runs were made; delete it"):
        go_on(tmp_path / "killed", Diary())
    made.clear()
    with pytest.raises(OSError, match="full"):
        create_seeds(plan, 2, tmp_path / "full")
    assert not (tmp_path / "full").exists()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("train nim --seeds 2 --executor slurm", "slurm"),
        ("train nim --executor ray", "--executor ray is for several runs; add --seeds N"),
    ],
)
def test_wrong_executors_are_refused(line, message, tmp_path, capsys):
    assert main([*line.split(), "--out", str(tmp_path / "run")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


def test_ray_that_is_not_installed_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(f"train nim --seeds 2 --executor ray --out {tmp_path / 'run'}".split()) == 2
    assert "pip install 'tafl[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.fixture(scope="module")
def cluster():
    """A Ray cluster of two machines with one core each, both on this one."""
    pytest.importorskip("ray", reason="Ray is not installed (extra: ray)")
    import ray
    from ray.cluster_utils import Cluster

    small = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "memory": 2**30}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        made = Cluster(initialize_head=True, head_node_args={**small, "include_dashboard": False})
        try:
            made.add_node(**small)
            patch.setenv("RAY_ADDRESS", made.address)
            yield made
        finally:
            ray.shutdown()
            made.shutdown()


def test_a_cluster_of_two_machines_gives_the_same_bits(cluster, tmp_path, capsys):
    seeds = f"train nim --seed 4 --seeds 4 {SHORT} --out"
    assert main([*seeds.split(), str(tmp_path / "ray"), "--executor", "ray"]) == 0
    said = capsys.readouterr().err
    assert "on a Ray cluster of 2 machines" in said
    places = [line.rpartition(" on ")[2] for line in said.splitlines() if ": finished on" in line]
    assert len(places) == 4
    assert len(set(places)) == 2  # both machines took part
    assert main([*seeds.split(), str(tmp_path / "local"), "--json"]) == 0
    for seed in range(4, 8):
        there, here = (Run.open(tmp_path / where / f"seed-{seed}") for where in ("ray", "local"))
        assert bits(there) == bits(here)
        assert told(there) == told(here)
    capsys.readouterr()
    too_many = f"train nim --seeds 2 --threads 2 --executor ray --out {tmp_path / 'never'}"
    assert main(too_many.split()) == 2
    assert "no machine of the Ray cluster has the 2 cores and" in capsys.readouterr().err
    assert not (tmp_path / "never").exists()


@pytest.mark.long
def test_a_sweep_on_a_cluster_finds_the_same(cluster, tmp_path, capsys):
    line = "sweep nim --set td.alpha=0.2,0.5 --episodes 50 --games 4 --confirm 1 --fresh 1 --out"
    assert main([*line.split(), str(tmp_path / "ray"), "--executor", "ray"]) == 0
    said = capsys.readouterr().err
    assert "2 runs to train" in said
    assert "on a Ray cluster of 2 machines" in said
    assert main([*line.split(), str(tmp_path / "local"), "--json"]) == 0
    for name in ("sweep.json", "results.json"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "local" / name).read_bytes()


@pytest.mark.long
def test_runs_on_a_cluster_save_what_they_have_when_stopped(cluster, tmp_path):
    plan = prepare("nim", None, None, {"episodes": 10**9, "evaluation": {"every": 0}})
    folders = seed_folders(create_seeds(plan, 3, tmp_path / "seeds"))
    executor = make_executor("ray", plan.game, [plan.settings])
    executor.start(folders)
    wait_for(lambda: sum((folder / "progress").exists() for folder in folders) == 2)
    executor.stop()
    ended = []
    wait_for(lambda: ended.extend(executor.ended()) or not executor.busy)
    assert {outcome.folder for outcome in ended} == set(folders)
    reached = sorted(Run.open(folder).summary().get("episode", 0) for folder in folders)
    assert reached[0] == 0  # it never started
    assert reached[1] > 0
    assert reached[2] > 0
