"""Writer of the files that `tafl new-game` and `tafl new-approximator` make."""

import keyword
import re
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from tafl.errors import InputError, place
from tafl.files import replacing


class Template(NamedTuple):
    """A small game to start from: its file, the name of its class, and the game in words."""

    file: str
    class_name: str
    about: str


TEMPLATES = {
    "line": Template("line_game.py", "LineGame", "a small game of stones in a row"),
    "dice": Template("dice_game.py", "DiceGame", "a small race with a die"),
    "pieces": Template("piece_game.py", "PieceGame", "a small game of moving pieces"),
    "cards": Template("card_game.py", "CardGame", "a small game with hidden cards"),
}
APPROXIMATOR = Template("factor_net.py", "FactorNet", "a small approximator")


def write_template(name: str, out: Path | None = None, kind: str = "line") -> Path:
    """Write a new game; the file must not exist."""
    if kind not in TEMPLATES:
        raise InputError(f"--kind must be {', '.join(TEMPLATES)}, not {kind}")
    return write_from(TEMPLATES[kind], name, out)


def write_from(template: Template, name: str, out: Path | None = None) -> Path:
    """Write a template under another name; the file must not exist."""
    stem = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z]\w*", stem) or keyword.iskeyword(stem):
        raise InputError(f"NAME may have only letters, digits and _, not {name!r}")
    file = Path(f"{stem}.py") if out is None else out
    if file.suffix != ".py":
        raise InputError(f"--out must be a file that ends in .py, not {place(file)}")
    class_name = "".join(part[:1].upper() + part[1:] for part in stem.split("_"))
    source = files(__package__).joinpath(template.file).read_text(encoding="utf-8")
    if file.exists():
        raise InputError(f"{place(file)} already exists; choose another name")
    try:
        with replacing(file) as new:
            new.write(source.replace(template.class_name, class_name))
    except OSError as error:
        raise InputError(f"cannot write {place(file)}: {error.strerror}") from None
    return file
