"""The folder of a sweep.

sweep.json                 what was asked; with it alone the sweep goes on
base.toml                  the settings file that it began with, if there was one
game/                      the file of a game of your own, as it was
trials/K/                  the run of trial K
confirmed/K/seed-S/        the point of trial K with fresh seeds
confirmed/base/seed-S/     the settings without changes with the same seeds
results.json               what came of it so far, after each batch of trials
sweep.png                  what mattered
"""

import json
import shutil
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tafl.errors import InputError
from tafl.files import make_durable, read_sealed, replacing, sealed, to_json
from tafl.runs.checkpoint import check_room
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.runs.sources import keep_sources
from tafl.settings.model import Settings
from tafl.sweeps.plan import SweepPlan, Wanted
from tafl.sweeps.result import Score
from tafl.sweeps.space import make_space
from tafl.training.plan import make_plan

ASKED, BASE, RESULTS, PICTURE = "sweep.json", "base.toml", "results.json", "sweep.png"


def create(plan: SweepPlan, path: Path) -> Path:
    """Makes the folder of a new sweep."""
    if (path / ASKED).exists():
        raise InputError(
            f"{path} already contains a sweep; continue it with --resume {path}, or use another "
            "--out"
        )
    new_folder(path)
    with claimed(path):
        try:
            kept = plan.runs if plan.wanted.keep else plan.runs - plan.wanted.trials
            check_room(path, plan.base.checkpoint * kept)
            if plan.file is not None:
                shutil.copyfile(plan.file, path / BASE)
            keep_sources(plan.game, path / "game")
            make_durable(path)
            write(path / ASKED, _document(plan))  # last: whatever has it counts as a sweep
        except OSError:  # nothing is left of a sweep that could not begin
            shutil.rmtree(path, ignore_errors=True)
            raise
    return path


def _document(plan: SweepPlan) -> dict[str, Any]:
    return {
        "tafl": version("tafl"),
        "game": plan.game.name,
        "preset": plan.preset,
        "overrides": plan.overrides,
        "base": plan.base.settings.tree(),
        "space": {key: tried.document() for key, tried in plan.space.items()},
        **asdict(plan.wanted),
    }


def open_plan(path: Path) -> SweepPlan:
    """The plan of a sweep by its folder."""
    if not (path / ASKED).is_file():
        raise InputError(f"{path} is not a sweep: it has no {ASKED}")
    try:
        asked = read_sealed(path / ASKED, ())
    except InputError:
        raise InputError(f"{path / ASKED} is damaged; begin the sweep again elsewhere") from None
    try:
        base = Settings.of(asked["base"])
        wanted = Wanted(**{name: asked[name] for name in Wanted.__dataclass_fields__})
        space, preset, overrides = make_space(asked["space"]), asked["preset"], asked["overrides"]
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"{path / ASKED}: this is not what a sweep writes") from None
    # it keeps the game as a run does
    game = Run(path, base).game
    file = path / BASE if (path / BASE).is_file() else None
    return SweepPlan(make_plan(game, base), preset, file, overrides, space, wanted)


def read_scores(path: Path) -> dict[str, Score]:
    """The scores that are stored, by the names of their runs' folders."""
    if not (path / RESULTS).exists():
        return {}
    return {name: Score(*pair) for name, pair in read_sealed(path / RESULTS, ())["runs"].items()}


def write(file: Path, document: dict[str, Any]) -> None:
    """Writes a document with its checksum."""
    with replacing(file) as stream:
        stream.write(to_json(sealed(json.loads(to_json(document))), indent=2) + "\n")
