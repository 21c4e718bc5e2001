"""tafl export --latex and --csv, tafl.table: every number is known, and every text is harmless."""

import csv
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tafl
from tafl.arena.records import Record
from tafl.arena.statistics import standard_error
from tafl.arena.table import Score, Table, written
from tafl.cli.main import main
from tafl.errors import InputError
from test_comparison import BAD, GOOD, tell


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def folders(here) -> list[str]:
    for name, runs in (("good_100%", GOOD), ("bad", BAD)):
        for seed, scores in runs.items():
            tell(Path("runs", name, f"seed-{seed}"), scores, seed)
    return ["runs/good_100%", "runs/bad"]


def test_runs_as_a_table_for_a_paper(folders, capsys):
    """0.5, 0.7, 0.9: mean 0.7, standard error 0.2 / sqrt(3); a text that LaTeX would misread."""
    assert main(["export", *folders, "--latex", "table.tex"]) == 0
    assert capsys.readouterr().out == "table.tex: 2 rows\n"
    *notes, needs, begin, top, head, rule, good, bad, bottom, end = (
        Path("table.tex").read_text().splitlines()
    )
    assert notes[:2] == ["% tictactoe", "% mean score and standard error over seeds"]
    assert notes[2].startswith("% against random, good_100% and bad: Welch p = ")
    assert needs == r"% needs \usepackage{booktabs}"
    assert (begin, end) == (r"\begin{tabular}{lrrrr}", r"\end{tabular}")
    assert [line.strip() for line in (top, rule, bottom)] == [
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
    ]
    assert head == r"   & seeds & episodes & against random & against exact \\"
    assert good == r"  good\_100\% & $3$ & $200$ & $0.900 \pm 0.000$ & $0.70 \pm 0.12$ \\"
    assert bad == r"  bad & $3$ & $200$ & $0.900 \pm 0.000$ & $-0.267 \pm 0.088$ \\"


def test_one_opponent_and_one_run(folders, capsys):
    assert main(["export", "runs/bad/seed-2", "--latex", "t.tex", "--vs", "exact", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "runs": ["runs/bad/seed-2"],
        "written": {"t.tex": 1},
    }
    assert r"  seed-2 & $1$ & $200$ & $-0.100$ \\" in Path("t.tex").read_text()


def test_csv_of_several_experiments_has_the_evaluations_of_all(folders):
    assert main(["export", *folders, "--csv", "all.csv"]) == 0
    rows = list(csv.DictReader(Path("all.csv").read_text().splitlines()))
    assert len(rows) == 2 * 3 * 2 * 2
    assert {row["run"] for row in rows} == {
        f"{folder}/seed-{s}" for folder in folders for s in GOOD
    }


def test_a_stored_match_is_the_match(here, capsys):
    played = tafl.match("nim3p", ["exact", "random", "maxn(depth=1)"], games=12, starts=1)
    played.save("games.jsonl")
    stored = tafl.Result.open("games.jsonl")
    assert stored.standings == played.standings
    assert tafl.table("games.jsonl") == tafl.table(played)
    assert main(["export", "games.jsonl", "--latex", "m.tex", "--csv", "m.csv"]) == 0
    assert capsys.readouterr().out == "m.tex: 3 rows\nm.csv: 3 rows\n"
    rows = list(csv.DictReader(Path("m.csv").read_text().splitlines()))
    assert [row["agent"] for row in rows] == played.agents
    assert [float(row["mean score"]) for row in rows] == played.means
    assert [float(row["standard error"]) for row in rows] == played.standard_errors
    assert [float(row["as player 3"]) for row in rows] == [roles[2] for roles in played.roles]
    one = played.standings[0]
    line = f"  exact & {written(Score(one.mean, one.error))} & {written(one.win_rate)} & "
    assert line in Path("m.tex").read_text()


def test_a_tournament_as_a_table(here):
    agents = ["random", "exact", "maxn(depth=1)"]
    played = tafl.tournament("nim", agents, games=20, starts=2, out="league")
    stored = tafl.Tournament.open("league")
    assert (stored.agents, stored.means) == (played.agents, played.means)
    assert stored.ratings == played.ratings
    assert main(["export", "league", "--csv", "league.csv", "--latex", "league.tex"]) == 0
    rows = list(csv.DictReader(Path("league.csv").read_text().splitlines()))
    assert float(rows[0]["rating (Elo)"]) == max(played.ratings.elo)
    assert rows[0]["agent"] == "exact"
    [random] = [row for row in rows if row["agent"] == "random"]
    ratings, half = played.ratings, 1.959964 * float(random["standard error of rating (Elo)"])
    assert ratings.elo[0] + half == pytest.approx(ratings.high[0])
    # the rounds of its two matches, of equal length
    errors = [played.matches[pair].standard_errors[0] for pair in ((0, 1), (0, 2))]
    error = float(random["standard error of mean score"])
    assert error == pytest.approx(np.hypot(*errors) / 2)
    assert r"maxn(depth=1) & " in Path("league.tex").read_text()


def test_errors_of_a_tournament_are_those_of_chance_alone():
    """Where every round of a match ends alike, opponents may differ: nothing is uncertain."""
    found = tafl.tournament("nim", ["exact", "maxn(depth=15)", "maxn(depth=2)"], games=8)
    for i, error in enumerate(found.errors):
        rounds = [one._rounds[:, who.index(i)] for who, one in found.matches.items() if i in who]
        assert error == pytest.approx(np.hypot(*map(standard_error, rounds)) / 2)


def test_a_game_for_one(here):
    tafl.match("2048", ["random"], games=3).save("alone.jsonl")
    table = tafl.table("alone.jsonl")
    assert (table.columns, len(table.rows)) == (["agent", "mean score"], 1)


def test_what_is_no_table_is_refused(folders, capsys):
    tafl.match("nim", ["exact", "random"], games=2).save("match.jsonl")
    lines = Path("match.jsonl").read_text().splitlines()
    tafl.match("nim", ["maxn", "random"], games=2).save("other.jsonl")
    both = [lines[0], *Path("other.jsonl").read_text().splitlines()]
    Path("mixed.jsonl").write_text("\n".join(both))
    Path("empty.jsonl").write_text("")
    tafl.tournament("nim", ["exact", "random", "maxn"], games=2, out="league")
    Path("league/matches/0-2.jsonl").unlink()
    tafl.tournament("nim", ["exact", "random"], games=2, out="swapped")
    Path("swapped/matches/0-1.jsonl").write_bytes(Path("other.jsonl").read_bytes())
    short = Record("nim3p", 0, 0, ["x", "y"], [], [], [1.0, 0.0, 0.0])
    Path("short.jsonl").write_text(short.line())
    Path("nameless").mkdir()
    Path("nameless/tournament.json").write_text('{"agents": ["x", "y"], "game": 5}')
    for line, message in {
        "short.jsonl": "line 1: nim3p(heaps=3,stones=5,take=5,extra=true) has 3 players, each",
        "nameless": "nameless/tournament.json does not say which game was played",
        "match.jsonl other.jsonl": "a table has any number of runs, or one match, or one tourn",
        "match.jsonl runs/bad": "a table has any number of runs, or one match, or one tournament",
        "match.jsonl --vs random": "only runs can be shown against random alone",
        "mixed.jsonl": "mixed.jsonl, line 2: here maxn and random played nim(heaps=3,stones=5,",
        "empty.jsonl": "empty.jsonl has no games",
        "league": "exact against maxn was not played to its end; run the same tournament again",
        "swapped": "swapped/matches/0-1.jsonl: this is not the match exact against random",
        "match.jsonl --agent x.agent": "--tensorboard and --agent take one run",
    }.items():
        assert main(["export", *line.split(), "--latex", "out.tex"]) == 2, line
        assert message in capsys.readouterr().err
    assert not Path("out.tex").exists()
    with pytest.raises(InputError, match="name at least one folder"):
        tafl.table()


@pytest.mark.parametrize(
    ("mean", "error", "shown"),
    [
        (0.5, 0.0, "0.500 ± 0.000"),
        (0.49996, 0.0999, "0.500 ± 0.100"),
        (-2.5e-7, 1.2e-8, "-0.000000250 ± 0.000000012"),
        (1234.5678, 9.87, "1,234.6 ± 9.9"),
        (1234.5678, 98.7, "1,235 ± 99"),
    ],
)
def test_digits_of_a_score(mean, error, shown):
    assert str(Score(mean, error)) == shown


def test_hostile_texts_stay_texts():
    name = "\\input{x} & 5% $#_{}~^<|>\n"
    table = Table(name, [name, "n"], [[name, 1]], [name])
    *notes, _, _, _, _, row, _, _ = table.latex().splitlines()
    assert all(line.startswith("% ") for line in notes)
    told = r"\textbackslash{}input\{x\} \& 5\% \$\#\_\{\}\textasciitilde{}\textasciicircum{}"
    assert row.strip() == told + r"\textless{}\textbar{}\textgreater{}  & $1$ \\"
    assert "<|" not in table._repr_html_()
    [_, parsed] = list(csv.reader(table.csv().splitlines(keepends=True)))
    assert parsed == [name, "1"]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX with booktabs")
def test_latex_takes_any_text(here):
    names = ["\\input{x} & 5% $#_{}~^<|>\n", "[in brackets]", "* or --option 'a' \"b\" `c`", ""]
    rows = [[name, Score(-1234.5, 0.25), 1234567, 0.5, float("nan")] for name in names]
    table = Table(names[0], [*names, "last"], rows, names)
    Path("table.tex").write_text(table.latex())
    text = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}"]
    text += [r"\input{table}", r"\end{document}"]
    command = ["pdflatex", "-halt-on-error", "".join(text)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60)
