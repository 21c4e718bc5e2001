"""Copies of functions for a block of threads: with all they call, and second bodies.

A copy has the same code and other globals: a function in them that kernels may call is a copy, too,
made of its second body where it has one (`second_body`). So rules and learners are written once.
Where no compiler is given, the copies are plain Python for a block of one thread
(`thread_block.py`). The copy of an approximator's class has copies of its methods.
"""

from collections.abc import Callable
from dis import get_instructions
from types import CellType, FunctionType
from typing import Any

from tafl.core.compile import thread_block as block
from tafl.core.compile.kernel import INLINES, SECOND, Kernel
from tafl.core.compile.methods import APPROXIMATOR_METHODS


class Copies:
    """Makes copies of functions, each once."""

    def __init__(
        self,
        given: dict[Any, Any] | None = None,
        compiled: Callable[[Callable], Any] = lambda function: function,
        device: Any = block.device,
        bodies: dict[Any, Any] = SECOND,
    ):
        self.made: dict[Any, Any] = dict(given or {})  # what stands for a function
        self.compiled, self.device, self.bodies = compiled, device, bodies

    def copy(self, function: FunctionType) -> FunctionType:
        """Return the function with other globals, not compiled."""
        read = {i.argval for i in get_instructions(function) if i.opname == "LOAD_GLOBAL"}
        known = function.__globals__.items()
        there = {name: self._translated(value) for name, value in known if name in read}
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        made = FunctionType(
            function.__code__,
            {"__name__": function.__module__, "__builtins__": __builtins__, **there},
            function.__name__,
            function.__defaults__,
            tuple(CellType(self._translated(value)) for value in cells) or None,
        )
        made.__qualname__ = function.__qualname__
        return made

    def _translated(self, value: Any) -> Any:
        """Return what replaces a global value."""
        if value is block.device:
            return self.device
        if isinstance(value, Kernel):
            return self._function(value.python)
        if isinstance(value, FunctionType) and (value in INLINES or value in self.made):
            return self._function(value)
        if isinstance(value, type) and getattr(value, "is_approximator", False):
            return self._class(value)
        return value

    def _class(self, kind: Any) -> Any:
        if kind not in self.made:
            methods = {name: getattr(kind, name) for name in APPROXIMATOR_METHODS}
            copies = {name: self.copy(SECOND.get(m, m)) for name, m in methods.items()}
            self.made[kind] = type(kind.__name__, (kind,), {"__slots__": (), **copies})
        return self.made[kind]

    def _function(self, function: Any) -> Any:
        if function not in self.made:
            body: Any = self.bodies.get(function, function)
            self.made[function] = self.compiled(self.copy(body))
        return self.made[function]
