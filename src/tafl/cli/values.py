"""`tafl values RUN --moves "3 3"`"""

from tafl.cli.options import Moves, RunOrAgent, Seed, position_after
from tafl.cli.output import Json, print_json, print_table
from tafl.numbers import player
from tafl.settings.tables import Fields


def values(run: RunOrAgent, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show the value that a trained agent gives to every legal action.

    An agent of regret matching draws its actions; the table then also shows their probabilities.
    """
    from tafl.agents.regret import RegretAgent
    from tafl.runs.trained_agents import load_agent

    agent = load_agent(run)
    position = position_after(agent.game, moves, seed)
    worth, policy = agent.values(position), agent.policy(position)
    if json:
        about: Fields = {"run": str(run), "game": agent.game.name}
        about |= {"player": position.player, "over": position.over}
        print_json({**about, "values": worth, "policy": policy})
        return
    print(position.drawn(position.player))  # as the agent sees it
    if position.over:
        print("\ngame over")
        return
    draws, best = isinstance(agent, RegretAgent), max(worth.values())
    rows = [
        [action, agent.game.action_name(action), f"{value:,.4f}", "best" * (value == best)]
        for action, value in worth.items()
    ]
    if draws:
        rows = [[*row[:-1], f"{policy[a]:.4f}"] for a, row in zip(policy, rows, strict=True)]
    columns = ["action", "name", "value", "probability" if draws else ""]
    print_table(columns, rows, title=f"{player(position.player)} to move")
