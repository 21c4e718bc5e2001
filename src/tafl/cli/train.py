"""`tafl train GAME`"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.options import Algorithm, GameText, Preset, Whole
from tafl.cli.output import Json, complain, print_json
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.runs.run import Run
    from tafl.training.executors import Executor
    from tafl.training.progress import Progress

Changes = Annotated[list[str] | None, Parameter(name="--set", consume_multiple=True, negative=())]


@Parameter(name="*")
@dataclass(frozen=True)
class Learning:
    """What is learned, and how long."""

    algo: Algorithm = None

    farl: bool | None = None
    """Let every player learn from the end of the game (Final Adaptation RL)."""

    preset: Preset = None

    settings: Path | None = None
    """TOML file to take the settings from instead of a preset, such as a run's settings.toml."""

    episodes: Whole | None = None
    """Number of self-play games."""

    minutes: float | None = None
    """Train and evaluate for about this long instead; the run stores the number of episodes."""

    seed: int | None = None
    """Random seed; the same seed gives the same agent."""

    threads: int | None = None
    """Games at a time that train one network, each in a thread; with several, results vary from
    run to run. On a GPU 256 for a single agent, 4 without temporal coherence."""

    changes: Changes = None
    """Change single settings, such as td.alpha=0.5."""

    @property
    def given(self) -> list[str]:
        """The options that were given, as they are written."""
        names = {"changes": "set"}
        found = [name for name, value in vars(self).items() if value is not None]
        return [f"--{names.get(name, name)}" for name in found]


@Parameter(name="*")
@dataclass(frozen=True)
class Place:
    """Where a run is computed and kept."""

    out: Path | None = None
    """Folder for the run (runs/GAME-ALGO-SEED by default)."""

    device: Literal["cpu", "cuda"] | None = None
    """Where to learn: cpu, or cuda (a GPU by NVIDIA)."""

    seeds: int | None = None
    """Train this many agents in parallel, with seeds SEED, SEED + 1, ..."""

    executor: Literal["local", "ray"] | None = None
    """Where to train several agents: local (here) or ray (the cluster at RAY_ADDRESS)."""


def train(
    game: GameText | None = None,
    *,
    learning: Learning | None = None,
    place: Place | None = None,
    resume: Annotated[
        Path | None, Parameter(help="The folder of a run to continue; --episodes makes it longer.")
    ] = None,
    json: Json = False,
) -> int:
    """Train an agent by self-play."""
    from tafl.training.progress import Progress, progress_for_person
    from tafl.training.stop import Stopped

    learning, place = learning or Learning(), place or Place()
    progress = Progress() if json else progress_for_person()
    try:
        if resume is None:
            return _begin(game, learning, place, progress, json)
        given = [name for name in learning.given if name != "--episodes"]
        given += [f"--{name}" for name in ("out", "seeds") if getattr(place, name) is not None]
        for name in ["GAME"] if game else given:
            raise InputError(f"--resume uses the settings of the run; remove {name}")
        return _resume(resume, learning.episodes, place, progress, json)
    except Stopped as stopped:
        complain(str(stopped))
        return 128 + stopped.number


def _begin(
    game: str | None, learning: Learning, place: Place, progress: "Progress", json: bool
) -> int:
    from tafl.settings.tables import merged, parse_assignments
    from tafl.training.executors import make_executor
    from tafl.training.plan import option_tree, prepare
    from tafl.training.seed_runs import create_seeds
    from tafl.training.training import start

    options = {name: getattr(learning, name) for name in ("algo", "episodes", "seed", "threads")}
    options |= {"device": place.device}
    if place.device == "cuda" and place.seeds is not None and learning.threads is None:
        options["threads"] = 1  # many agents, each of them exact
    overrides = merged(
        option_tree(farl=learning.farl, **options), parse_assignments(learning.changes or [])
    )
    plan = prepare(game, learning.preset, learning.settings, overrides, learning.minutes)
    if place.seeds is None:
        _refuse_executor(place.executor)
        return _report([start(plan, place.out, progress)], json)
    where = make_executor(place.executor or "local", plan.game, [plan.settings])
    folder = create_seeds(plan, place.seeds, place.out)
    progress.say(str(plan))
    return _go_on(folder, where, progress, json)


def _resume(
    path: Path, episodes: int | None, place: Place, progress: "Progress", json: bool
) -> int:
    from tafl.runs.folder import claimed
    from tafl.runs.run import Run
    from tafl.training.executors import make_executor
    from tafl.training.seed_runs import seed_folders
    from tafl.training.training import resume

    if not (path / "settings.toml").exists() and (several := seed_folders(path)):
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
    """Several runs to their end."""
    from tafl.training.seed_runs import train_seeds

    runs, failed = train_seeds(folder, executor, progress)
    for path, message in failed.items():
        complain(f"{path} failed: {message}")
    _report(runs, json, failed)
    return 1 if failed else 0


def _report(runs: list["Run"], json: bool, failed: dict[Path, str] | None = None) -> int:
    summaries = [run.summary() for run in runs]
    if json:
        print_json(summaries[0] if failed is None else {"runs": summaries, "failed": failed})
        return 0
    for run, summary in zip(runs, summaries, strict=True):
        _show(run, summary)
    return 0


def _show(run: "Run", summary: dict[str, Any]) -> None:
    from tafl.runs.curves import still_rising
    from tafl.training.progress import shown

    rate = summary["moves"] / max(summary["seconds"], 1e-9)
    print(
        f"{run.path}: {summary['episode']:,} episodes, {summary['moves']:,} moves in "
        f"{summary['seconds']:.1f} s ({rate:,.0f} moves/s)"
    )
    if summary["evaluation"]:
        print(shown(summary["evaluation"]))
    if still_rising(run):
        longer = f"--episodes {4 * run.settings.episodes} or --minutes 5"
        print(f"it was still getting better: train longer, for example with {longer}")
