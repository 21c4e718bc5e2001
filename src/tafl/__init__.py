"""Teaches a computer any turn-taking board game by self-play.

>>> import tafl
>>> state = tafl.game("tictactoe").start()
>>> state.play(4)
>>> print(state)
. . .
. x .
. . .
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tafl import rules
    from tafl.core.games.rules import Facts
    from tafl.errors import GameError, IllegalAction, InputError
    from tafl.experiments import make_agent as agent
    from tafl.experiments import match, tournament
    from tafl.experiments.run import Run
    from tafl.experiments.training import train
    from tafl.games import Game, State
    from tafl.games import load_game as game

    __version__: str

# Loaded on first use, so that `import tafl` and `tafl --help` take no time.
_EXPORTS = {
    "Facts": "tafl.core.games.rules:Facts",
    "Game": "tafl.games:Game",
    "GameError": "tafl.errors:GameError",
    "IllegalAction": "tafl.errors:IllegalAction",
    "InputError": "tafl.errors:InputError",
    "Run": "tafl.experiments.run:Run",
    "State": "tafl.games:State",
    "agent": "tafl.experiments:make_agent",
    "game": "tafl.games:load_game",
    "match": "tafl.experiments:match",
    "rules": "tafl.rules",
    "tournament": "tafl.experiments:tournament",
    "train": "tafl.experiments.training:train",
}

__all__ = [
    "Facts",
    "Game",
    "GameError",
    "IllegalAction",
    "InputError",
    "Run",
    "State",
    "__version__",
    "agent",
    "game",
    "match",
    "rules",
    "tournament",
    "train",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _EXPORTS:
        raise AttributeError(f"module 'tafl' has no attribute {name!r}")
    module, _, attribute = _EXPORTS[name].partition(":")
    found = import_module(module)
    value = globals()[name] = getattr(found, attribute) if attribute else found
    return value


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tafl")
    except PackageNotFoundError:  # run from its sources, not installed
        return "0+sources"
