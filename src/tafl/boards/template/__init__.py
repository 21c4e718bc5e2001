"""Writer of the file that `tafl new-game` makes."""

import keyword
import re
from importlib.resources import files
from pathlib import Path

from tafl.errors import InputError, place
from tafl.files import replacing

TEMPLATE = "line_game.py"
CLASS = "LineGame"


def write_template(name: str, out: Path | None = None) -> Path:
    """Write a new game; the file must not exist."""
    stem = name.removesuffix(".py")
    if not re.fullmatch(r"[A-Za-z]\w*", stem) or keyword.iskeyword(stem):
        raise InputError(f"NAME may have only letters, digits and _, not {name!r}")
    file = Path(f"{stem}.py") if out is None else out
    if file.suffix != ".py":
        raise InputError(f"--out must be a file that ends in .py, not {place(file)}")
    class_name = "".join(part[:1].upper() + part[1:] for part in stem.split("_"))
    source = files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
    if file.exists():
        raise InputError(f"{place(file)} already exists; choose another name")
    try:
        with replacing(file) as new:
            new.write(source.replace(CLASS, class_name))
    except OSError as error:
        raise InputError(f"cannot write {place(file)}: {error.strerror}") from None
    return file
