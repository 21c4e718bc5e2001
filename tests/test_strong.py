"""The presets side by side: which stored runs count, and what the table says of them."""

import pytest

from studies.best.plan import setup
from studies.best.strength import COLUMNS, runs_of, strength_table
from studies.records import Measurement
from studies.search.searches import Kind, Search, command_of
from tafl.boards import load_game
from tafl.settings.presets import compose

LENGTH = {preset: compose(load_game("hex"), preset).episodes for preset in ("as-run", "best")}
FRESH = range(101, 111)
AGAINST = "mcts(iterations=10000)"


def lines(trial, seed, won, preset="best", **other):
    about = {"study": "best", "game": "hex", "seed": seed, "episodes": LENGTH[preset], "n": 100}
    about |= {"seconds": 75.0, **setup(trial)} | other
    rate = Measurement(**about, metric="win_rate", value=won, against=AGAINST)
    return [rate, Measurement(**about, metric="right_moves", value=won / 2)]


def test_runs_of_a_preset_change_nothing_that_is_learned():
    same = [*lines("best", 101, 0.9), *lines("best", 102, 0.8)]
    others = [
        *lines("best td.alpha=2.0", 101, 0.1),
        *lines("best evaluation.every=0", 101, 0.7),  # the same, but there are fewer of them
        *lines("", 101, 0.2, "as-run"),
        *lines("best", 103, 0.3, episodes=LENGTH["best"] + 1),  # as long as the preset was once
        *lines("best", 104, 0.4, game="othello"),
    ]
    assert runs_of([*others, *same], "hex", "best") == same
    assert runs_of([*others, *same], "hex", "as-run") == others[4:6]
    assert runs_of(others, "hex", "best") == others[2:4]


@pytest.mark.parametrize("searched", [True, False])
def test_presets_stand_side_by_side(searched):
    """Seeds of trials are left out; the error of 0.8 and 0.9 is half of what they differ by."""
    runs = [one for s, won in ((1, 0.1), (101, 0.8), (102, 0.9)) for one in lines("best", s, won)]
    runs += lines("evaluation.every=0", 101, 0.5, "as-run", device="cuda")
    kind = Kind("win_rate", AGAINST)
    about = {"study": "search", "game": "hex", "metric": "win_rate", "against": AGAINST}
    rate = Measurement(**about, value=0.99, error=0.01, n=100)
    search = Search("hex", "puct(champion)", command_of("hex"), 3.0, {kind: rate})
    columns, rows = strength_table(runs, [search] if searched else [], FRESH)
    found = ["99.0 ± 1.0 %", "-", "`puct(champion)`, 3 ms a move"] if searched else ["-"] * 3
    assert columns == COLUMNS
    as_run, best = (f"{LENGTH[preset]:,} episodes, 1:15" for preset in ("as-run", "best"))
    assert rows == [
        ["Hex 6x6", f"win rate against {AGAINST}", "50.0 %", "85.0 ± 5.0 %", found[0]],
        ["", "right moves", "0.250", "0.425 ± 0.025", found[1]],
        [
            "",
            "training, search",
            f"{as_run} on a GPU; seeds 101",
            f"{best}; seeds 101, 102",
            found[2],
        ],
    ]
