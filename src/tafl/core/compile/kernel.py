"""The decorators `inline`, `vector` and `kernel`.

A kernel's first argument is a game. Machine code is kept on disk in a folder named after the
sources of `tafl.core` and of the game, so an edited file never runs stale code. That of a kernel
outside `tafl.core` is not kept.
"""

import functools
from collections.abc import Callable
from threading import RLock
from types import ModuleType
from typing import Any, TypeVar

from tafl.core.compile.cache import cache_folder
from tafl.core.compile.stop import interruptible
from tafl.errors import InputError

F = TypeVar("F", bound=Callable)

INLINES: set[Callable] = set()  # all functions that kernels may call
SECOND: dict[Callable, Callable] = {}  # the bodies of some of them for a block of threads
OF_THREAD: dict[Callable, Callable] = {}  # ... and for a thread that plays alone, on a GPU
_inlines: list[tuple[Callable, bool]] = []
_LOCK = RLock()


def inline(function: F) -> F:
    """Mark a function that kernels may call."""
    INLINES.add(function)
    _inlines.append((function, False))
    return function


def vector(function: F) -> F:
    """Mark a function that kernels may call, whose sums may be added in any order, as vectors."""
    INLINES.add(function)
    _inlines.append((function, True))
    return function


def second_body(function: Callable) -> Callable[[F], F]:
    """Mark the body of a function for the threads of a block, which run it together."""

    def mark(body: F) -> F:
        SECOND[function] = body
        return body

    return mark


def body_of_thread(function: Callable) -> Callable[[F], F]:
    """Mark the body of a function for a thread of a GPU that plays without others."""

    def mark(body: F) -> F:
        OF_THREAD[function] = body
        return body

    return mark


def compiler() -> ModuleType:
    """Return Numba for the CPU, after registering all functions that kernels may call."""
    from tafl.core.compile import cpu

    while _inlines:
        cpu.make_inline(*_inlines.pop())
    return cpu


class Kernel:
    """A function of a game that runs as machine code; `python` is its uncompiled twin."""

    def __init__(self, function: Callable):
        functools.update_wrapper(self, function)
        self.python = function
        self._is_of_core = function.__module__.startswith("tafl.core.")
        self._compiled: dict[tuple[type, ...], Callable] = {}

    def compiled(self, *classes: type) -> Callable:
        """Return the Numba dispatcher for a class of games, and one of a user's approximators."""
        with _LOCK:  # several threads may need it first
            if classes not in self._compiled:
                # the folder's name does not tell of sources outside core
                folder = cache_folder(*classes) if self._is_of_core else None
                self._compiled[classes] = compiler().make_dispatcher(self.python, folder)
            return self._compiled[classes]

    def __call__(self, game: Any, *arguments: Any) -> Any:
        classes = type(game), *own_approximators(arguments[:1])
        compiled = self._compiled.get(classes) or self.compiled(*classes)
        try:
            return interruptible(compiled, game, *arguments)
        except InputError:
            raise
        except Exception as error:
            from tafl.core.compile.explain import examine, examine_approximator

            examine(game)
            for kind in classes[1:]:
                examine_approximator(kind, error)
            raise


def own_approximators(arguments: tuple) -> list[type]:
    """Return the classes of a user's approximators among arguments, or in the field `net` of one.

    Their sources are not those of `tafl.core`, so kernels for them have folders of their own.
    """
    kinds = [type(getattr(argument, "net", argument)) for argument in arguments]
    own = [kind for kind in kinds if getattr(kind, "is_approximator", False)]
    return [kind for kind in own if not kind.__module__.startswith("tafl.core.")]


kernel = Kernel  # as a decorator
