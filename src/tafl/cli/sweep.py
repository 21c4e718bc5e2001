"""`tafl sweep GAME --set td.alpha=1..10:log`"""

from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.options import GameText, Learning, Place, Whole, refuse_with_resume
from tafl.cli.output import Json, against, print_json, print_table
from tafl.numbers import number, score, share

if TYPE_CHECKING:
    from tafl.sweeps.plan import SweepPlan
    from tafl.sweeps.result import Confirmed, Sweep


@Parameter(name="*")
@dataclass(frozen=True)
class Search:
    """The trials of a sweep, and their evaluation."""

    trials: Whole | None = None
    """Number of points to try (default: 64), capped at the grid size."""
    sampler: Literal["grid", "random", "tpe"] | None = None
    """Method that chooses the points: grid (all points), random, or tpe (Optuna)."""
    batch: Whole | None = None
    """Number of points that tpe chooses at a time (default: an eighth of the trials)."""
    vs: str | None = None
    """Opponent in the evaluation of a trial (default: the last of evaluation.opponents)."""
    games: Whole | None = None
    """Number of games in the evaluation of a trial."""
    confirm: Whole | None = None
    """Number of best points to train again with fresh seeds (default: 5)."""
    fresh: Whole | None = None
    """Number of fresh seeds for each of the best points (default: 5)."""
    keep: bool | None = None
    """Keep the weights of all trials (default); --no-keep deletes them to save disk space."""
    out: Path | None = None
    """Folder for the sweep (default: sweeps/GAME-ALGO-SEED)."""


def sweep(
    game: GameText | None = None,
    *,
    learning: Learning | None = None,
    search: Search | None = None,
    place: Place | None = None,
    resume: Annotated[Path | None, Parameter(help="Folder of a sweep to continue.")] = None,
    json: Json = False,
) -> None:
    """Try many settings, and confirm the best ones with fresh seeds.

    Write --set with several values (td.lambda=0,0.5,0.7) or with a range (td.alpha=1..10:log).
    """
    from tafl.sweeps.folder import PICTURE
    from tafl.sweeps.sweep import begin, go_on
    from tafl.training.progress import Progress, progress_for_person

    learning, search, place = learning or Learning(), search or Search(), place or Place()
    executor = place.executor or "local"
    progress = Progress() if json else progress_for_person()
    if resume is None:
        plan = _plan(game, learning, search, place.device)
        progress.say(f"{plan.wanted.trials} trials ({plan.wanted.sampler}); {plan.base}")
        path = begin(plan, search.out, executor)
    else:
        refuse_with_resume("sweep", {"executor"}, game, learning, search, place)
        path = resume
    found, picture = go_on(path, executor, progress), path / PICTURE
    _draw(found, picture)
    if json:
        print_json({"sweep": str(path), **found.document(), "picture": str(picture)})
    else:
        _show(found)
        print(f"all trials: {path / 'trials'}; effect of each setting: {picture}")


def _plan(game: str | None, learning: Learning, search: Search, device: str | None) -> "SweepPlan":
    from tafl.settings.tables import merged
    from tafl.sweeps.plan import Wanted, plan_sweep
    from tafl.sweeps.space import parse_sweep
    from tafl.sweeps.sweep import judging_tree

    fixed, space = parse_sweep(learning.changes or [])
    wanted = ("trials", "sampler", "batch", "confirm", "fresh", "keep")
    said = {n: getattr(search, n) for n in wanted if getattr(search, n) is not None}
    return plan_sweep(
        game,
        learning.preset,
        learning.settings,
        merged(learning.tree(device), judging_tree(search.vs, search.games)),
        fixed,
        space,
        Wanted(**said),
        learning.minutes,
    )


def _draw(found: "Sweep", picture: Path) -> None:
    from tafl.pictures.sweep import Panel, draw_sweep
    from tafl.sweeps.space import Choice, Range

    panels = []
    for key, tried in found.space.items():
        values = tried.values if isinstance(tried, Choice) else None
        log = isinstance(tried, Range) and tried.log
        best = [(one.point[key], one.mean, one.error) for one in found.confirmed if one.means]
        panels.append(Panel(key, found.shares[key], found.groups(key), values, log, best))
    title = f"{found.game}: {len(found.trials)} trials"
    base = found.base.mean if found.base else None
    draw_sweep(panels, picture, title, f"mean score{against(found.opponent)}", base)


def _show(found: "Sweep") -> None:
    if found.base is not None:
        rows = [_row(one) for one in [*found.confirmed, found.base]]
        columns = ["trial", *found.space, "search", "mean score", "worst", "seeds"]
        title = f"{found.game}: the best of {len(found.trials)} trials with fresh seeds, score"
        print_table(columns, rows, title=f"{title}{against(found.opponent)}")
    shares = [[key, "unknown" if isnan(s) else share(s)] for key, s in found.shares.items()]
    print_table(["setting", "share of the variance"], shares)
    if diverged := sum(trial.score.diverged for trial in found.trials):
        print(f"{diverged} of {len(found.trials)} trials diverged")


def _row(one: "Confirmed") -> list[Any]:
    seeds = f"{len(one.scores)}" + (f", {one.diverged} diverged" if one.diverged else "")
    trial, search = ("base", "") if one.trial is None else (str(one.trial), number(one.search))
    worst = number(min(one.means)) if one.means else ""
    values = [str(value) if value is not None else "" for value in one.point.values()]
    return [trial, *values, search, score(one.mean, one.error), worst, seeds]
