"""`tafl gtp RUN`, `tafl gtp AGENT --game GAME`"""

import sys
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.options import SUCH_AGENTS, Seed
from tafl.cli.output import Json, print_json
from tafl.errors import InputError

GAME = "Game to play, for an agent that plays any game, such as mcts."


def gtp(
    agent: Annotated[str, Parameter(help=f"Folder of a run, or an agent{SUCH_AGENTS}")],
    /,
    *,
    game: Annotated[str, Parameter(show_default=False, help=GAME)] = "",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Run as a GTP engine for board GUIs (Go Text Protocol 2).

    With --json, print the agent, the game and the engine's commands, and exit.
    """
    import tafl
    from tafl.adapters.doors import agent_text
    from tafl.adapters.gtp import Engine
    from tafl.adapters.gtp_line import serve
    from tafl.agents import make_agent
    from tafl.boards import load_game

    made = make_agent(agent_text(agent), game or None, seed)
    played = load_game(game) if game else getattr(made, "game", None)
    if played is None:
        raise InputError(f"{agent}: name a game with --game")
    engine = Engine(made, played, agent, tafl.__version__, seed)
    if json:
        print_json({"agent": agent, "game": played.name, "commands": list(engine.commands)})
        return
    serve(engine, sys.stdin.fileno(), sys.stdout)
