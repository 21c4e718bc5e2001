"""The copy of a game's source that a run keeps."""

import shutil
import sys
from pathlib import Path
from typing import Any

from tafl.boards import Game, trust
from tafl.boards.load import is_file_name, is_foreign
from tafl.boards.spec import parse
from tafl.core.compile.cache import digest, source_digest, source_files
from tafl.core.games import GAMES
from tafl.settings.own_networks import own_network
from tafl.settings.values import names_own_file


def keep_sources(game: Game, folder: Path) -> None:
    """Copy the user's game file, and trust its content wherever a run names it."""
    name = parse(game.name)[0]
    if name in GAMES or is_foreign(name):
        return
    if not is_file_name(name):
        file = getattr(sys.modules[type(game.rules).__module__], "__file__", None)
        trust.remember(trust.module_digest(name, Path(file) if file else None))
        return
    _keep(Path(name), type(game.rules), folder)


def keep_network(kind: str, folder: Path) -> None:
    """Copy the file of the user's own approximator, and trust its content."""
    if names_own_file(kind):
        _keep(Path(parse(kind)[0]), own_network(kind), folder)


def _keep(path: Path, loaded: Any, folder: Path) -> None:
    """Copy a file that a class was loaded from, with the modules beside it, and trust it."""
    sources = source_files(path)
    if digest(sources) != source_digest(loaded):
        return  # it was edited since it was loaded: there is nothing left to copy
    trust.remember(trust.file_digest(path))
    for source in sources:
        if source.is_relative_to(path.resolve().parent):
            copy = folder / source.relative_to(path.resolve().parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
