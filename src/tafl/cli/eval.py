"""`tafl eval RUN --vs AGENT`"""

from pathlib import Path
from typing import Literal

from tafl.cli.contests import Starts
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError


def evaluate(
    run: Path,
    *,
    vs: str = "random",
    games: int = 100,
    starts: Starts | None = None,
    roles: Literal["all", "first"] = "all",
    seed: int = 0,
    json: Json = False,
) -> None:
    """Play a trained agent against others.

    Parameters
    ----------
    run
        The folder of a run.
    vs
        Who plays the other roles, such as random, exact or "mcts(iterations=1000)".
    games
        How many games at least; every role gets as many.
    roles
        All roles equally often, or first: the agent always begins.
    seed
        Where all chance comes from.
    """
    from tafl.arena import evaluate as play
    from tafl.experiments.run import Run

    if games < 1:
        raise InputError(f"--games {games}: should be at least 1")
    if not 0 <= seed < 2**32:
        raise InputError(f"--seed {seed}: should be from 0 to {2**32 - 1}")
    opened = Run.open(run)
    result = play(opened.game, opened.agent, vs, games, seed, starts, roles)
    unit = opened.game.facts.score_unit
    result |= {key: result[key] / unit for key in ("mean", "standard_error")}
    result["roles"] = [mean / unit for mean in result["roles"]]
    if json:
        print_json({"run": str(opened.path), "game": opened.game.name, "seed": seed, **result})
        return
    rows: list[list[object]] = [["all", result["mean"], result["standard_error"]]]
    rows += [[role, mean, ""] for role, mean in enumerate(result["roles"])]
    title = f"{opened.path} against {result['opponent']}, {result['games']:,} games"
    print_table(["role", "mean score", "standard error"], rows, title=title)
    if "win_rate" in result:
        print(f"win rate {result['win_rate']:.1%}, a draw counts one half")
