"""`tafl.gymnasium`, `tafl.pettingzoo`, `tafl.openspiel`: they import their library when called."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tafl.agents import Agent
from tafl.agents.spec import AGENTS
from tafl.boards.game import Game

AnyGame = str | Path | type | Game


def agent_text(agent: str | Path) -> str:
    """Return the text of an agent; the folder of a run or the file of an agent gets `run:`.

    >>> agent_text("mcts(iterations=10)"), agent_text(Path("runs/c4"))
    ('mcts(iterations=10)', 'run:runs/c4')
    """
    text = str(agent)
    name = re.match(r"([\w-]+)(?=$|[:(])", text)
    if isinstance(agent, Path) or (Path(text).exists() and not (name and name[1] in AGENTS)):
        return f"run:{text}"
    return text


def gymnasium(
    game: AnyGame,
    opponents: Sequence[str | Agent] | None = None,
    role: int | None = 0,
    render_mode: str | None = None,
    **parameters: Any,
) -> Any:
    """Return a Gymnasium environment: you play one role, agents (default: random) the others.

    The opponents play the roles after yours, in this order; with role=None each game draws yours.

    >>> import tafl
    >>> env = tafl.gymnasium("tictactoe", opponents=["exact"])
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].tolist()
    ((5, 9), [1, 1, 1, 1, 1, 1, 1, 1, 1])
    """
    from tafl.adapters.gymnasium import GameEnv

    return GameEnv(game, opponents, role, render_mode, **parameters)


def pettingzoo(game: AnyGame, render_mode: str | None = None, **parameters: Any) -> Any:
    """Return a PettingZoo environment (AEC) with one agent per player.

    >>> import tafl
    >>> env = tafl.pettingzoo("nim3p")
    >>> env.reset(seed=1)
    >>> env.agents, env.agent_selection
    (['player_0', 'player_1', 'player_2'], 'player_0')
    """
    from tafl.adapters.pettingzoo import make

    return make(game, render_mode, **parameters)


def openspiel(game: AnyGame, **parameters: Any) -> Any:
    """Return a game of tafl as a `pyspiel.Game` of OpenSpiel.

    >>> import tafl
    >>> state = tafl.openspiel("hex(size=6)").new_initial_state()
    >>> state.apply_action(14)
    >>> state.current_player(), state.action_to_string(14), len(state.legal_actions())
    (1, 'c3', 35)
    """
    from tafl.adapters.openspiel import make

    return make(game, **parameters)
