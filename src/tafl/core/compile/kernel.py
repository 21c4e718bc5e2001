"""The decorators `inline` and `kernel`.

A kernel's first argument is a game. Machine code is kept on disk in a folder named after the sources of
`tafl.core` and of the game's file, so an edited file never runs stale code.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from tafl.core.compile.cache import cache_folder

F = TypeVar("F", bound=Callable)

_inlines: list[Callable] = []


def inline(function: F) -> F:
    """Marks a function that kernels may call."""
    _inlines.append(function)
    return function


def _register_inlines():
    from tafl.core.compile import cpu

    while _inlines:
        cpu.make_inline(_inlines.pop())
    return cpu


class Kernel:
    """A function of a game that runs as machine code; `python` is its uncompiled twin."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.python = function
        self._compiled: dict[type, Callable] = {}

    def __call__(self, game, *arguments) -> Any:
        compiled = self._compiled.get(type(game))
        if compiled is None:
            cpu = _register_inlines()
            compiled = cpu.make_dispatcher(self.python, cache_folder(type(game)))
            self._compiled[type(game)] = compiled
        return compiled(game, *arguments)


def kernel(function: Callable) -> Kernel:
    """Marks a function that Python calls with a game and that runs compiled."""
    return Kernel(function)
