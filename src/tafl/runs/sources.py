"""The copy of a game's source that a run keeps."""

import shutil
import sys
from pathlib import Path

from tafl.boards import Game, trust
from tafl.boards.load import is_file_name, is_foreign
from tafl.boards.spec import parse
from tafl.core.compile.cache import digest, source_digest, source_files
from tafl.core.games import GAMES


def keep_sources(game: Game, folder: Path) -> None:
    """Copy the user's game file, and trust its content wherever a run names it."""
    name = parse(game.name)[0]
    if name in GAMES or is_foreign(name):
        return
    if not is_file_name(name):
        file = getattr(sys.modules[type(game.rules).__module__], "__file__", None)
        trust.remember(trust.module_digest(name, Path(file) if file else None))
        return
    path = Path(name)
    sources = source_files(path)
    if digest(sources) != source_digest(type(game.rules)):  # type: ignore[arg-type]
        return  # it was edited since it was loaded: there is nothing left to copy
    trust.remember(trust.file_digest(path))
    for source in sources:
        if source.is_relative_to(path.resolve().parent):
            copy = folder / source.relative_to(path.resolve().parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
