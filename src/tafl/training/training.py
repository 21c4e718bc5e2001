"""Begin a run, or continue one: the doors to training."""

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.boards import Game
from tafl.boards.trust import trusting
from tafl.errors import InputError
from tafl.runs.checkpoint import check_room
from tafl.runs.folder import claimed, new_folder, unique_folder
from tafl.runs.run import Run
from tafl.settings.build import stored_tuples
from tafl.settings.model import Settings
from tafl.settings.tables import merged, nested
from tafl.training.plan import Plan, check_opponents, make_plan, option_tree, prepare
from tafl.training.progress import Progress
from tafl.training.regret_learner import learner_on_cpu
from tafl.training.run_training import Checkpoint, RunTraining

if TYPE_CHECKING:
    from tafl.training.gpu_training import GpuTraining


def train(
    game: Any = None,
    *,
    preset: str | None = None,
    settings: str | Path | None = None,
    episodes: int | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    farl: bool | None = None,
    out: str | Path | None = None,
    trust: bool = False,
    **changes: Any,
) -> Run:
    """Train an agent by self-play and returns its run.

    All other settings are known by their names, too: `algo="sarsa"`, `threads=2`,
    `td={"alpha": 0.5}`. Settings are those of a preset, or of a TOML file, with these changes.
    `trust` runs a game, an engine or a model that only the settings of a stored run name.

    >>> import tafl, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = tafl.train("tictactoe", episodes=500, seed=1, out=folder)
    ...     len(run.agent.values(run.game.start()))
    9
    """
    given = option_tree(farl=farl, episodes=episodes, seed=seed)
    with trusting(trust):
        plan = prepare(game, preset, settings, merged(given, nested(changes)), minutes)
        return start(plan, out, Progress())


def start(plan: Plan, out: str | Path | None, progress: Progress) -> Run:
    """Begin a run in a new folder and brings it to its end."""
    path = unique_folder(default_folder(plan)) if out is None else new_folder(Path(out))
    with claimed(path):
        try:
            run = Run.create(path, plan.game, plan.settings)
            check_room(run.checkpoints, plan.checkpoint)
        except OSError:  # nothing is left of a run that could not begin
            shutil.rmtree(path, ignore_errors=True)
            raise
        progress.say(str(plan))
        make_training(run, plan.tuples, progress).go()
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
        training.go()
    return run


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
    """Return a run goes on with the rules that it began with."""
    if run.edited or (found and run.has_other_rules(found[1])):
        raise InputError(
            f"{run.path} was trained with other rules of {run.settings.game}; start a new run"
        )


def make_training(
    run: Run, tuples: list[list[int]], progress: Progress
) -> "RunTraining | GpuTraining":
    """Return the training of a run, on the device of its settings."""
    if run.settings.device == "cpu":
        return RunTraining(run, learner_on_cpu(run.game, run.settings, tuples), progress)
    from tafl.training.gpu_training import GpuTraining

    return GpuTraining([run], [tuples], [progress])


def default_folder(plan: Plan) -> Path:
    """runs/GAME-ALGO-SEED."""
    name = re.match(r"\w+", Path(plan.game.name).name)
    assert name is not None
    return Path("runs") / f"{name[0]}-{plan.settings.algo}-{plan.settings.seed}"
