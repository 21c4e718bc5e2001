"""Loading of a game's file as a module whose name depends on its path and content.

An edited file becomes a new module, and an unchanged one keeps its name in every process, so that
Numba finds its cached code. Modules beside the file get such names too.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from tafl.core.compile.cache import digest, source_files
from tafl.errors import GameError, InputError, place, raised_at


def load_file(path: Path) -> Any:
    """Return the class of rules in a file."""
    return _only_rules(load_module(path), path.resolve())


def load_module(path: Path) -> ModuleType:
    """Return the module in a file."""
    path = path.resolve()
    if not os.path.isfile(path):
        raise InputError(f"file not found: {place(path)}")
    try:
        files = source_files(path)
    except SyntaxError as error:
        raise GameError(f"{place(error.filename or path, error.lineno)}: {error.msg}") from None
    except (OSError, ValueError) as error:
        raise GameError(f"{place(path)} cannot be read as Python: {error}") from None
    content = digest(files)
    identity = hashlib.sha256(f"{path} {content}".encode()).hexdigest()[:16]
    name = re.sub(r"\W", "_", f"tafl_game_{path.stem}_{identity}")
    if name not in sys.modules:
        _load_module(name, path, files, content)
    return sys.modules[name]


class _Source(SourceFileLoader):
    """Loader without Python's cache of byte code, which misses quick edits."""

    def get_code(self, fullname: str) -> Any:
        return self.source_to_code(self.get_data(self.path), self.path)


class _Beside(_Source):
    """Finder and loader of one module next to a game's file."""

    def __init__(self, private_name: str, file: Path):
        super().__init__(private_name, str(file))
        self.public_name = file.stem

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.public_name:
            return None
        return spec_from_file_location(self.name, self.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        sys.modules[self.public_name] = module
        super().exec_module(module)


@contextmanager
def _imports_from_beside(name: str, path: Path, files: list[Path]) -> Iterator[None]:
    """Let a file import the modules beside it, even if others have the same names."""
    beside = [file for file in files if file.parent == path.parent and file != path]
    finders = [_Beside(f"{name}_{file.stem}", file) for file in beside]
    hidden = {file.stem: sys.modules.pop(file.stem, None) for file in beside}
    sys.meta_path[:0] = finders
    try:
        yield
    finally:
        for finder in finders:
            sys.meta_path.remove(finder)
        for public_name, module in hidden.items():
            sys.modules.pop(public_name, None)
            if module is not None:
                sys.modules[public_name] = module


def _load_module(name: str, path: Path, files: list[Path], content: str) -> None:
    spec = spec_from_file_location(name, path, loader=_Source(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    module.__source_digest__ = content  # type: ignore[attr-defined]
    sys.modules[name] = module
    try:
        with _imports_from_beside(name, path, files):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        for loaded in [m for m in sys.modules if m.startswith(name)]:
            del sys.modules[loaded]
        file, line = raised_at(error, files)
        said = f"{type(error).__name__}: {error}"
        raise GameError(f"{place(file or path, line)}: {said}") from None


def _only_rules(module: ModuleType, path: Path) -> Any:
    """Return the only class marked @rules that a file defines."""
    own = [v for v in vars(module).values() if getattr(v, "__module__", None) == module.__name__]
    classes = {v.__name__: v for v in own if getattr(v, "is_rules", False)}
    if not classes:
        raise GameError(f"{place(path)} has no class marked @rules")
    if len(classes) > 1:
        names = " and ".join(classes)
        raise GameError(f"{place(path)} defines the games {names}; a file can define only one")
    return classes.popitem()[1]
