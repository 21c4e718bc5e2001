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

import shutil
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from tafl.errors import InputError
from tafl.files import make_durable, read_sealed, write_sealed
from tafl.runs.checkpoint import check_room
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.runs.sources import keep_sources
from tafl.settings.model import Settings
from tafl.sweeps.plan import SweepPlan, Wanted
from tafl.sweeps.result import Score
from tafl.sweeps.space import make_space
from tafl.training.plan import check_opponents, make_plan

ASKED, BASE, RESULTS, PICTURE = "sweep.json", "base.toml", "results.json", "sweep.png"


def create(plan: SweepPlan, path: Path) -> Path:
    """Create the folder of a new sweep."""
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
    game = Run(path, base).game  # a sweep stores its game as a run does
    file = path / BASE if (path / BASE).is_file() else None
    plan = SweepPlan(make_plan(game, base, str(path)), preset, file, overrides, space, wanted)
    check_opponents(game, plan.trial({}, base.seed), str(path))
    return plan


def read_scores(path: Path) -> dict[str, Score]:
    """Return the stored scores, by the names of the runs' folders."""
    if not (path / RESULTS).exists():
        return {}
    return {name: Score(*pair) for name, pair in read_sealed(path / RESULTS, ())["runs"].items()}
