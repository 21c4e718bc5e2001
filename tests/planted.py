"""Games with a mistake: the template of `tafl new-game` with one passage replaced."""

from importlib.resources import files
from pathlib import Path

TEMPLATE = files("tafl.boards.template").joinpath("line_game.py").read_text(encoding="utf-8")


def plant(folder: Path, *replacements: tuple[str, str], name: str = "mygame.py") -> Path:
    """Writes the template with passages replaced, each of which has to be there once."""
    source = TEMPLATE
    for old, new in replacements:
        assert source.count(old) == 1, f"{source.count(old)} times in the template: {old}"
        source = source.replace(old, new)
    path = folder / name
    path.write_text(source, encoding="utf-8")
    return path


def line_of(path: Path, text: str) -> int:
    """The number of the only line that contains a text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, start=1) if text in line]
    assert len(found) == 1, f"{len(found)} lines contain {text}"
    return found[0]
