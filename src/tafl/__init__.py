"""A program that learns any turn-based game by self-play.

>>> import tafl
>>> state = tafl.game("tictactoe").start()
>>> state.play("b2")
>>> print(state)
. . .
. x .
. . .
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tafl import adapters, rules
    from tafl.adapters.doors import gymnasium, openspiel, pettingzoo
    from tafl.agents import make_agent as agent
    from tafl.arena import Result, Tournament, evaluate, match, tournament
    from tafl.arena.exploitability import Exploitability, exploitability
    from tafl.boards import Game, State
    from tafl.boards.check import check
    from tafl.boards.load import games, position
    from tafl.boards.load import load_game as game
    from tafl.boards.trust import trust
    from tafl.core.games.rules import Facts
    from tafl.errors import GameError, IllegalAction, InputError
    from tafl.runs.comparison import compare
    from tafl.runs.run import Run
    from tafl.runs.tables import table
    from tafl.runs.trained_agents import load_agent as load
    from tafl.runs.trained_agents import save_agent as save
    from tafl.sweeps.result import Sweep
    from tafl.sweeps.sweep import sweep
    from tafl.training.callbacks import Callback
    from tafl.training.training import resume, train

    __version__: str

# Imported on first use, so that `import tafl` and `tafl --help` are quick
_EXPORTS = {
    "Callback": "tafl.training.callbacks:Callback",
    "Exploitability": "tafl.arena.exploitability:Exploitability",
    "Facts": "tafl.core.games.rules:Facts",
    "Game": "tafl.boards:Game",
    "GameError": "tafl.errors:GameError",
    "IllegalAction": "tafl.errors:IllegalAction",
    "InputError": "tafl.errors:InputError",
    "Result": "tafl.arena:Result",
    "Run": "tafl.runs.run:Run",
    "State": "tafl.boards:State",
    "Sweep": "tafl.sweeps.result:Sweep",
    "Tournament": "tafl.arena:Tournament",
    "adapters": "tafl.adapters",
    "agent": "tafl.agents:make_agent",
    "check": "tafl.boards.check:check",
    "compare": "tafl.runs.comparison:compare",
    "evaluate": "tafl.arena:evaluate",
    "exploitability": "tafl.arena.exploitability:exploitability",
    "game": "tafl.boards:load_game",
    "games": "tafl.boards.load:games",
    "gymnasium": "tafl.adapters.doors:gymnasium",
    "load": "tafl.runs.trained_agents:load_agent",
    "match": "tafl.arena:match",
    "openspiel": "tafl.adapters.doors:openspiel",
    "pettingzoo": "tafl.adapters.doors:pettingzoo",
    "position": "tafl.boards.load:position",
    "resume": "tafl.training.training:resume",
    "rules": "tafl.rules",
    "save": "tafl.runs.trained_agents:save_agent",
    "sweep": "tafl.sweeps.sweep:sweep",
    "table": "tafl.runs.tables:table",
    "tournament": "tafl.arena:tournament",
    "train": "tafl.training.training:train",
    "trust": "tafl.boards.trust:trust",
}

__all__ = [
    "Callback",
    "Exploitability", "Facts", "Game", "GameError", "IllegalAction", "InputError", "Result", "Run",
    "State", "Sweep", "Tournament", "__version__", "adapters", "agent", "check", "compare",
    "evaluate", "exploitability", "game", "games", "gymnasium", "load", "match", "openspiel",
    "pettingzoo", "position", "resume", "rules", "save", "sweep", "table", "tournament", "train",
    "trust",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _EXPORTS:
        raise AttributeError(f"module 'tafl' has no attribute {name!r}")
    module, _, attribute = _EXPORTS[name].partition(":")
    found = import_module(module)
    value = globals()[name] = getattr(found, attribute) if attribute else found
    return value


def __dir__() -> list[str]:
    return __all__


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tafl")
    except PackageNotFoundError:  # sources that are not installed
        return "0+sources"
