"""The presets side by side: which stored runs count, and what the table says of them."""

import pytest

from tafl.boards import load_game
from tafl.reproduction.searched import command_of
from tafl.reproduction.strong import COLUMNS, runs_of, strength_table
from tafl.settings.presets import compose

LENGTH = {preset: compose(load_game("hex"), preset).episodes for preset in ("as-run", "best")}
FRESH = range(101, 111)


def line(trial, seed, won, preset="best", **other):
    about = {"game": "hex", "trial": trial, "seed": seed, "episodes": LENGTH[preset]}
    return about | {"seconds": 75.0, "games": 100, "win rate": won, "right": won / 2} | other


def test_runs_of_a_preset_change_nothing_that_is_learned():
    same = [line("best", 101, 0.9), line("best", 102, 0.8)]
    others = [
        line("best td.alpha=2.0", 101, 0.1),
        line("best evaluation.every=0", 101, 0.7),  # the same, but there are fewer of them
        line("", 101, 0.2, "as-run"),
        line("best", 103, 0.3, episodes=LENGTH["best"] + 1),  # as long as the preset was once
        line("best", 104, 0.4) | {"game": "othello"},
    ]
    assert runs_of([*others, *same], "hex", "best") == same
    assert runs_of([*others, *same], "hex", "as-run") == [others[2]]
    assert runs_of(others, "hex", "best") == [others[1]]


@pytest.mark.parametrize("searched", [True, False])
def test_presets_stand_side_by_side(searched):
    """Seeds of trials are left out; the error of 0.8 and 0.9 is half of what they differ by."""
    lines = [line("best", seed, won) for seed, won in ((1, 0.1), (101, 0.8), (102, 0.9))]
    lines.append(line("evaluation.every=0", 101, 0.5, "as-run", device="cuda"))
    about = {"game": "hex", "command": command_of("hex"), "agent": "puct(champion)", "kind": "puct"}
    against = "win rate against mcts(iterations=10000)"
    about |= {"effort": 500, "milliseconds": 3.0, "measures": {against: [0.99, 0.01, 100]}}
    columns, rows = strength_table(lines, [about] if searched else [], FRESH)
    found = ["99.0 ± 1.0 %", "-", "`puct(champion)`, 3 ms a move"] if searched else ["-"] * 3
    assert columns == COLUMNS
    as_run, best = (f"{LENGTH[preset]:,} episodes, 1:15" for preset in ("as-run", "best"))
    assert rows == [
        ["Hex 6x6", against, "50.0 %", "85.0 ± 5.0 %", found[0]],
        ["", "right moves", "0.250", "0.425 ± 0.025", found[1]],
        [
            "",
            "training, search",
            f"{as_run} on a GPU; seeds 101",
            f"{best}; seeds 101, 102",
            found[2],
        ],
    ]
