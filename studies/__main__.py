"""`python -m studies`: list studies, run one, or write its pages."""

import sys
from importlib import import_module
from pathlib import Path

from tafl.errors import InputError

HOME = Path(__file__).resolve().parent


def names() -> list[str]:
    """Return the names of all studies."""
    return sorted(file.parent.name for file in HOME.glob("*/report.py"))


def purpose(name: str) -> str:
    """Return the first line of a study's docstring."""
    return (import_module(f"studies.{name}").__doc__ or "").partition("\n")[0]


def main(arguments: list[str]) -> None:
    """Carry out one command line."""
    match arguments:
        case []:
            for name in names():
                print(f"{name:16} {purpose(name)}")
        case ["all", "report"]:
            for name in names():
                _report(name)
        case [name, _, *_] if name not in names():
            raise InputError(f"unknown study {name}; available: {', '.join(names())}, all")
        case [name, "report"]:
            _report(name)
        case [name, "run", *options]:
            import_module(f"studies.{name}.run").main(options)
        case _:
            raise InputError("usage: python -m studies [NAME run [OPTION ...] | NAME report]")


def _report(name: str) -> None:
    for page in import_module(f"studies.{name}.report").write():
        print(page)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
