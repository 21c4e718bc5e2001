"""`tafl sweep GAME --set td.alpha=1..10:log`"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.options import GameText, Learning, Place, Whole, refuse_with_resume
from tafl.cli.output import Json, complain, print_json, print_table

if TYPE_CHECKING:
    from tafl.sweeps.plan import SweepPlan
    from tafl.sweeps.result import Confirmed, Sweep


@Parameter(name="*")
@dataclass(frozen=True)
class Search:
    """How many settings are tried, and how they are judged."""

    trials: Whole | None = None
    """Number of settings to try (64 by default); of a grid not more than it has points."""

    sampler: Literal["grid", "random", "tpe"] | None = None
    """How they are chosen: grid (all, if they fit into --trials), random, or tpe (by Optuna)."""

    batch: Whole | None = None
    """With tpe: how many are chosen and trained at a time (an eighth of the trials by default)."""

    vs: str | None = None
    """Opponent that trials are judged against (default: the last one of evaluation.opponents)."""

    games: Whole | None = None
    """Games that judge a trial, at its end."""

    confirm: Whole | None = None
    """Train this many of the best again (default: 5)."""

    fresh: Whole | None = None
    """With so many seeds that took no part in the search (default: 5)."""

    keep: bool | None = None
    """Keep the weights of all trials, and not only those of the best with fresh seeds."""

    out: Path | None = None
    """Folder for the sweep (sweeps/GAME-ALGO-SEED by default)."""


def sweep(
    game: GameText | None = None,
    *,
    learning: Learning | None = None,
    search: Search | None = None,
    place: Place | None = None,
    resume: Annotated[Path | None, Parameter(help="The folder of a sweep to continue.")] = None,
    json: Json = False,
) -> int:
    """Try many settings, and confirm the best ones with fresh seeds.

    Values to try are written as td.lambda=0,0.5,0.7 or, from a range, td.alpha=1..10:log.
    """
    from tafl.sweeps.sweep import begin, go_on
    from tafl.training.progress import Progress, progress_for_person
    from tafl.training.stop import Stopped

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
    try:
        _report(go_on(path, executor, progress), path, json)
    except Stopped as stopped:
        complain(str(stopped))
        return 128 + stopped.number
    return 0


def _report(found: "Sweep", path: Path, json: bool) -> None:
    from tafl.sweeps.folder import PICTURE

    picture = path / PICTURE
    _draw(found, picture)
    if json:
        print_json({"sweep": str(path), **found.document(), "picture": str(picture)})
    else:
        _show(found)
        print(f"all trials: {path / 'trials'}; what mattered: {picture}")


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
    draw_sweep(panels, picture, title, f"mean score{_against(found)}", base)


def _against(found: "Sweep") -> str:
    return "" if found.opponent == "alone" else f" against {found.opponent}"


def _show(found: "Sweep") -> None:
    diverged = sum(trial.score.diverged for trial in found.trials)
    if found.base is not None:
        rows = [_row(one) for one in [*found.confirmed, found.base]]
        columns = ["trial", *found.space, "search", "mean", "standard error", "worst", "seeds"]
        title = f"{found.game}: the best of {len(found.trials)} trials with fresh seeds, score"
        print_table(columns, rows, title=f"{title}{_against(found)}")
    shares = [[key, share] for key, share in found.shares.items()]
    shown = [[key, "not known" if share != share else f"{share:.1%}"] for key, share in shares]
    print_table(["setting", "share of the variance"], shown)
    if diverged:
        print(f"{diverged} of {len(found.trials)} trials diverged")


def _row(one: "Confirmed") -> list[Any]:
    seeds = f"{len(one.scores)}" + (f", {one.diverged} diverged" if one.diverged else "")
    trial = "base" if one.trial is None else str(one.trial)
    search = "" if one.trial is None else f"{one.search:.4g}"
    worst = f"{min(one.means):.4g}" if one.means else ""
    values = [str(value) if value is not None else "" for value in one.point.values()]
    return [trial, *values, search, f"{one.mean:.4g}", f"{one.error:.2g}", worst, seeds]
