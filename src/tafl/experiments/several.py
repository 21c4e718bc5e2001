"""Several seeds of one experiment: a process and a folder for each, at most one a core."""

import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

from tafl.errors import InputError
from tafl.experiments.build import make_tuples, memory_needed
from tafl.experiments.progress import Progress
from tafl.experiments.run import Run, claimed, new_folder, unique_folder
from tafl.experiments.settings import Settings
from tafl.experiments.stop import Stopped, StopSignal
from tafl.experiments.training import Plan, default_folder

SECONDS_BETWEEN_LOOKS = 0.1


def create_seeds(plan: Plan, number: int, out: str | Path | None) -> Path:
    """Makes the folders of the runs, OUT/seed-K, for as many seeds from the plan's on."""
    if number < 1:
        raise InputError(f"--seeds {number}: should be at least 1")
    seeds = range(plan.settings.seed, plan.settings.seed + number)
    settings = [Settings.of({**plan.settings.tree(), "seed": seed}) for seed in seeds]
    folder = unique_folder(default_folder(plan)) if out is None else new_folder(Path(out))
    with claimed(folder):
        for one in settings:
            Run.create(new_folder(folder / f"seed-{one.seed}"), plan.game, one)
    return folder


def seed_folders(folder: Path) -> list[Path]:
    """The runs in a folder of several, by seed."""
    found = [path.parent for path in folder.glob("seed-*/settings.toml")]
    return sorted(found, key=lambda path: int(path.name.removeprefix("seed-")))


@dataclass
class Child:
    """The process of one run."""

    path: Path
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    told: bool = False  # to stop

    def message(self) -> str:
        """The last line that it wrote to stderr, or else its exit code."""
        self.errors.seek(0)
        lines = self.errors.read().decode(errors="replace").split("\n")
        said = [line.removeprefix("tafl: ") for line in lines if line.strip()]
        return said[-1] if said else f"exit code {self.process.returncode}"


def train_seeds(
    folder: Path, resume_command: list[str], progress: Progress
) -> tuple[list[Run], dict[Path, str]]:
    """Brings the runs in a folder to their end; returns the finished, and why others failed."""
    waiting = seed_folders(folder)
    runs = [Run.open(path) for path in waiting]
    at_once = _at_once(runs)
    progress.say(f"{len(runs)} seeds in {folder}, {at_once} at a time")
    running: list[Child] = []
    failed: dict[Path, str] = {}
    with claimed(folder), StopSignal() as stop:
        while running or (waiting and not stop.number):
            while waiting and len(running) < at_once and not stop.number:
                running.append(_launch(resume_command, waiting.pop(0)))
            time.sleep(SECONDS_BETWEEN_LOOKS)
            if stop.number:
                _pass_on(running)
            for child in [c for c in running if c.process.poll() is not None]:
                running.remove(child)
                if child.process.returncode and not stop.number:
                    failed[child.path] = child.message()
                progress.say(f"{child.path}: {failed.get(child.path, 'done')}")
        if stop.number:
            raise Stopped(stop.number, folder)
    return [run for run in runs if run.path not in failed], failed


def _at_once(runs: list[Run]) -> int:
    """How many runs the cores and the memory of this machine carry."""
    run = runs[0]
    needed = memory_needed(run.game, run.settings, make_tuples(run.game, run.settings))
    cores = len(os.sched_getaffinity(0)) // run.settings.threads
    return max(1, min(len(runs), cores, int(psutil.virtual_memory().available // needed)))


def _launch(resume_command: list[str], path: Path) -> Child:
    errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
    # in a session of its own, or Ctrl-C would reach it a second time, from the terminal
    process = subprocess.Popen(
        [*resume_command, str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )
    return Child(path, process, errors)


def _pass_on(running: list[Child]) -> None:
    """Tells the processes to stop, each of them once: a second signal would end them at once."""
    for child in running:
        if not child.told:
            child.process.send_signal(signal.SIGTERM)
            child.told = True
