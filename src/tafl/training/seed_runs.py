"""Several seeds of one experiment: a folder for each, side by side, with one view of all."""

import shutil
from numbers import Integral
from pathlib import Path

from tafl.arguments import argument
from tafl.errors import InputError, TrainingError, check_type
from tafl.runs.checkpoint import last_header
from tafl.runs.comparison import Group
from tafl.runs.folder import claimed, new_folder
from tafl.runs.run import Run
from tafl.settings.model import Settings
from tafl.training.executors import Ending, Executor, carry_out, make_executor
from tafl.training.plan import Plan
from tafl.training.progress import Progress, ProgressFile
from tafl.training.stop import Stopped, StopSignal
from tafl.training.training import folder_for

MOST_SEEDS = 10_000
UNFINISHED = "unfinished"  # a file that is there while runs are made


def create_seeds(plan: Plan, number: int, out: str | Path | None) -> Path:
    """Create a folder OUT/seed-K for each run, with seeds from the plan's seed on."""
    check_type("seeds", number, Integral)
    if not 1 <= number <= MOST_SEEDS:
        raise InputError(f"{argument('seeds')} must be 1 to {MOST_SEEDS:,}, not {number}")
    seeds = range(plan.settings.seed, plan.settings.seed + number)
    settings = [Settings.of({**plan.settings.tree(), "seed": seed}) for seed in seeds]
    folder = folder_for(plan, out)
    mark = folder / UNFINISHED
    with claimed(folder):
        try:
            mark.touch()
            for one in settings:
                Run.create(new_folder(folder / f"seed-{one.seed}"), plan.game, one)
            mark.unlink()
        except OSError:  # nothing is left of runs that could not begin
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder


def seed_folders(folder: Path) -> list[Path]:
    """Return the runs in a folder of several, by seed."""
    if (folder / UNFINISHED).exists():
        raise InputError(
            f"{folder} was stopped before all runs were made; delete it, and start again"
        )
    found = [path.parent for path in folder.glob("seed-*/settings.toml")]
    return sorted(found, key=lambda path: int(path.name.removeprefix("seed-")))


def train_seeds(
    folder: Path, executor: Executor, progress: Progress
) -> tuple[list[Run], dict[Path, str]]:
    """Bring the runs in a folder to their end; return the finished, and why others failed."""
    runs = [Run.open(path) for path in seed_folders(folder)]
    left = [run.path for run in runs if not run.finished]
    with claimed(folder), StopSignal() as stop:
        where = executor.start(left) if left else "all finished"
        progress.say(f"training {len(left)} of {len(runs)} seeds in {folder}, {where}")
        with TotalProgress(runs, progress) as view:
            failed = carry_out(executor, stop, view.look, view.tell)
        if stop.number:
            raise Stopped(stop.number, folder)
    return [run for run in runs if run.path not in failed], failed


def train_group(plan: Plan, number: int, out: str | Path | None) -> Group:
    """Train this many seeds side by side and return their runs; an error says what failed."""
    executor = make_executor("local", plan.game, [plan.settings])
    folder = create_seeds(plan, number, out)
    _, failed = train_seeds(folder, executor, Progress())
    for path, why in failed.items():
        raise TrainingError(f"{len(failed)} of {number} runs failed: {path}: {why}")
    return Group.open(folder)


class TotalProgress:
    """The progress of all runs together; `before` counts episodes of runs that have ended."""

    def __init__(self, runs: list[Run], progress: Progress, before: int = 0, total: int = 0):
        self.progress, self.before = progress, before
        self.under_way: dict[Path, Run] = {}
        self.reached: dict[Path, tuple[int, int]] = {}
        self.follow(runs)
        total = total or sum(run.settings.episodes for run in runs)
        progress.begin(self.shown[0], total)

    def __enter__(self) -> "TotalProgress":
        return self

    def __exit__(self, *error: object) -> None:
        self.progress.end()

    def follow(self, runs: list[Run]) -> None:
        """Look at these runs, too."""
        self.under_way |= {run.path: run for run in runs}
        self.reached |= {run.path: _saved(run) for run in runs}
        self.shown = self._sums()

    def look(self) -> None:
        """Show how far the runs are, if any has come further."""
        for folder in self.under_way:
            self.reached[folder] = ProgressFile(folder).read() or self.reached[folder]
        sums = self._sums()
        if sums != self.shown:
            self.shown = sums
            self.progress.block(*sums)

    def end(self, ending: Ending) -> None:
        """Note that a run has ended: it is as far as its last checkpoint."""
        self.reached[ending.folder] = _saved(self.under_way.pop(ending.folder))

    def tell(self, ending: Ending) -> None:
        """Say that a run has ended, and how."""
        self.end(ending)
        place = f" on {ending.place}" if ending.place else ""
        self.progress.say(f"{ending.folder}: {ending.failure or f'finished{place}'}")

    def _sums(self) -> tuple[int, int]:
        reached = self.reached.values()
        return self.before + sum(e for e, _ in reached), sum(moves for _, moves in reached)


def _saved(run: Run) -> tuple[int, int]:
    """Episodes and moves of the last checkpoint."""
    last = last_header(run.checkpoints)
    return (last.episode, last.moves) if last else (0, 0)
