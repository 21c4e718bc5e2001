"""tafl reproduce: the runs of the paper's results, and the page made from them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tafl
from studies.farl.last_mover import last_movers
from tafl import workers
from tafl.boards import load_game
from tafl.cli.main import main
from tafl.errors import InputError
from tafl.reproduction.cells import as_authors, shown, values
from tafl.reproduction.report import PAGES, report, write_report
from tafl.reproduction.rows import MAIN, PARTS, VARIANTS, Job, authors_curves, jobs_of, rows
from tafl.reproduction.runs import load_results
from tafl.reproduction.schedule import Places, carry_out_jobs, in_order
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.training.progress import Progress

HOME = Path(__file__).parent.parent
WHAT = [("table1", None), ("table1", [*MAIN, *PARTS]), ("fig3", None), ("fig4", None)]


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """A quick reproduction of two rows, made once."""
    out = tmp_path_factory.mktemp("reproduction")
    command = ["reproduce", "table1", "--rows", "tictactoe,nim", "--seeds", "1", "--quick"]
    assert main([*command, "--out", str(out)]) == 0
    return out, command


def test_everything_that_was_asked_for_is_stored(quick):
    out, _ = quick
    stored = load_results(out / "runs" / "quick" / "results")
    ways = [*MAIN, "sarsa-farl", "sarsa-no-farl", "q-farl", "q-no-farl"]
    ways += ["paper-farl", "paper-no-farl"]
    found = sorted((r["row"], r["variant"], r["seed"]) for r in stored)
    assert found == sorted((row, way, 1) for row in ("tictactoe", "nim") for way in ways)
    for result in stored:
        assert result["moves"] > 0
        assert [n["opponent"] for n in result["numbers"]] == [
            n.opponent for n in rows()[result["row"]].numbers
        ]
    left = {path.name for path in (out / "runs" / "quick").iterdir()}
    assert left == {"docs", "lock", "results"}, "runs are deleted"


def test_quick_agents_learn_what_the_paper_says(quick):
    """TicTacToe's and Nim's training is not shortened: FARL plays about perfectly."""
    out, _ = quick
    stored = load_results(out / "runs" / "quick" / "results")
    for row, opponent in (("tictactoe", "maxn(depth=10)"), ("nim", "maxn(depth=15)")):
        (on,), (off,) = (
            values([r for r in stored if (r["row"], r["variant"]) == (row, way)], opponent)
            for way in MAIN
        )
        assert on >= 0.4
        assert off <= 0.3


def test_what_is_stored_is_not_made_again(quick, capsys):
    out, command = quick
    results = out / "runs" / "quick" / "results"
    one, others = results / "nim/q-farl/seed-1.json", list(results.glob("*/*/*.json"))
    before = {file: file.read_bytes() for file in others}
    times = {file: file.stat().st_mtime_ns for file in others}
    one.unlink()
    assert main([*command, "--out", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["failed"] == {}
    assert {line["variant"] for line in document["rows"] if line["row"] == "nim"} >= set(MAIN)
    for file in others:
        if file != one:
            assert file.stat().st_mtime_ns == times[file]
    remade, first = json.loads(one.read_text()), json.loads(before[one])
    for key in ("settings", "moves", "active", "numbers", "curve"):
        assert remade[key] == first[key], key


def test_damaged_results_are_found(quick, tmp_path):
    stored = quick[0] / "runs" / "quick" / "results" / "nim" / "td-farl" / "seed-1.json"
    content = stored.read_bytes()
    copy = tmp_path / "nim" / "td-farl" / "seed-1.json"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(content)
    assert len(load_results(tmp_path)) == 1
    for k in range(0, len(content) - 1, 7):  # the last byte is the end of the line
        damaged = bytearray(content)
        damaged[k] ^= 1
        copy.write_bytes(damaged)
        with pytest.raises(InputError, match=f"{copy} is damaged: delete it"):
            load_results(tmp_path)
    before = {name: value for name, value in json.loads(content).items() if name != "check"}
    copy.write_text(json.dumps(before))
    assert len(load_results(tmp_path)) == 1


def test_page_has_a_warning_and_pictures(quick):
    out, _ = quick
    docs = out / "runs" / "quick" / "docs"
    page = (docs / "science" / "results.md").read_text()
    assert "Do not compare these numbers" in page
    assert "| TicTacToe | against `maxn(depth=10)` | 50.0 % |" in page
    assert (docs / "img" / "tictactoe.png").stat().st_size > 10_000


def test_a_run_that_fails_is_reported_and_others_are_stored(tmp_path, capsys):
    places = Places(tmp_path, quick=True)
    job = jobs_of("table1", ["nim"], 1, quick=True)[0]
    run = tafl.train("nim", episodes=10, out=places.runs / job.name)
    assert run.finished
    command = ["reproduce", "table1", "--rows", "nim", "--seeds", "1", "--quick"]
    command += ["--learners", ",".join([*MAIN, *PARTS])]
    assert main([*command, "--out", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "nim/td-farl/seed-1 failed" in said
    assert "other settings" in said
    stored = {r["variant"] for r in load_results(places.results) if r["row"] == "nim"}
    assert stored == {"td-no-farl", "td-part-1", "td-part-2"}


@pytest.mark.long
def test_an_interrupted_reproduction_goes_on(tmp_path):
    """Ctrl-C in the middle of ConnectFour's training, then the same command again."""
    command = [sys.executable, "-m", "tafl", "reproduce", "fig4", "--quick", "--seeds", "1"]
    command += ["--out", str(tmp_path)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    progress = tmp_path / "runs" / "quick" / "connectfour" / "td-farl" / "seed-1" / "progress"
    while not progress.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert "run the same command to continue" in said
    assert not list((tmp_path / "runs" / "quick" / "results").rglob("*.json"))
    again = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert "connectfour/td-farl/seed-1: stored" in again.stderr
    assert len(load_results(tmp_path / "runs" / "quick" / "results")) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table1", "--rows", "chess"], "--rows chess: unknown; available: 2048, tictactoe"),
        (["fig4", "--rows", "hex"], "--rows hex: unknown; available: connectfour"),
        (["fig4", "--learners", "q-farl"], "--learners q-farl: unknown; available: td-farl"),
        (["table1", "--seeds", "0"], "--seeds must be 1 to 10,000, not 0"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_made(arguments, message, tmp_path, capsys):
    assert main(["reproduce", *arguments, "--out", str(tmp_path)]) == 2
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_few_first_moves_win_nim3p():
    """What the page says about seeds that fail."""
    game = load_game("nim3p")
    values = tafl.agent("maxn(depth=15)", game).values(game.start())
    assert len(values) == 15
    assert sum(value == 1.0 for value in values.values()) == 3


def test_numbers_of_a_part_of_the_training_are_compared_with_the_same_part():
    number = rows()["connectfour"].numbers[0]
    curve = [[4_000_000, 0.1, 0], [4_600_000, 0.6, 0], [5_000_000, 0.8, 0], [6_000_000, 0.2, 0]]
    run = {"curve": {number.opponent: curve}}
    assert as_authors([run], number) == [pytest.approx(0.7)]
    judged = {"opponent": number.opponent, "as_authors": {"value": 0.3}}
    shortened = {"curve": {number.opponent: curve[:1]}, "numbers": [judged]}
    assert as_authors([shortened], number) == [0.3]


@pytest.mark.parametrize(("what", "learners"), WHAT)
def test_every_run_has_settings_that_are_the_presets(what, learners):
    """But for FARL, seed and judging, a run is what the preset says, or Figure 3's row."""
    for job in jobs_of(what, seeds=1, learners=learners):
        tree = job.settings().tree()
        assert tree["algo"] == job.variant.algo
        own = {"algo": job.variant.algo, "seed": job.seed, "td": dict(job.row.td)}
        if job.row.episodes:
            own["episodes"] = job.row.episodes
        if job.variant.algo == "td":
            own["td"] |= {"farl_others": job.variant.others, "farl_terminal": job.variant.terminal}
        elif not job.variant.others:
            own["td"] = {"farl_others": False, "farl_terminal": False}
        else:
            own["td"] = {}
        expected = compose(load_game(job.row.game), job.variant.preset, None, own).tree()
        for key in tree:
            assert key == "evaluation" or tree[key] == expected[key], (job.name, key)


def test_numbers_of_runs():
    """Ten seeds with and without FARL; for 2048 no single parts, it has one player."""
    table = jobs_of("table1")
    for row in rows().values():
        if row.name != "fig3":
            for way in MAIN:
                assert len([j for j in table if j.row == row and j.variant.name == way]) == 10
    assert len(jobs_of("fig3")) == 4 * 25
    parts = jobs_of("table1", learners=[*MAIN, *PARTS])
    assert {j.variant.name for j in parts if j.row.name == "2048"} == set(MAIN)
    short = jobs_of("table1", quick=True)
    assert len(short) == len(jobs_of("table1", seeds=1)) + 2 * 7, "two seeds of the paper's own"


def test_short_rows_and_the_papers_own_runs_come_first():
    jobs = jobs_of("table1", ["tictactoe", "connectfour"], 2)
    ordered, seconds = in_order(jobs, [100.0 if j.row.name == "connectfour" else 1.0 for j in jobs])
    main_ones = [job for job in ordered if job.variant.name in MAIN]
    assert ordered[:8] == main_ones
    names = [(job.row.name, job.seed) for job in main_ones]
    assert names == [(r, s) for r in ("tictactoe", "connectfour") for s in (1, 1, 2, 2)]
    for job, cost in zip(ordered, seconds, strict=True):
        assert cost == (100.0 if job.row.name == "connectfour" else 1.0)


def test_runs_share_a_process(tmp_path, monkeypatch):
    """It takes some seconds to start one, more than short runs need."""
    started = []

    class Counted(workers.Worker):
        def __init__(self, quiet):
            started.append(self)
            super().__init__(quiet)

    monkeypatch.setattr(workers, "Worker", Counted)
    monkeypatch.setattr("tafl.training.executors.cores", lambda: 1)
    jobs = jobs_of("table1", ["nim"], 1, quick=True)[:3]
    places = Places(tmp_path, quick=True)
    assert carry_out_jobs(jobs, [1.0] * 3, places, keep=False, progress=Progress()) == {}
    assert places.missing(jobs) == []
    assert len(started) == 1


def test_authors_curves_end_where_their_table_says():
    """Their last point and the number of the table come from the same logs."""
    for row in rows().values():
        for number in row.numbers:
            for name, cell in zip(number.log_curves or (), number.log or (), strict=False):
                _, mean, error = authors_curves()[name][-1]
                assert abs(mean - cell[0]) <= 3 * max(error, cell[1]) + 1e-9, name


def test_means_are_written_as_people_write_them():
    assert shown(rows()["connectfour"], [0.98, 1.0]) == "99.0 ± 1.0 %"
    assert shown(rows()["nim3p"], [0.3]) == "0.300"
    assert shown(rows()["nim"], []) == "-"


def stored_results():
    found = load_results(HOME / "results")
    if not found:
        pytest.skip("no results are stored")
    return found


def test_the_page_of_results_says_what_is_stored(tmp_path):
    """The pages of results are what the stored runs say, and so are their pictures' names."""
    stored_results()
    made = write_report(HOME / "results", tmp_path)
    for name in PAGES:
        assert (HOME / "docs" / "science" / name).read_text() == made.with_name(name).read_text()
    for picture in (tmp_path / "img").iterdir():
        assert (HOME / "docs" / "img" / picture.name).exists()


def test_stored_runs_were_made_with_todays_settings():
    """A changed preset would make the stored results those of something else."""
    for result in stored_results():
        device = result["settings"].get("device", "cpu")
        row, variant = rows()[result["row"]], VARIANTS[result["variant"]]
        job = Job(row, variant, result["seed"], device=device)
        # an older version knew fewer settings: the others were as they are by default
        assert Settings.of(result["settings"]) == job.settings(), job.name


def test_stored_runs_are_small():
    sizes = [file.stat().st_size for file in (HOME / "results").rglob("*") if file.is_file()]
    assert sum(sizes) < 5_000_000


def test_who_moves_last():
    """By the rules: a line of three, a chain or the last stone is made by the mover, who wins."""
    for name in ("tictactoe", "hex(size=3)", "connectfour"):
        shares = last_movers(load_game(name), games=50)
        assert shares["lost"] == 0
        assert shares["won"] > 0.5
    assert last_movers(load_game("nim3p"), games=50) == {"won": 0, "drew": 0, "lost": 1}
    assert last_movers(load_game("othello"), games=100)["lost"] > 0.1


def test_a_page_without_runs_says_so():
    words = report([], {})
    assert words["figure4"] == "No runs are stored."
    assert "| 2048 | playing alone | - | - | - |" in words["table1"]
