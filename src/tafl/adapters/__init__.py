"""Adapters: tafl's games and agents in other libraries, and their agents in tafl.

A module is imported when it is first used; without its library it says which package to install.
`tafl.gymnasium`, `tafl.pettingzoo` and `tafl.openspiel` are in `doors`.

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
