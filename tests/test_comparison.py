"""tafl runs, compare and export: made-up evaluations, so that every number is known."""

import csv
import json
import sys
from pathlib import Path

import pytest
from scipy import stats

import tafl
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.pictures.chart import chart
from tafl.runs.comparison import Group, compare
from tafl.runs.export import rows
from tafl.runs.run import Run
from tafl.settings.presets import compose
from tafl.settings.tables import nested

GOOD = {1: [0.1, 0.5], 2: [0.3, 0.7], 3: [0.2, 0.9]}  # by seed, after 100 and 200 episodes
BAD = {1: [-0.5, -0.3], 2: [-0.6, -0.1], 3: [-0.7, -0.4]}


def tell(path: Path, scores: list[float], seed: int = 1, opponent: str = "exact", **more) -> Path:
    """A run with these mean scores after 100, 200, ... episodes."""
    game = tafl.game(more.pop("game", "tictactoe"))
    overrides = {"episodes": 200, "seed": seed, "evaluation": {"every": 100}, **more}
    path.mkdir(parents=True)
    run = Run.create(path, game, compose(game, overrides=overrides))
    for number, score in enumerate(scores, start=1):
        result = {"games": 20, "mean": score, "standard_error": 0.1, "roles": [score, score]}
        results = [{"opponent": "random", **result, "mean": 0.9}, {"opponent": opponent, **result}]
        line = {"episode": 100 * number, "moves": 800 * number, "seconds": 0.5 * number}
        scores_so_far = [50.0 * number, -50.0 * number]
        run.add_metrics({**line, "active": 0.25, "scores": scores_so_far, "results": results})
    return path


@pytest.fixture
def folders(tmp_path, monkeypatch) -> tuple[Path, Path]:
    monkeypatch.chdir(tmp_path)
    for name, runs in (("good", GOOD), ("bad", BAD)):
        for seed, scores in runs.items():
            tell(Path("runs", name, f"seed-{seed}"), scores, seed)
    return Path("runs/good"), Path("runs/bad")


def test_a_curve_is_mean_and_standard_error_over_seeds(folders):
    curve = Group.open(folders[0]).curve("exact")
    assert curve.episodes == [100, 200]
    assert curve.means == pytest.approx([0.2, 0.7])
    assert curve.errors == pytest.approx([0.1 / 3**0.5, 0.2 / 3**0.5])
    assert curve.last.tolist() == [0.5, 0.7, 0.9]


def test_compare_prints_what_scipy_says(folders, capsys):
    assert main(["compare", *map(str, folders), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [c["opponent"] for c in document["comparisons"]] == ["random", "exact"]
    exact = document["comparisons"][1]
    good, bad = exact["groups"]
    last = [[scores[-1] for scores in runs.values()] for runs in (GOOD, BAD)]
    assert (good["runs"], good["episode"], good["worst"]) == (3, 200, 0.5)
    assert good["mean"] == pytest.approx(0.7)
    assert good["interquartile_mean"] == pytest.approx(0.7)
    assert bad["standard_error"] == pytest.approx(stats.sem(last[1]))
    interval = stats.t.interval(0.95, 2, loc=0.7, scale=stats.sem(last[0]))
    assert good["t_interval"] == pytest.approx(interval)
    expected = stats.ttest_ind(*last, equal_var=False).pvalue
    assert exact["p_values"]["welch"] == pytest.approx(expected)
    assert exact["p_values"]["permutation"] == pytest.approx(2 / 20)
    assert document["plot"] == "compare.png"


def test_compare_for_a_person_and_as_a_picture(folders, capsys):
    assert main(["compare", *map(str, folders), "--vs", "exact", "--out", "curves.png"]) == 0
    out = capsys.readouterr().out
    for text in ("against exact", "0.7", "Welch p = ", "permutation p = 0.1", "200 episodes"):
        assert text in out
    assert "against random" not in out
    assert Path("curves.png").read_bytes().startswith(b"\x89PNG")


def test_a_chart_shows_where_the_means_are(folders):
    curves = [Group.open(folder).curve("exact") for folder in folders]
    lines = chart(curves, width=21, height=13).splitlines()
    top, bottom = lines[0], lines[12]
    high = 0.7 + curves[0].errors[1]
    assert top.startswith(f"{high:9.4g} |")
    assert "*" not in top  # the band reaches higher than the mean
    assert "·" in top
    assert "·" in bottom
    stars = [number for number, line in enumerate(lines[:13]) if "*" in line.split("|")[1]]
    rings = [number for number, line in enumerate(lines[:13]) if "o" in line.split("|")[1]]
    assert max(stars) < min(rings)  # good above bad
    assert lines[-2:] == ["           * runs/good", "           o runs/bad"]


def test_one_run_and_one_point(tmp_path, capsys, monkeypatch):
    """Nothing is known about chance, nothing to interpolate, and no second group to test."""
    monkeypatch.chdir(tmp_path)
    tell(Path("one"), [0.25])
    assert main(["compare", "one", "--vs", "exact", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert found["groups"][0]["standard_error"] is None
    assert found["p_values"] == {"welch": None, "permutation": None}
    assert main(["compare", "one"]) == 0
    captured = capsys.readouterr()
    assert "0.25" in captured.out
    assert captured.err == "tafl: one: compared after 100 of 200 episodes\n"


def test_only_episodes_that_all_runs_have_are_compared(tmp_path):
    tell(tmp_path / "group" / "seed-1", [0.1, 0.2], seed=1)
    tell(tmp_path / "group" / "seed-2", [0.3], seed=2)
    (found,) = compare(tmp_path / "group", opponent="exact")
    assert found.curves[0].episodes == [100]
    assert found.summaries[0].mean == pytest.approx(0.2)
    assert found.curves[0].episodes[-1] < found.groups[0].runs[0].settings.episodes


def test_what_cannot_be_compared_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tell(Path("one"), [0.1])
    tell(Path("nim"), [0.1], game="nim")
    tell(Path("mixed/a"), [0.1])
    tell(Path("mixed/b"), [0.1], td={"alpha": 0.5})
    tell(Path("none"), [])
    tell(Path("other"), [0.1], opponent="maxn")
    for line, message in {
        "compare": "name at least one folder",
        "compare one nim": "one is a run of tictactoe, but nim is one of nim",
        "compare mixed": "differ in more than their seed: td.alpha is 1.0 in a and 0.5 in b",
        "compare nowhere": "nowhere is not a run",
        "compare one none": "none has no evaluations; train with evaluation.every set",
        "compare one other --vs exact": "not all runs were evaluated against exact",
        "compare one --out curves.txt": "curves.txt must end in .png, .svg, .pdf",
        "compare one --out no/curves.png": "its folder does not exist",
        "runs nowhere": "there is no folder nowhere",
        "export one": "name an output: --csv FILE",
        "export --csv x.csv": "name a run, a tournament or the records of a match",
        "export nowhere --csv x.csv": "nowhere is not a run",
        "export one none --latex x.tex": "none has no evaluations",
        "export one --latex x.tex --vs maxn": "not all runs were evaluated against maxn",
        "export one --latex no/x.tex": "--latex no/x.tex: this is a folder, or its folder does",
        "export one nim --tensorboard board": "--tensorboard and --agent take one run",
        "export one --tensorboard nim": "nim is not empty",
    }.items():
        assert main(line.split()) == 2, line
        assert message in capsys.readouterr().err
    assert not list(tmp_path.glob("*.*"))


def test_runs_lists_all_and_says_which_cannot_be_read(folders, capsys):
    (folders[1] / "seed-2" / "settings.toml").write_text("game = 5")
    assert main(["runs", "--json"]) == 0
    out, err = capsys.readouterr()
    lines = json.loads(out)["runs"]
    assert len(lines) == 6
    assert err.startswith("tafl: runs/bad/seed-2: ")
    assert err.count("\n") == 1
    assert [line["run"] for line in lines if "error" in line] == ["runs/bad/seed-2"]
    good = lines[-1]
    assert (good["run"], good["seed"], good["farl"]) == ("runs/good/seed-3", 3, "yes")
    assert (good["episode"], good["episodes"]) == (0, 200)  # it has no checkpoint
    assert good["results"][1]["mean"] == 0.9
    assert good["bytes"] > 1000
    assert main(["runs"]) == 0
    assert "0.9 against exact" in capsys.readouterr().out


def test_runs_says_which_parts_of_farl_are_on(tmp_path):
    off, half = {"farl_others": False, "farl_terminal": False}, {"farl_terminal": False}
    for number, (td, algo, said) in enumerate(
        [({}, "td", "yes"), (off, "td", "no"), (half, "td", "part"), (off, "sarsa", "no")]
    ):
        run = Run.open(tell(tmp_path / str(number), [0.1], td=td, algo=algo))
        assert run.listing()["farl"] == said


def test_export_csv_has_a_row_for_each_evaluation_and_opponent(folders, capsys):
    assert main(["export", str(folders[0]), "--csv", "good.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == {"good.csv": 12}
    lines = list(csv.DictReader(Path("good.csv").read_text().splitlines()))
    assert len(lines) == 3 * 2 * 2
    last = lines[-1]
    assert (last["self-play 0"], last["self-play 1"]) == ("0.5", "-0.5")
    assert (last["run"], last["seed"], last["episode"]) == ("runs/good/seed-3", "3", "200")
    assert (last["opponent"], last["games"], last["moves"]) == ("exact", "20", "1600")
    assert float(last["mean"]) == float(last["role 1"]) == 0.9
    known = nested({name: last[name] for name in last if "." in name})
    settings = Run.open("runs/good/seed-3").settings
    assert float(known["td"]["lambda"]) == settings.td.lambda_
    assert json.loads(known["evaluation"]["opponents"]) == settings.evaluation.opponents
    assert {*known} == {name for name, one in settings.tree().items() if isinstance(one, dict)}


def test_scores_are_points_as_people_count_them(tmp_path):
    """2048: a training of a few games scores hundreds of points, in its file as everywhere."""
    small = {"network": {"tuples": "random-walk", "number": 4, "length": 3}}
    evaluation = {"every": 2, "games": 3}
    run = tafl.train("2048", episodes=2, evaluation=evaluation, out=tmp_path / "run", **small)
    (result,) = run.metrics[-1]["results"]
    assert 100 < result["mean"] < 100_000
    assert run.listing()["results"][0]["mean"] == result["mean"]
    assert Group("one", [run]).curve("alone").means == [result["mean"]]
    assert next(rows(run))["mean"] == result["mean"]


def test_export_tensorboard_can_be_read_back(folders):
    pytest.importorskip("tensorboardX", reason="tensorboardX is not installed")
    from tensorboardX.proto.event_pb2 import Event

    assert main(["export", str(folders[0]), "--tensorboard", "board"]) == 0
    assert sorted(path.name for path in Path("board").iterdir()) == ["seed-1", "seed-2", "seed-3"]
    (file,) = Path("board/seed-3").iterdir()
    data, points = file.read_bytes(), {}
    while data:  # a record: length (8 bytes), its check sum (4), the event, its check sum (4)
        length = int.from_bytes(data[:8], "little")
        event = Event.FromString(data[12 : 12 + length])
        data = data[16 + length :]
        for value in event.summary.value:
            points.setdefault(value.tag, {})[event.step] = value.simple_value
    assert points["score/exact"] == pytest.approx({100: 0.2, 200: 0.9})
    assert points["active_weights"] == {100: 0.25, 200: 0.25}
    assert points["self-play/player_1"] == {100: -0.5, 200: -0.5}


def test_tensorboard_that_is_not_installed_is_said(folders, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboardX", None)
    assert main(["export", str(folders[0]), "--tensorboard", "board"]) == 2
    assert "pip install 'tafl[tensorboard]'" in capsys.readouterr().err
    assert not Path("board").exists()


def test_a_group_needs_a_run(tmp_path):
    with pytest.raises(InputError, match="is not a run"):
        Group.open(tmp_path)
