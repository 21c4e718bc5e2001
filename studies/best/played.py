"""Tables of trials of games that are judged by playing: one table for each game."""

import json
import re
from collections import Counter
from collections.abc import Iterable
from statistics import mean
from typing import Any

from studies.opponents import ERRORS, shown
from studies.records import Measurement, assignments, by_training, where
from tafl.arena.statistics import standard_error
from tafl.files import to_json
from tafl.reproduction.cells import markdown_table, with_error
from tafl.settings.presets import GAMES_AT_A_TIME
from tafl.training.progress import duration

TITLES = {"hex": "Hex 6x6", "othello": "Othello", "2048": "2048"}


def played_tables(found: Iterable[Measurement]) -> str:
    """Return a table of all trials for each game."""
    stored = list(found)
    games = {name: where(stored, game=name) for name in TITLES}
    return "\n\n".join(_table(TITLES[name], runs) for name, runs in games.items() if runs)


def _table(title: str, runs: list[Measurement]) -> str:
    """Return the table of a game; the first opponent is that of the paper's table."""
    metric = runs[0].metric
    opponents = list(dict.fromkeys(one.against for one in where(runs, metric=metric)))
    judged = f"against `{opponents[0]}`" if opponents[0] else "playing alone"
    rows = []
    for same in alike(runs):
        results = [where(same, metric=metric, against=opponent) for opponent in opponents]
        rows.append(
            [
                settings_shown(same[0]),
                seeds(same),
                f"{same[0].episodes:,}",
                str(results[0][0].n),
                *(result(some) for some in results),
                time_of(same),
            ]
        )
    measure = "score" if metric == "score" else "win rate"
    columns = ["change", "seeds", "episodes", "games of a seed", f"{measure}, {judged}"]
    columns += [f"against {shown(opponent)}" for opponent in opponents[1:]]
    columns.append("training time of a run")
    return f"#### {title}\n\n{markdown_table(columns, rows)}"


def connectfour_table(found: Iterable[Measurement]) -> str:
    """Return the trainings of ConnectFour, each with a change: the mean over its seeds."""
    judged: list[dict[str, Any]] = [{"metric": "wins", "role": "first"}]
    judged += [{"metric": "wins", "against": f"ab-dl(error={error})"} for error in ERRORS]
    judged.append({"metric": "right_moves", "stones": None})
    rows = [
        [
            settings_shown(runs[0]),
            seeds(runs),
            f"{runs[0].episodes:,}",
            *(result(where(runs, **one)) for one in judged),
            time_of(runs),
        ]
        for runs in alike(where(found, game="connectfour"))
    ]
    columns = ["change", "seeds", "episodes", "first, wins"]
    columns += [f"second, error {error}, wins" for error in ERRORS]
    return markdown_table([*columns, "right moves", "training time of a run"], rows)


def alike(found: Iterable[Measurement]) -> list[list[Measurement]]:
    """Return the measurements of each trial, on one kind of device, together."""
    groups: dict[tuple[str, ...], list[Measurement]] = {}
    for one in found:
        key = one.preset, to_json(one.overrides), one.device
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def settings_shown(one: Measurement) -> str:
    """Return what a trial changed, for tables; of lists of n-tuples only number and length.

    >>> about = {"study": "best", "game": "hex", "metric": "wins", "value": 0.5}
    >>> changed = {"network.tuples": [[0, 1], [1, 2]], "td.alpha": 1}
    >>> settings_shown(Measurement(**about, preset="as-run", overrides=changed))
    '`network.tuples=[2 of 2 cells] td.alpha=1`'
    >>> settings_shown(Measurement(**about, preset="best", overrides={"episodes": 9}))
    '`best` with `episodes=9`'
    """
    changed = " ".join(assignments(one.overrides))
    changed = re.sub(r"\[\[.*\]\]", lambda found: _counted(json.loads(found[0])), changed)
    if one.preset == "best":
        return f"`best` with `{changed}`" if changed else "the preset `best`"
    return f"`{changed}`" if changed else "nothing"


def _counted(tuples: list[list[int]]) -> str:
    lengths = Counter(map(len, tuples))
    return f"[{', '.join(f'{lengths[n]} of {n}' for n in sorted(lengths))} cells]"


def seeds(found: list[Measurement]) -> str:
    """Return the seeds of runs; more than three in a row by the first and the last.

    >>> about = {"study": "best", "game": "hex", "metric": "wins", "value": 0.5}
    >>> seeds([Measurement(**about, seed=seed) for seed in (1, 5)])
    '1, 5'
    >>> seeds([Measurement(**about, seed=seed) for seed in range(3, 8)])
    '3 to 7'
    """
    every = sorted({one.seed or 0 for one in found})
    if len(every) > 3 and every == list(range(every[0], every[-1] + 1)):
        return f"{every[0]} to {every[-1]}"
    return ", ".join(map(str, every))


def time_of(found: list[Measurement]) -> str:
    """Return the training time of a run, and where; runs side by side share the time."""
    runs = [some[0] for some in by_training(found)]
    seconds = mean((run.seconds or 0.0) / run.side_by_side for run in runs)
    if runs[0].device != "cuda":
        return duration(seconds)
    threads = runs[0].threads or GAMES_AT_A_TIME
    how = f" (`--threads {threads}`)" if threads != GAMES_AT_A_TIME else ""
    return f"{duration(seconds)} on a GPU{how}"


def result(found: list[Measurement]) -> str:
    """Return the mean and its standard error: over seeds, or of the games of a single run."""
    if not found:
        return ""
    values = [one.value for one in found]
    value, error = mean(values), standard_error(values)
    if len(found) == 1 and found[0].error is not None:
        error = found[0].error
    if found[0].metric == "score":
        return with_error(value, error, ",.0f")
    if found[0].metric == "right_moves":
        return with_error(value, error, ".3f")
    return with_error(100 * value, 100 * error, ".1f") + " %"
