"""Removing a run that a new one replaces, and nothing else."""

import shutil
from pathlib import Path

from tafl.arguments import argument
from tafl.errors import InputError
from tafl.files import draft
from tafl.runs.folder import claimed
from tafl.runs.run import Run

# What a run writes (see run.py); the settings go last, so that a crash leaves a run
PARTS = ("environment.json", "metrics.jsonl", "checkpoints", "game", "progress", "settings.toml")
OF_SEEDS = ("lock", "unfinished")


def remove_run(path: Path) -> None:
    """Remove the run, or the runs of several seeds, in a folder; refuse to remove anything else."""
    if path.is_symlink():
        raise InputError(f"{path} is a link; name the folder itself to overwrite it")
    if not path.is_dir() or all(one.name == "lock" for one in path.iterdir()):
        return  # there is nothing to overwrite
    runs = [found.parent for found in path.glob("seed-*/settings.toml")]
    runs = [path] if (path / "settings.toml").exists() or not runs else runs
    seeds = [] if runs == [path] else [run.name for run in runs]
    if seeds:
        _refuse_other_files(path, {*OF_SEEDS, *seeds})
    drafts = [draft(Path(part)).name for part in PARTS]
    for run in runs:
        Run.open(run)  # refuses what is not a run
        _refuse_other_files(run, {"lock", *PARTS, *drafts})
    with claimed(path):
        for run in runs:
            _clear(run, seeds)
        (path / "unfinished").unlink(missing_ok=True)


def _refuse_other_files(folder: Path, known: set[str]) -> None:
    others = sorted(one.name for one in folder.iterdir() if one.name not in known)
    if others:
        raise InputError(
            f"{folder} also contains {others[0]}, which is not a file of a run; move it, or use "
            f"another {argument('out')}"
        )


def _clear(run: Path, seeds: list[str]) -> None:
    for one in sorted(run.iterdir(), key=lambda one: one.name == "settings.toml"):
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one)
        elif one.name != "lock" or seeds:
            one.unlink()
    if seeds:
        run.rmdir()
