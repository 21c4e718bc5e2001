"""Tables of trials that are judged in games."""

from studies.best.plan import setup
from studies.best.played import played_tables
from studies.records import Measurement


def measured(trial, seed, value, error=None, **other):
    about = {"study": "best", "game": "hex", "seed": seed, "episodes": 1000, "seconds": 75.0}
    about |= {"metric": "win_rate", "against": "random", "n": 100, **setup(trial)}
    return Measurement(**{**about, "value": value, "error": error, **other})


def test_runs_of_one_trial_share_a_row():
    """A single run has the error of its games, several have that of their mean."""
    lines = [
        measured("", 1, 0.5, 0.05),
        measured("td.alpha=2", 1, 0.6, 0.049),
        measured("best", 101, 0.7),
        measured("best", 102, 0.8),
        measured("", 1, 0.5, game="nim"),
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
    one = measured("", 1, 1234.5, 67.0, game="2048", metric="score", against="")
    assert "| 1,234 ± 67 |" in played_tables([one])
    assert "score, playing alone" in played_tables([one])
