"""The folder of a sweep.

sweep.json                 the plan, from which a sweep can be continued
base.toml                  a copy of the settings file, if there was one
game/                      a copy of the file of your own game
trials/K/                  the run of trial K
confirmed/K/seed-S/        the point of trial K with fresh seeds
confirmed/base/seed-S/     the unchanged settings with the same seeds
results.json               the results so far, written after each batch of trials
sweep.png                  the effect of each setting
"""

import os
import shutil
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tafl.arguments import argument
from tafl.errors import InputError
from tafl.files import make_durable, read_sealed, write_sealed
from tafl.runs.checkpoint import check_room
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.runs.sources import keep_sources
from tafl.settings.model import Settings
from tafl.settings.tables import read_toml
from tafl.sweeps.plan import SweepPlan, Wanted
from tafl.sweeps.result import Score
from tafl.sweeps.space import make_space
from tafl.training.plan import check_opponents, make_plan


class Stored(BaseModel):
    """The fields of sweep.json that are used, in strict types; `Wanted` has their limits."""

    model_config = ConfigDict(strict=True)
    base: dict[str, Any]
    space: dict[str, str | list[Any]]
    overrides: dict[str, Any]
    preset: str | None
    trials: int
    sampler: str
    batch: int
    confirm: int
    fresh: int
    keep: bool


class Scores(BaseModel):
    """The part of results.json that is read: mean and standard error, by the folder of a run."""

    model_config = ConfigDict(strict=True)
    runs: dict[str, Annotated[list[float | None], Field(min_length=2, max_length=2)]]


ASKED, BASE, RESULTS, PICTURE = "sweep.json", "base.toml", "results.json", "sweep.png"


def create(plan: SweepPlan, path: Path) -> Path:
    """Create the folder of a new sweep."""
    if (path / ASKED).exists():
        raise InputError(
            f"{path} already contains a sweep; continue it with {argument('resume', path)}, or use "
            f"another {argument('out')}"
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
            document = {
                "tafl": version("tafl"),
                "game": plan.game.name,
                "preset": plan.preset,
                "overrides": plan.overrides,
                "base": plan.base.settings.tree(),
                "space": {key: tried.document() for key, tried in plan.space.items()},
                **asdict(plan.wanted),
            }
            write_sealed(
                path / ASKED, document, indent=2
            )  # last: a folder with this file is a sweep
        except OSError:  # remove a sweep that could not begin
            shutil.rmtree(path, ignore_errors=True)
            raise
    return path


def open_plan(path: Path) -> SweepPlan:
    """Return the plan of a stored sweep."""
    if not (path / ASKED).exists():
        raise InputError(f"{path} is not a sweep: it has no {ASKED}")
    try:
        asked = read_sealed(path / ASKED, ())
    except InputError as error:
        if "is damaged" not in str(error):
            raise
        raise InputError(f"{path / ASKED} is damaged; begin the sweep again elsewhere") from None
    try:
        Stored.model_validate(asked)
        base = Settings.of(asked["base"])
        wanted = Wanted(**{name: asked[name] for name in Wanted.__dataclass_fields__})
        space, preset, overrides = make_space(asked["space"]), asked["preset"], asked["overrides"]
        asks = wanted if wanted.sampler == "tpe" else replace(wanted, batch=None)
        resolved = asks.checked(space)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        why = f" ({error})" if isinstance(error, InputError) else ""
        raise InputError(f"{path / ASKED}: this is not what a sweep writes{why}") from None
    if resolved != wanted:
        raise InputError(f"{path / ASKED}: this is not what a sweep writes")
    game = Run(path, base).game  # a sweep stores its game as a run does
    file = path / BASE if os.path.lexists(path / BASE) else None
    if file is not None:
        read_toml(file, follow=False)
    plan = SweepPlan(make_plan(game, base, str(path)), preset, file, overrides, space, wanted)
    check_opponents(game, plan.trial({}, base.seed), str(path))
    return plan


def read_scores(path: Path) -> dict[str, Score]:
    """Return the stored scores, by the names of the runs' folders."""
    if not (path / RESULTS).exists():
        return {}
    try:
        runs = Scores.model_validate(read_sealed(path / RESULTS, ())).runs
    except ValidationError:
        raise InputError(f"{path / RESULTS}: this is not what a sweep writes") from None
    return {name: Score(*pair) for name, pair in runs.items()}
