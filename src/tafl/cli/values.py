"""`tafl values RUN --moves "3 3"`"""

from tafl.cli.options import Moves, RunOrAgent, Seed, position_after
from tafl.cli.output import Json, print_json, print_table


def values(run: RunOrAgent, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show the value that a trained agent gives to every legal action."""
    from tafl.runs.trained_agents import load_agent

    agent = load_agent(run)
    position = position_after(agent.game, moves, seed)
    worth = agent.values(position)
    if json:
        about = {"run": str(run), "game": agent.game.name}
        print_json({**about, "player": position.player, "over": position.over, "values": worth})
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
