"""Search at play time: what is shown and recommended of what was measured."""

import json
import shlex

import pytest

from tafl.boards.spec import parse
from tafl.reproduction.searched import (
    GAMES,
    TRAINED,
    cell,
    command_of,
    of_game,
    openings,
    recommendations,
    recommended,
    section,
    traps,
)
from tafl.runs import champions as module
from tafl.runs.champions import recommended_search

CONNECTFOUR = GAMES[0]


def line(agent, kind, effort, milliseconds, right, **other):
    measures = {"right moves": [right, 0.01, 522]}
    line = {"game": "connectfour", "command": command_of("connectfour"), "agent": agent}
    line |= {"kind": kind, "effort": effort, "milliseconds": milliseconds, "measures": measures}
    return line | other


LINES = [
    line("alphabeta(champion,depth=12)", "alphabeta", 12, 140.0, 0.99),
    line("alphabeta(champion,depth=8)", "alphabeta", 8, 40.0, 0.97),
    line("puct(champion)", "puct", 500, 3.0, 0.97),
    line("champion", "", 0, 0.01, 0.9),
    line("champion", "", 0, 0.01, 1.0, command="tafl train connectfour --preset paper"),
]


def test_searches_of_another_agent_do_not_count():
    found = [one["agent"] for one in of_game(LINES, "connectfour")]
    assert found == [
        "champion",
        "alphabeta(champion,depth=8)",
        "alphabeta(champion,depth=12)",
        "puct(champion)",
    ]


def test_the_best_is_recommended_that_nobody_has_to_wait_for():
    """Depth 12 takes too long; of the equals puct is faster."""
    assert recommended(LINES, CONNECTFOUR)["agent"] == "puct(champion)"
    assert recommended([], CONNECTFOUR) is None
    assert section(LINES).count("(recommended)") == 1
    assert "| `puct(champion)` (recommended) | 3 ms | 0.970 ± 0.010 |" in section(LINES)


def test_searches_around_a_larger_agent_have_a_table_of_their_own():
    """It is not what a card recommends, however good it is."""
    large = line("run:PATH", "", 0, 0.01, 0.999, command=TRAINED["connectfour"])
    around = ["ConnectFour: search around the champion", f"search around `{large['command']}`"]
    assert [text in section(LINES) for text in around] == [True, False]
    text = section([*LINES, large])
    first, second = text.split(around[1])
    assert around[0] in first
    assert "| `run:PATH` | 0.01 ms | 0.999 ± 0.010 |" in second
    assert "`puct(champion)` (recommended)" in first
    assert "recommended" not in second


def test_other_measures_choose_among_searches_that_chance_may_have_ordered():
    """A hundredth is one standard error: 0.96 counts as well as 0.97, 0.95 does not."""
    won = {"first against ab-dl: wins": [1.0, 0.0, 50]}
    close, far = line("close", "puct", 1, 5.0, 0.96), line("far", "puct", 2, 5.0, 0.95)
    for one in (close, far):
        one["measures"] |= won
    assert recommended([*LINES, close, far], CONNECTFOUR)["agent"] == "close"
    far["measures"]["second against ab-dl(error=0.1): wins"] = [1.0, 0.0, 50]
    assert recommended([*LINES, far], CONNECTFOUR)["agent"] == "puct(champion)"


def test_a_card_recommends_a_search_only_for_the_agent_it_was_measured_with(tmp_path, monkeypatch):
    searches = tmp_path / "searches.json"
    monkeypatch.setattr(module, "SEARCHES", searches)
    found = recommendations(LINES)
    searches.write_text(json.dumps(found))
    assert (
        recommended_search("connectfour")
        == "puct(champion), 3 ms a move: right moves 0.970 ± 0.010"
    )
    assert recommended_search("nim") == ""
    found["connectfour"]["command"] = "tafl train connectfour"
    searches.write_text(json.dumps(found))
    assert recommended_search("connectfour") == ""


def test_cells_are_written_as_people_do():
    assert cell("points", (142571.2, 4074.2, 200)) == "142,571 ± 4,074"
    assert cell("right moves", (0.9061, 0.0128, 522)) == "0.906 ± 0.013"
    assert cell("reached 16384", (0.075, 0.0186, 200)) == "7.5 ± 1.9 %"
    assert cell("reached 32768", (0.0, 0.0, 200)) == "none of 200"
    assert cell("reached 2048", (1.0, 0.0, 12)) == "all of 12"


def test_openings_are_counted(tmp_path):
    assert openings(tmp_path) == ""
    agent = {"agent": "champion", "games": 10, "not_won": 4}
    agent |= {"first_mistakes": {"4442": 3, "41": 1}, "right": {"own": [1.0, 0.0, 1.0, 0.0]}}
    (tmp_path / "search_openings.json").write_text(json.dumps({"agents": [agent]}))
    row = openings(tmp_path).splitlines()[-1]
    assert row == "| `champion` | 4 of 10 | 4442: 3; others: 1 | 0.500 ± 0.289 |"


def test_traps_have_the_errors_of_their_games(tmp_path):
    """A quarter of 75 games: sqrt(3 / 16 / 75) is a twentieth."""
    assert traps(tmp_path) == ""
    errors = {"0.1": {"wins": 0.25, "draws": 0.0}, "0.2": {"wins": 1.0, "draws": 0.0}}
    lines = [{"agent": "ab-dl", "games": 75, "errors": errors}]
    (tmp_path / "search_traps.json").write_text(json.dumps({"command": "", "agents": lines}))
    head, _, row = traps(tmp_path).splitlines()
    assert "| `ab-dl(error=0.1)` (75 games) | `ab-dl(error=0.2)` (75 games) |" in head
    assert row == "| `ab-dl` | 25.0 ± 5.0 % (none of 75) | all of 75 (none of 75) |"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_names_a_command(game):
    program, train, trained, preset, *_ = shlex.split(command_of(game.name))
    assert (program, train, preset) == ("tafl", "train", "--preset")
    assert parse(trained)[0] == game.name


def test_games_without_a_champion_compare_agents_of_several_trainings():
    """The main measure alone; of the searches those of today's agent come first."""
    points = {"points": [300_000.0, 2_000.0, 100], "reached 2048": [1.0, 0.0, 100]}
    alone = {"game": "2048", "command": command_of("2048"), "agent": "run:PATH", "kind": ""}
    alone |= {"effort": 0, "milliseconds": 0.03, "measures": points}
    deep = alone | {"agent": "nply(run:PATH,depth=2)", "kind": "nply", "effort": 2}
    other = deep | {"command": "tafl train 2048 --preset best"}
    table = section([alone, deep, other]).splitlines()
    assert table[-4] == "| points, by training | `run:PATH` | `nply(run:PATH,depth=2)` |"
    today, before = table[-2:]
    both = "300,000 ± 2,000 (100)"
    assert today == f"| `{command_of('2048')}` | {both} | {both} |"
    assert before == f"| `tafl train 2048 --preset best` | - | {both} |"
    deeper = other | {"agent": "nply(run:PATH,depth=3)", "effort": 3}
    table = section([deeper, alone, deep, other]).splitlines()
    heads = "`run:PATH` | `nply(run:PATH,depth=2)` | `nply(run:PATH,depth=3)`"
    assert table[-4] == f"| points, by training | {heads} |"
    assert table[-2] == f"| `tafl train 2048 --preset best` | - | {both} | {both} |"
    assert "by training" not in section([alone, deep])
    assert "by training" not in section(LINES)
