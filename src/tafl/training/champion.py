"""A champion that is made where it is used, because its file is too large to come with tafl."""

import shutil
from collections.abc import Iterator
from math import inf
from pathlib import Path

from tafl.boards import load_game
from tafl.core.games import GAMES
from tafl.errors import InputError
from tafl.runs.champions import (
    champion_file,
    champions,
    made_here,
    read_card,
    recommended_search,
    save_champion,
)
from tafl.runs.folder import claimed
from tafl.runs.run import Run
from tafl.settings.presets import presets_of
from tafl.training.plan import prepare
from tafl.training.progress import Progress, duration
from tafl.training.training import resume, start

SEED = 101  # the first of those that took part in no trial


def make_champion(name: str, progress: Progress) -> Path:
    """Train the champion of a game, or go on where it was stopped; return its file."""
    if name not in GAMES:
        raise InputError(f"--make {name}: unknown game; available: {', '.join(GAMES)}")
    if name in champions():
        raise InputError(f"--make {name}: there is a champion already: {champion_file(name)}")
    known = presets_of(load_game(name))
    preset = next((preset for preset in ("best", "as-run") if preset in known), None)
    folder = made_here() / f"{name}.run"
    run = _trained(name, preset, folder, progress)
    chosen = f" --preset {preset}" if preset else ""
    path = made_here() / f"{name}.safetensors"
    save_champion(
        run,
        path,
        f"tafl train {name}{chosen} --seed {SEED}",
        "the only run",
        [],
        "It was made here and not measured: tafl eval says how strong it is.",
        largest=inf,
    )
    shutil.rmtree(folder)
    return path


def _trained(name: str, preset: str | None, folder: Path, progress: Progress) -> Run:
    if (folder / "settings.toml").exists():
        run = Run.open(folder)
        return run if run.finished else resume(folder, progress)
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        with claimed(folder):  # refuses if another process makes this champion
            pass
        shutil.rmtree(folder)  # what a process left that was killed before the run began
    plan = prepare(name, preset, None, {"seed": SEED, "evaluation": {"every": 0}})
    return start(plan, folder, progress)


def card_rows(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the card of a champion, line by line."""
    card = read_card(file)
    for one in card.strength:
        yield one.measure, one.result
    if search := recommended_search(file.stem):
        yield "recommended with search", search
    yield "command", card.command
    yield "training", f"{card.episodes:,} episodes, {short_time(card.seconds)}, {card.machine}"
    yield "chosen", card.chosen
    yield "size", f"{file.stat().st_size:,} bytes; {card.active:,} weights, {card.rounding}"
    yield "limits", card.limits


def short_time(seconds: float) -> str:
    """Return a time for people; below a minute in tenths of a second.

    >>> short_time(2.34), short_time(75.0)
    ('2.3 s', '1:15')
    """
    return duration(seconds) if seconds >= 60 else f"{seconds:.1f} s"
