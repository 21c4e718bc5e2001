"""Trials of games without a computed measure: judged in games, one table for each game."""

import json
import re
from collections import Counter
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
    measure = "score" if "score" in runs[0] else "win rate"
    judged = f"against `{runs[0]['against']}`" if measure == "win rate" else "playing alone"
    further = [name for name in _names(runs) if name.startswith(f"{measure}, against ")]
    rows = [
        [
            change(same[0]["trial"]),
            seeds(same),
            f"{same[0]['episodes']:,}",
            str(same[0]["games"]),
            _result(same, measure),
            *(_result([run for run in same if name in run], name) for name in further),
            time_of(same),
        ]
        for same in alike(runs)
    ]
    columns = ["change", "seeds", "episodes", "games of a seed", f"{measure}, {judged}"]
    columns += [name.removeprefix(f"{measure}, ") for name in further]
    columns.append("training time of a run")
    return f"#### {title}\n\n{markdown_table(columns, rows)}"


def alike(runs: Iterable[Fields]) -> list[list[Fields]]:
    """Runs of one trial, on one kind of device, together."""
    found: dict[tuple[str, str], list[Fields]] = {}
    for run in runs:
        found.setdefault((run["trial"], run.get("device", "cpu")), []).append(run)
    return list(found.values())


def _names(runs: list[Fields]) -> list[str]:
    return list(dict.fromkeys(name for run in runs for name in run))


def change(trial: str) -> str:
    """What a trial changed, for people; of lists of n-tuples only how many, and how long.

    >>> change("best episodes=9"), change("network.tuples=[[0,1],[1,2]] td.alpha=1")
    ('`best` with `episodes=9`', '`network.tuples=[2 of 2 cells] td.alpha=1`')
    """
    shown = re.sub(r"\[\[.*\]\]", lambda found: _counted(json.loads(found[0])), trial)
    if shown.startswith("best "):
        return f"`best` with `{shown.removeprefix('best ')}`"
    return {"": "nothing", "best": "the preset `best`"}.get(trial, f"`{shown}`")


def _counted(tuples: list[list[int]]) -> str:
    lengths = Counter(map(len, tuples))
    return f"[{', '.join(f'{lengths[n]} of {n}' for n in sorted(lengths))} cells]"


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
    if not values:
        return ""
    value, error = mean(values), standard_error(values)
    if measure == "score":
        return with_error(value, runs[0]["score, error"] if len(runs) == 1 else error, ",.0f")
    if len(runs) == 1:
        games = runs[0].get(f"games{measure.removeprefix('win rate')}", runs[0]["games"])
        error = sqrt(value * (1 - value) / games)
    return with_error(100 * value, 100 * error, ".1f") + " %"
