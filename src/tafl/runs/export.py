"""The evaluations of runs for other programs: CSV, and TensorBoard."""

import csv
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from tafl.errors import InputError
from tafl.files import replacing
from tafl.runs.comparison import Group
from tafl.runs.curves import self_play_means
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.settings.tables import Fields, flat

ABOUT_RUN = ("run", "game", "algo", "farl", "seed")
ABOUT_EPISODE = ("episode", "moves", "seconds", "active")
ABOUT_RESULT = ("opponent", "starts", "games", "mean", "standard_error", "win_rate")


def rows(run: Run) -> Iterator[Fields]:
    """Return one row for each evaluation and opponent."""
    settings = run.settings
    about = (str(run.path), settings.game, settings.algo, settings.farl, settings.seed)
    for line, self_play in zip(run.metrics, self_play_means(run), strict=True):
        for result in line["results"]:
            row: Fields = dict(zip(ABOUT_RUN, about, strict=True))
            row |= {name: line[name] for name in ABOUT_EPISODE}
            row |= {name: result.get(name, "") for name in ABOUT_RESULT}
            row |= {f"self-play {p}": mean for p, mean in enumerate(self_play)}
            yield row | {
                f"role {p}": mean for p, mean in enumerate(result["roles"], result.get("role", 0))
            }


def columns_of_settings(settings: Settings) -> Fields:
    """Return all settings by their names, besides those of `ABOUT_RUN`; lists are JSON.

    >>> of = {"game": "hex", "network": {"tuples": [[0, 1]]}}
    >>> columns_of_settings(Settings.of(of))["network.tuples"]
    '[[0, 1]]'
    """
    return {
        name: json.dumps(value) if isinstance(value, list) else value
        for name, value in flat(settings.tree()).items()
        if name not in ABOUT_RUN
    }


def write_csv(groups: Sequence[Group], file: Path) -> int:
    """Write the evaluations of all runs as a table; return how many rows it has."""
    runs = [run for group in groups for run in group.runs]
    settings = [columns_of_settings(run.settings) for run in runs]
    found = [row | of for run, of in zip(runs, settings, strict=True) for row in rows(run)]
    players = range(max((len(line["scores"]) for run in runs for line in run.metrics), default=0))
    columns = [*ABOUT_RUN, *ABOUT_EPISODE, *ABOUT_RESULT]
    columns += [f"{name} {p}" for name in ("role", "self-play") for p in players]
    columns += dict.fromkeys(name for of in settings for name in of)
    with replacing(file) as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerows(found)
    return len(found)


def tensorboard_writer() -> Any:
    """Return the class that writes TensorBoard's files; an error says how to install it."""
    try:
        from tensorboardX import SummaryWriter
    except ImportError:
        raise InputError(
            "--tensorboard needs tensorboardX, which is not installed: "
            "pip install 'tafl[tensorboard]'"
        ) from None
    return SummaryWriter


def write_tensorboard(group: Group, folder: Path) -> int:
    """Write a folder of curves for each run; return how many numbers they have."""
    writer_class = tensorboard_writer()
    if folder.exists() and any(folder.iterdir()):
        raise InputError(
            f"{folder} is not empty, so TensorBoard would mix curves; use another folder"
        )
    count = 0
    for run in group.runs:
        path = folder if len(group.runs) == 1 else folder / run.path.name
        started = datetime.fromisoformat(run.environment["started"]).timestamp()
        with writer_class(logdir=str(path)) as writer:
            points = [(row, f"score/{row['opponent']}", row["mean"]) for row in rows(run)]
            for line, means in zip(run.metrics, self_play_means(run), strict=True):
                points.append((line, "active weights", line["active"]))
                points += [(line, f"self-play/player {p}", mean) for p, mean in enumerate(means)]
            for line, tag, value in points:
                walltime = started + line["seconds"]
                writer.add_scalar(tag, value, line["episode"], walltime)
        count += len(points)
    return count
