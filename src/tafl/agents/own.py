"""Agents of a user's own file: `myagent.py:Centre` names a class with the methods of an agent."""

import inspect
import re
from pathlib import Path
from typing import Any

from tafl.agents.agent import Agent
from tafl.boards.game import Game
from tafl.boards.source import load_module
from tafl.boards.trust import Judge, file_digest
from tafl.errors import InputError, message, place

OWN = re.compile(r"(.+\.py):([A-Za-z_]\w*)", re.DOTALL)


def is_own(spec: str) -> bool:
    """Return whether a text names a class of a file.

    >>> is_own("myagent.py:Centre"), is_own("gtp:engine.py")
    (True, False)
    """
    return OWN.fullmatch(spec.strip()) is not None


def make_own(spec: str, game: Game | None, seed: int, judge: Judge) -> Agent:
    """Return an agent of that class, made with `game` and `seed` if it takes them.

    The judge hears of the file before any of its code runs.
    """
    found = OWN.fullmatch(spec.strip())
    assert found is not None
    path, name = Path(found[1]).expanduser(), found[2]
    if not path.is_file():
        raise InputError(f"{spec}: there is no file {place(path)}")
    judge(spec, file_digest(path))
    maker: Any = getattr(load_module(path), name, None)
    if not inspect.isclass(maker):
        raise InputError(f"{spec}: {place(path)} has no class {name}")
    try:
        takes = inspect.signature(maker).parameters
        known = {"game": game, "seed": seed}
        made: Any = maker(**{key: value for key, value in known.items() if key in takes})
    except Exception as error:
        raise InputError(f"{spec}: {message(error)}") from error
    if not callable(getattr(made, "act", None)):
        raise InputError(f"{spec}: an agent needs a method act(state), which {name} does not have")
    agent: Agent = made
    return agent
