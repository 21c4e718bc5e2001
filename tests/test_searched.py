"""Search at play time: what is shown and recommended of what was measured."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from studies.make.searches import recommendations, text_of
from studies.records import Measurement, read, results
from studies.search.report import write
from studies.search.searches import (
    FIRST,
    GAMES,
    RIGHT,
    SECOND,
    TRAINED,
    Kind,
    Search,
    command_of,
    of_game,
    recommended,
    searches_in,
)
from studies.search.tables import cell, opening_table, search_tables, trap_table
from tafl.boards.spec import parse
from tafl.runs import champions as module
from tafl.runs.champions import recommended_search

HOME = Path(__file__).parent.parent
CONNECTFOUR = GAMES[0]


def one(metric, value, error=None, n=None, **other):
    about = {"study": "search", "game": "connectfour", "metric": metric}
    return Measurement(**about, value=value, error=error, n=n, **other)


def search(agent, milliseconds, right, **other):
    measures = {RIGHT: one("right_moves", right, 0.01, 522)}
    found = Search("connectfour", agent, command_of("connectfour"), milliseconds, measures)
    return replace(found, **other)


LINES = [
    search("alphabeta(champion,depth=12)", 140.0, 0.99),
    search("alphabeta(champion,depth=8)", 40.0, 0.97),
    search("puct(champion)", 3.0, 0.97),
    search("champion", 0.01, 0.9),
    search("champion", 0.01, 1.0, command="tafl train connectfour --preset paper"),
]


def test_a_search_is_what_was_measured_of_it():
    about = {"preset": "best", "seed": 1, "agent": "alphabeta(A,depth=4)"}
    found = [one("milliseconds", 3.0, condition={"part": "strength"}, **about)]
    role = {"part": "strength", "role": "first"}
    found.append(one("wins", 0.5, 0.1, 50, against="ab-dl", condition=role, **about))
    found.append(one("wins", 0.5, condition={"part": "traps"}, **about))
    (made,) = searches_in(found)
    assert made.command == "tafl train connectfour --preset best --seed 1"
    assert (made.shown, made.time) == ("alphabeta(run:PATH,depth=4)", "3 ms")
    assert made.measures == {FIRST: found[1]}


def test_searches_are_ordered_by_kind_and_effort():
    ways = {
        "A": ("", 0),
        "puct(champion,iterations=1000,c=0.5)": ("puct, c=0.5", 1000),
        "nply(A,positions=100)": ("nply by positions", 100),
    }
    assert {agent: search(agent, 1.0, 0.9).way for agent in ways} == ways


def test_searches_of_another_agent_do_not_count():
    found = [each.agent for each in of_game(LINES, "connectfour")]
    assert found == [
        "champion",
        "alphabeta(champion,depth=8)",
        "alphabeta(champion,depth=12)",
        "puct(champion)",
    ]


def test_the_best_is_recommended_that_nobody_has_to_wait_for():
    """Depth 12 takes too long; of the equals puct is faster."""
    assert recommended(LINES, CONNECTFOUR).agent == "puct(champion)"
    assert recommended([], CONNECTFOUR) is None
    assert search_tables(LINES).count("(recommended)") == 1
    assert "| `puct(champion)` (recommended) | 3 ms | 0.970 ± 0.010 |" in search_tables(LINES)


def test_searches_around_a_larger_agent_have_a_table_of_their_own():
    """It is not what a card recommends, however good it is."""
    large = search("A", 0.01, 0.999, command=TRAINED["connectfour"])
    around = ["ConnectFour: search around the champion", f"trained on a GPU\n\n`{large.command}`"]
    assert [text in search_tables(LINES) for text in around] == [True, False]
    text = search_tables([*LINES, large])
    first, second = text.split(around[1])
    assert around[0] in first
    assert "| `run:PATH` | 0.01 ms | 0.999 ± 0.010 |" in second
    assert "`puct(champion)` (recommended)" in first
    assert "recommended" not in second


def test_other_measures_choose_among_searches_that_chance_may_have_ordered():
    """A hundredth is one standard error: 0.96 counts as well as 0.97, 0.95 does not."""
    close, far = search("close(A,n=1)", 5.0, 0.96), search("far(A,n=2)", 5.0, 0.95)
    for each in (close, far):
        each.measures[FIRST] = one("wins", 1.0, 0.0, 50)
    assert recommended([*LINES, close, far], CONNECTFOUR).agent == "close(A,n=1)"
    far.measures[SECOND] = one("wins", 1.0, 0.0, 50)
    assert recommended([*LINES, far], CONNECTFOUR).agent == "puct(champion)"


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


def test_cards_recommend_what_is_stored():
    assert module.SEARCHES.read_text() == text_of(searches_in(read(results("search"))))


def test_cells_are_written_as_people_do():
    assert cell(one("score", 142571.2, 4074.2, 200)) == "142,571 ± 4,074"
    assert cell(one("right_moves", 0.9061, 0.0128, 522)) == "0.906 ± 0.013"
    assert cell(one("reached", 0.075, 0.0186, 200)) == "7.5 ± 1.9 %"
    assert cell(one("reached", 0.0, 0.0, 200)) == "none of 200"
    assert cell(one("reached", 1.0, 0.0, 12)) == "all of 12"


def test_openings_are_counted():
    assert opening_table([]) == ""
    about = {"agent": "champion", "condition": {"part": "openings"}}
    found = [one("wins", 0.6, 0.15, 10, **about)]
    for columns, count in (("4442", 3), ("41", 1)):
        condition = {"part": "openings", "first_moves": columns}
        found.append(one("first_mistakes", count, n=10, agent="champion", condition=condition))
    condition = {"part": "openings", "positions": "own"}
    found.append(one("right_moves", 0.5, 0.2887, 4, agent="champion", condition=condition))
    row = opening_table(found).splitlines()[-1]
    assert row == "| `champion` | 4 of 10 | 4442: 3, others: 1 | 0.500 ± 0.289 |"


def test_traps_have_the_errors_of_their_games():
    """A quarter of 75 games: sqrt(3 / 16 / 75) is a twentieth."""
    assert trap_table([]) == ""
    found = []
    for error, wins in ((0.1, 0.25), (0.2, 1.0)):
        about = {"agent": "ab-dl", "against": f"ab-dl(error={error})", "n": 75}
        about |= {"condition": {"part": "traps"}}
        found += [one("wins", wins, 0.05, **about), one("draws", 0.0, 0.0, **about)]
    head, _, row = trap_table(found).splitlines()
    assert "| `ab-dl(error=0.1)` (75 games) | `ab-dl(error=0.2)` (75 games) |" in head
    assert row == "| `ab-dl` | 25.0 ± 5.0 % (none of 75) | all of 75 (none of 75) |"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_game_names_a_command(game):
    program, train, trained, preset, *_ = shlex.split(command_of(game.name))
    assert (program, train, preset) == ("tafl", "train", "--preset")
    assert parse(trained)[0] == game.name


def test_games_without_a_champion_compare_agents_of_several_trainings():
    """The main measure alone; of the searches those of today's agent come first."""
    points = {
        Kind("score"): one("score", 300_000.0, 2_000.0, 100),
        Kind("reached", tile=2048): one("reached", 1.0, 0.0, 100),
    }
    alone = Search("2048", "A", command_of("2048"), 0.03, points)
    deep = replace(alone, agent="nply(A,depth=2)")
    other = replace(deep, command="tafl train 2048 --preset best")
    table = search_tables([alone, deep, other]).splitlines()
    assert table[-4] == "| training | `run:PATH` | `nply(run:PATH,depth=2)` |"
    today, before = table[-2:]
    both = "300,000 ± 2,000 (100)"
    assert today == f"| `{command_of('2048')}` | {both} | {both} |"
    assert before == f"| `tafl train 2048 --preset best` | - | {both} |"
    deeper = replace(other, agent="nply(A,depth=3)")
    table = search_tables([deeper, alone, deep, other]).splitlines()
    heads = "`run:PATH` | `nply(run:PATH,depth=2)` | `nply(run:PATH,depth=3)`"
    assert table[-4] == f"| training | {heads} |"
    assert table[-2] == f"| `tafl train 2048 --preset best` | - | {both} | {both} |"
    assert "by training" not in search_tables([alone, deep])
    assert "by training" not in search_tables(LINES)


def test_the_page_says_what_is_stored(tmp_path):
    page, picture = write(tmp_path)
    assert (HOME / "docs" / "science" / "search.md").read_text() == page.read_text()
    assert picture.is_file()
