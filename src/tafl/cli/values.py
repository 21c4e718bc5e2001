"""`tafl values RUN --moves "3 3"`"""

from pathlib import Path

from tafl.cli.moves import Moves, Seed, after_moves
from tafl.cli.output import Json, print_json, print_table


def values(run: Path, *, moves: Moves = "", seed: Seed = 0, json: Json = False) -> None:
    """Show what every legal action is worth to a trained agent.

    Parameters
    ----------
    run
        The folder of a run.
    """
    from tafl.experiments.run import Run

    opened = Run.open(run)
    position = after_moves(opened.game, moves, seed)
    worth = {} if position.over else opened.agent.values(position)
    unit = opened.game.facts.score_unit
    if json:
        print_json(
            {
                "run": str(opened.path),
                "game": opened.game.name,
                "player": position.player,
                "over": position.over,
                "values": {action: value / unit for action, value in worth.items()},
            }
        )
        return
    print(position)
    if position.over:
        print("\nthe game is over")
        return
    best = max(worth.values())
    rows = [
        [action, opened.game.action_name(action), f"{value / unit:,.4f}", "best" * (value == best)]
        for action, value in worth.items()
    ]
    print_table(["action", "name", "value", ""], rows, title=f"player {position.player} to move")
