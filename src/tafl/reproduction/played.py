"""Trials of games without a computed measure: judged in games, one table for each game."""

import re
from collections.abc import Iterable
from math import sqrt
from statistics import mean

from tafl.arena.statistics import standard_error
from tafl.reproduction.cells import markdown_table, with_error
from tafl.settings.tables import Fields
from tafl.training.progress import duration

TITLES = {"hex": "Hex 6x6", "othello": "Othello", "2048": "2048"}


def played_tables(lines: Iterable[Fields]) -> str:
    """What was tried for each game, and what came of it."""
    stored = list(lines)
    found = {name: [line for line in stored if line["game"] == name] for name in TITLES}
    return "\n\n".join(_table(TITLES[name], runs) for name, runs in found.items() if runs)


def _table(title: str, runs: list[Fields]) -> str:
    trials: dict[str, list[Fields]] = {}
    for run in runs:
        trials.setdefault(run["trial"], []).append(run)
    measure = "score" if "score" in runs[0] else "win rate"
    judged = f"against `{runs[0]['against']}`" if measure == "win rate" else "playing alone"
    rows = [
        [
            change(trial),
            seeds(same),
            f"{same[0]['episodes']:,}",
            str(same[0]["games"]),
            _result(same, measure),
            time_of(same),
        ]
        for trial, same in trials.items()
    ]
    columns = ["change", "seeds", "episodes", "games of a seed", f"{measure}, {judged}"]
    columns.append("training time of a run")
    return f"#### {title}\n\n{markdown_table(columns, rows)}"


def change(trial: str) -> str:
    """What a trial changed, for people; lists of n-tuples are too long for a table."""
    shown = re.sub(r"=\[\[.*\]\]", "=[...]", trial)
    return {"": "nothing", "best": "the preset `best`"}.get(trial, f"`{shown}`")


def seeds(runs: list[Fields]) -> str:
    """The seeds of runs; more than three in a row by the first and the last.

    >>> seeds([{"seed": 1}, {"seed": 5}]), seeds([{"seed": seed} for seed in range(3, 8)])
    ('1, 5', '3 to 7')
    """
    found = sorted(run["seed"] for run in runs)
    if len(found) > 3 and found == list(range(found[0], found[-1] + 1)):
        return f"{found[0]} to {found[-1]}"
    return ", ".join(map(str, found))


def time_of(runs: list[Fields]) -> str:
    """How long a run took, and where; runs that learned side by side share the time."""
    seconds = mean(run["seconds"] / run.get("side by side", 1) for run in runs)
    return duration(seconds) + " on a GPU" * ("device" in runs[0])


def _result(runs: list[Fields], measure: str) -> str:
    """The mean and its standard error: over seeds, or of the games of a single run."""
    values = [run[measure] for run in runs]
    value, error = mean(values), standard_error(values)
    if measure == "score":
        return with_error(value, runs[0]["score, error"] if len(runs) == 1 else error, ",.0f")
    if len(runs) == 1:
        error = sqrt(value * (1 - value) / runs[0]["games"])
    return with_error(100 * value, 100 * error, ".1f") + " %"
