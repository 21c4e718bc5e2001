"""Tables of trials that are judged in games."""

from tafl.reproduction.played import played_tables


def line(trial, seed, **numbers):
    about = {"game": "hex", "trial": trial, "seed": seed, "episodes": 1000, "seconds": 75.0}
    return about | {"against": "random", "games": 100} | numbers


def test_runs_of_one_trial_share_a_row():
    """A single run has the error of its games, several have that of their mean."""
    lines = [
        line("", 1, **{"win rate": 0.5}),
        line("td.alpha=2", 1, **{"win rate": 0.6}),
        line("best", 101, **{"win rate": 0.7}),
        line("best", 102, **{"win rate": 0.8}),
        {"game": "nim", "trial": ""},
    ]
    assert played_tables(lines).splitlines() == [
        "#### Hex 6x6",
        "",
        "| change | seeds | episodes | games of a seed | win rate, against `random` | "
        "training time of a run |",
        "|---|---|---|---|---|---|",
        "| nothing | 1 | 1,000 | 100 | 50.0 ± 5.0 % | 1:15 |",
        "| `td.alpha=2` | 1 | 1,000 | 100 | 60.0 ± 4.9 % | 1:15 |",
        "| the preset `best` | 101, 102 | 1,000 | 100 | 75.0 ± 5.0 % | 1:15 |",
    ]


def test_a_player_alone_has_a_score():
    one = line("", 1, **{"score": 1234.5, "score, error": 67.0}) | {"game": "2048"}
    assert "| 1,234 ± 67 |" in played_tables([one])
    assert "score, playing alone" in played_tables([one])
