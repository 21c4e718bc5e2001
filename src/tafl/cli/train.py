"""`tafl train GAME`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from tafl.cli.output import Json, complain, print_json
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.experiments.executors import Executor
    from tafl.experiments.progress import Progress
    from tafl.experiments.run import Run

Changes = Annotated[list[str] | None, Parameter(name="--set", consume_multiple=True, negative=())]


def train(
    game: str | None = None,
    *,
    algo: str | None = None,
    farl: bool | None = None,
    preset: str | None = None,
    settings: Path | None = None,
    episodes: int | None = None,
    seed: int | None = None,
    seeds: int | None = None,
    executor: Literal["local", "ray"] | None = None,
    threads: int | None = None,
    out: Path | None = None,
    changes: Changes = None,
    resume: Path | None = None,
    json: Json = False,
) -> int:
    """Train an agent by self-play.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    algo
        How to learn: td, sarsa or q.
    farl
        Learn from the end of the game with every player (Final Adaptation RL).
    preset
        Settings to begin with: paper, or as-run (what the paper's authors ran).
    settings
        A TOML file of settings, such as a run's settings.toml, instead of a preset.
    episodes
        How many games of self-play.
    seed
        Where all chance comes from; the same seed gives the same agent.
    seeds
        Train this many agents, with seeds from SEED on, side by side on all cores.
    executor
        Where several agents are trained: local (this machine), or ray (the cluster of RAY_ADDRESS).
    threads
        Threads that learn together in one network; their results differ from run to run.
    out
        The folder of the run, by default runs/GAME-ALGO-SEED.
    changes
        Single settings, such as td.alpha=0.5.
    resume
        The folder of a run to continue; it has all settings.
    """
    from tafl.experiments.progress import Progress, progress_for_person
    from tafl.experiments.stop import Stopped

    options: dict[str, Any] = {"algo": algo, "preset": preset, "episodes": episodes, "seed": seed}
    options |= {"threads": threads, "settings": settings, "farl": farl, "set": changes}
    options |= {"seeds": seeds, "out": out}
    given = {name: value for name, value in options.items() if value is not None}
    progress = Progress() if json else progress_for_person()
    try:
        if resume is None:
            return _begin(game, given, executor, progress, json)
        for name in ["GAME"] if game else [f"--{name}" for name in given]:
            raise InputError(f"--resume takes everything from the run; leave {name} out")
        return _resume(resume, executor, progress, json)
    except Stopped as stopped:
        complain(str(stopped))
        return 128 + stopped.number


def _begin(
    game: str | None, given: dict[str, Any], executor: str | None, progress: "Progress", json: bool
) -> int:
    from tafl.experiments.executors import make_executor
    from tafl.experiments.settings import merged, parse_assignments
    from tafl.experiments.several import create_seeds
    from tafl.experiments.training import option_tree, prepare, start

    out, seeds = given.pop("out", None), given.pop("seeds", None)
    preset, settings = given.pop("preset", None), given.pop("settings", None)
    changes = parse_assignments(given.pop("set", []))
    plan = prepare(game, preset, settings, merged(option_tree(**given), changes))
    if seeds is None:
        _refuse_executor(executor)
        return _report([start(plan, out, progress)], json)
    where = make_executor(executor or "local", plan.game, plan.settings)
    folder = create_seeds(plan, seeds, out)
    progress.say(str(plan))
    return _go_on(folder, where, progress, json)


def _resume(path: Path, executor: str | None, progress: "Progress", json: bool) -> int:
    from tafl.experiments.executors import make_executor
    from tafl.experiments.run import Run
    from tafl.experiments.several import seed_folders
    from tafl.experiments.training import resume

    if not (path / "settings.toml").exists() and (several := seed_folders(path)):
        one = Run.open(several[0])
        where = make_executor(executor or "local", one.game, one.settings)
        return _go_on(path, where, progress, json)
    _refuse_executor(executor)
    return _report([resume(path, progress)], json)


def _refuse_executor(executor: str | None) -> None:
    if executor is not None:
        raise InputError(f"--executor {executor} is for several runs; use --seeds")


def _go_on(folder: Path, executor: "Executor", progress: "Progress", json: bool) -> int:
    """Several runs to their end."""
    from tafl.experiments.several import train_seeds

    runs, failed = train_seeds(folder, executor, progress)
    for path, message in failed.items():
        complain(f"{path} failed: {message}")
    _report(runs, json, failed)
    return 1 if failed else 0


def _report(runs: list["Run"], json: bool, failed: dict[Path, str] | None = None) -> int:
    from tafl.experiments.progress import shown

    summaries = [run.summary() for run in runs]
    if json:
        print_json(summaries[0] if failed is None else {"runs": summaries, "failed": failed})
        return 0
    for run, summary in zip(runs, summaries, strict=True):
        rate = summary["moves"] / max(summary["seconds"], 1e-9)
        print(
            f"{run.path}: {summary['episode']:,} episodes, {summary['moves']:,} moves in "
            f"{summary['seconds']:.1f} s ({rate:,.0f} moves/s)"
        )
        if summary["evaluation"]:
            print(shown(summary["evaluation"], run.game.facts.score_unit))
    return 0
