"""`tafl values RUN --moves "3 3"`"""

from pathlib import Path

from tafl.cli.options import Moves, Seed, position_after
from tafl.cli.output import Json, print_json, print_table


def values(run: Path, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show the value that a trained agent gives to every legal action.

    Parameters
    ----------
    run
        Folder of a run, or file of an agent.
    """
    from tafl.runs.agents import load_agent

    agent = load_agent(run)
    position = position_after(agent.game, moves, seed)
    worth = agent.values(position)
    if json:
        print_json(
            {
                "run": str(run),
                "game": agent.game.name,
                "player": position.player,
                "over": position.over,
                "values": worth,
            }
        )
        return
    print(position)
    if position.over:
        print("\ngame over")
        return
    best = max(worth.values())
    rows = [
        [action, agent.game.action_name(action), f"{value:,.4f}", "best" * (value == best)]
        for action, value in worth.items()
    ]
    print_table(["action", "name", "value", ""], rows, title=f"player {position.player} to move")
