"""tafl's games and agents in the worlds of other libraries, and theirs here.

Each module needs its library, is imported when it is first used, and says what to install where it
is missing. `tafl.gymnasium`, `tafl.pettingzoo` and `tafl.openspiel` are in `doors`.

>>> import tafl
>>> bot = tafl.adapters.openspiel.bot("random", game="connectfour")
"""

from importlib import import_module
from types import ModuleType

MODULES = ("gtp", "gymnasium", "openspiel", "pettingzoo", "sb3")


def __getattr__(name: str) -> ModuleType:
    if name not in MODULES:
        raise AttributeError(f"module 'tafl.adapters' has no attribute {name!r}")
    return import_module(f"tafl.adapters.{name}")


def __dir__() -> list[str]:
    return list(MODULES)
