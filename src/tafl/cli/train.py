"""`tafl train GAME`"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tafl.cli.options import GameText, Learning, Place, refuse_with_resume
from tafl.cli.output import Json, complain, print_json
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.runs.run import Run
    from tafl.training.executors import Executor
    from tafl.training.progress import Progress


@Parameter(name="*")
@dataclass(frozen=True)
class RunPlace(Place):
    """The device of a run, and its folder."""

    out: Path | None = None
    """Folder for the run (default: runs/GAME-ALGO-SEED)."""
    seeds: int | None = None
    """Number of agents to train in parallel, with seeds SEED, SEED + 1 and so on."""


def train(
    game: GameText | None = None,
    *,
    learning: Learning | None = None,
    place: RunPlace | None = None,
    resume: Annotated[
        Path | None, Parameter(help="Folder of a run to continue; --episodes makes it longer.")
    ] = None,
    json: Json = False,
) -> int:
    """Train an agent by self-play."""
    from tafl.training.progress import Progress, progress_for_person

    learning, place = learning or Learning(), place or RunPlace()
    progress = Progress() if json else progress_for_person()
    if resume is None:
        return _begin(game, learning, place, progress, json)
    refuse_with_resume("run", {"episodes", "device", "executor"}, game, learning, place)
    return _resume(resume, learning.episodes, place, progress, json)


def _begin(
    game: str | None, learning: Learning, place: RunPlace, progress: "Progress", json: bool
) -> int:
    from tafl.settings.presets import presets_of
    from tafl.settings.tables import merged, parse_assignments
    from tafl.training.duration import expected_time
    from tafl.training.executors import make_executor
    from tafl.training.plan import prepare
    from tafl.training.seed_runs import create_seeds
    from tafl.training.training import start

    options = learning.tree(place.device)
    if place.device == "cuda" and place.seeds is not None and learning.threads is None:
        options["threads"] = 1  # many agents, each of them exact
    overrides = merged(options, parse_assignments(learning.changes or []))
    plan = prepare(game, learning.preset, learning.settings, overrides, learning.minutes)
    if place.seeds is None:
        _refuse_executor(place.executor)
        if learning.has_usual_length(overrides) and not presets_of(plan.game) and not json:
            progress.say(expected_time(plan))
        return _report([start(plan, place.out, progress)], json)
    where = make_executor(place.executor or "local", plan.game, [plan.settings])
    folder = create_seeds(plan, place.seeds, place.out)
    progress.say(str(plan))
    return _go_on(folder, where, progress, json)


def _resume(
    path: Path, episodes: int | None, place: RunPlace, progress: "Progress", json: bool
) -> int:
    from tafl.runs.folder import claimed
    from tafl.runs.run import Run
    from tafl.training.executors import make_executor
    from tafl.training.plan import check_opponents
    from tafl.training.seed_runs import seed_folders
    from tafl.training.training import resume

    if not (path / "settings.toml").exists() and (several := seed_folders(path)):
        named = {tuple((run := Run.open(f)).settings.evaluation.opponents): run for f in several}
        for run in named.values():
            check_opponents(run.game, run.settings, str(run.path))
        for folder in several if episodes or place.device else ():
            with claimed(folder):
                run = Run.open(folder)
                if place.device is not None:
                    run.move(place.device)
                if episodes is not None:
                    run.extend(episodes)
        one = Run.open(several[0])
        where = make_executor(place.executor or "local", one.game, [one.settings])
        return _go_on(path, where, progress, json)
    _refuse_executor(place.executor)
    return _report([resume(path, progress, episodes=episodes, device=place.device)], json)


def _refuse_executor(executor: str | None) -> None:
    if executor is not None:
        raise InputError(f"--executor {executor} is for several runs; add --seeds N")


def _go_on(folder: Path, executor: "Executor", progress: "Progress", json: bool) -> int:
    """Train several runs to their end."""
    from tafl.training.seed_runs import train_seeds

    runs, failed = train_seeds(folder, executor, progress)
    for path, message in failed.items():
        complain(f"{path} failed: {message}")
    _report(runs, json, failed)
    return 1 if failed else 0


def _report(runs: list["Run"], json: bool, failed: dict[Path, str] | None = None) -> int:
    from tafl.runs.curves import still_rising
    from tafl.training.progress import shown

    summaries = [run.summary() for run in runs]
    if json:
        print_json(summaries[0] if failed is None else {"runs": summaries, "failed": failed})
        return 0
    for run, summary in zip(runs, summaries, strict=True):
        rate = summary["moves"] / max(summary["seconds"], 1e-9)
        done = f"{summary['episode']:,} episodes, {summary['moves']:,} moves"
        print(f"{run.path}: {done} in {summary['seconds']:,.1f} s ({rate:,.0f} moves/s)")
        if summary["evaluation"]:
            print(shown(summary["evaluation"]))
        if still_rising(run):
            longer = f"--episodes {4 * run.settings.episodes} or --minutes 5"
            print(f"it was still getting better: train longer, for example with {longer}")
    return 0
