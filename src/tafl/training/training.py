"""Begin a run, or continue one: the doors to training."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from tafl.arguments import or_overwrite
from tafl.boards import Game
from tafl.boards.trust import trusting
from tafl.errors import InputError
from tafl.runs.checkpoint import check_room, log
from tafl.runs.comparison import Group
from tafl.runs.folder import claimed, new_folder, other_machine, unique_folder
from tafl.runs.overwrite import remove_run
from tafl.runs.run import Run
from tafl.settings.build import stored_tuples
from tafl.settings.model import Settings
from tafl.settings.tables import merged, nested
from tafl.training.callbacks import Callback, CallbackProgress
from tafl.training.plan import Plan, check_opponents, make_plan, option_tree, prepare
from tafl.training.progress import Progress
from tafl.training.regret_learner import learner_on_cpu
from tafl.training.run_training import Checkpoint, RunTraining

if TYPE_CHECKING:
    from tafl.training.gpu_training import GpuTraining


@overload
def train(game: Any = None, *, seeds: None = None, **options: Any) -> Run: ...


@overload
def train(game: Any = None, *, seeds: int, **options: Any) -> Group: ...


def train(
    game: Any = None,
    *,
    preset: str | None = None,
    settings: str | Path | None = None,
    episodes: int | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    seeds: int | None = None,
    farl: bool | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    callbacks: Sequence[Callback] = (),
    trust: bool = False,
    **changes: Any,
) -> Run | Group:
    """Train an agent by self-play and return its run.

    All other settings are known by their names, too: `algo="sarsa"`, `threads=2`,
    `td={"alpha": 0.5}`. Settings are those of a preset, or of a TOML file, with these changes.
    The run's folder is `out`; a run that is there is refused, or removed with `overwrite`.
    `seeds` runs differ in their seed and train in parallel; `callbacks` are called while one run
    trains. `trust` runs a game, an engine or a model that only the settings of a stored run name.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("tictactoe", episodes=500, seed=1, out=folder)
    ...     len(run.agent.values(run.game.start()))
    9
    """
    given = option_tree(farl=farl, episodes=episodes, seed=seed)
    with trusting(trust):
        progress = CallbackProgress(callbacks)
        plan = prepare(game, preset, settings, merged(given, nested(changes)), minutes)
        if seeds is not None and callbacks:
            raise InputError("callbacks need one run; seeds train in other processes")
        if overwrite:
            make_way(out)
        if seeds is None:
            return start(plan, out, progress)
        from tafl.training.seed_runs import train_group

        return train_group(plan, seeds, out)


def make_way(out: str | Path | None) -> None:
    """Remove the run in a folder that is to be overwritten."""
    if out is None:
        raise InputError("overwrite needs out, the folder of the run to overwrite")
    remove_run(Path(out))


def start(plan: Plan, out: str | Path | None, progress: Progress) -> Run:
    """Begin a run in a new folder and bring it to its end."""
    path = folder_for(plan, out)
    with claimed(path):
        training = None
        try:
            run = Run.create(path, plan.game, plan.settings)
            check_room(run.checkpoints, plan.checkpoint)
            progress.say(str(plan))
            training = make_training(run, plan.tuples, progress)
            training.go()
        except Exception:
            if training is None or training.learner.episode == 0:
                shutil.rmtree(path, ignore_errors=True)  # nothing is left of what did not begin
            raise
    return run


def resume(
    path: str | Path,
    progress: Progress | None = None,
    *,
    episodes: int | None = None,
    device: str | None = None,
    trust: bool = False,
) -> Run:
    """Continue a run from its last checkpoint; the result is as if it had never stopped.

    With more `episodes` than it had, it is made longer: alpha and epsilon begin a second stage.
    It goes on where it was trained before, unless another `device` is named. `trust` runs a game,
    an engine or a model that only the run names.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("nim", episodes=100, seed=1, out=folder)
    ...     tafl.resume(folder).finished  # there is nothing left to do
    True
    """
    progress = progress or Progress()
    run = Run.open(path)
    with trusting(trust), claimed(run.path):
        check_opponents(run.game, run.settings, str(run.path))  # before anything is changed
        refuse_other_network(run)
        run.load_network()
        if device is not None:
            run.move(device)
        if episodes is not None:
            run.extend(episodes)
        found = run.checkpoint()
        refuse_other_rules(run, found)
        plan = make_plan(run.game, run.settings, str(run.path))
        progress.say(str(plan))
        tuples = plan.tuples
        if found:
            tuples = stored_tuples(run.game, run.settings, found[1].tuples)
        training = make_training(run, tuples, progress)
        training.take_up(found)
        if found and found[1].episode < run.settings.episodes:
            warn_of_other_machine(run)
        training.go()
    return run


def warn_of_other_machine(run: Run) -> None:
    """Warn where the rest of a run may have other bits than if it had never stopped."""
    if run.settings.device == "cpu" and (difference := other_machine(run.environment)):
        log.warning("tafl: %s began with %s: last bits may differ", run.path, difference)


def folder_for(plan: Plan, out: str | Path | None) -> Path:
    """Return the new folder of a run, or of several."""
    if out is None:
        return unique_folder(default_folder(plan))
    return new_folder(Path(out), or_overwrite())


def create_or_open(path: Path, game: Game, settings: Settings, user: str) -> Run:
    """Return the run in a folder, created now if there is none; `user` needs these settings."""
    if not (path / "settings.toml").exists():
        shutil.rmtree(path, ignore_errors=True)  # what a crash left
        with claimed(new_folder(path)):
            return Run.create(path, game, settings)
    run = Run.open(path)
    if run.settings != settings:
        raise InputError(f"{path} has other settings than {user} needs; delete it")
    return run


def refuse_other_rules(run: Run, found: Checkpoint) -> None:
    """Refuse to go on with other rules than the run began with."""
    if run.edited or (found and run.has_other_rules(found[1])):
        raise InputError(
            f"{run.path} was trained with other rules of {run.settings.game}; start a new run"
        )


def refuse_other_network(run: Run) -> None:
    """Refuse to go on with another approximator than the run began with."""
    if run.has_other_network:
        kind = run.settings.network.kind
        raise InputError(f"{kind} has changed since {run.path} was trained; start a new run")


def make_training(
    run: Run, tuples: list[list[int]], progress: Progress
) -> "RunTraining | GpuTraining":
    """Return the training of a run, on the device of its settings."""
    if run.settings.device == "cpu":
        return RunTraining(run, learner_on_cpu(run.game, run.settings, tuples), progress)
    from tafl.training.gpu_training import GpuTraining

    return GpuTraining([run], [tuples], [progress])


def default_folder(plan: Plan) -> Path:
    """Return runs/GAME-ALGO-SEED."""
    name = re.match(r"\w+", Path(plan.game.name).name)
    assert name is not None
    return Path("runs") / f"{name[0]}-{plan.settings.algo}-{plan.settings.seed}"
