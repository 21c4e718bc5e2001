"""Names of arguments in messages: options on the command line, Python arguments elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_options = False


@contextmanager
def on_command_line() -> Iterator[None]:
    """Name arguments as options in this block."""
    global _options
    before, _options = _options, True
    try:
        yield
    finally:
        _options = before


def argument(name: str, value: object = None) -> str:
    """Return an argument as the user writes it.

    >>> argument("device", "cuda"), argument("out")
    ("device='cuda'", 'out')
    >>> with on_command_line():
    ...     argument("device", "cuda"), argument("out"), argument("moves", "1 2")
    ('--device cuda', '--out', '--moves "1 2"')
    """
    if not _options:
        return name if value is None else f"{name}={value!r}"
    said = f'"{value}"' if " " in str(value) else value
    return f"--{name}" if value is None else f"--{name} {said}"


def resuming(path: Path, what: str = "train") -> str:
    """Return how the user continues a run, or a sweep, in a folder.

    >>> resuming(Path("runs/nim")), resuming(Path("sweeps/nim"), "sweep")
    ("tafl.resume('runs/nim')", "tafl.sweep(resume='sweeps/nim')")
    """
    if _options:
        return f"tafl {what} --resume {path}"
    text = path.as_posix()
    return f"tafl.resume({text!r})" if what == "train" else f"tafl.{what}(resume={text!r})"


def or_overwrite() -> str:
    """Return the words that offer to overwrite a folder, where that is possible."""
    return "" if _options else ", or overwrite=True"
