"""`tafl eval RUN --vs AGENT`"""

from pathlib import Path
from typing import Literal

from tafl.cli.options import Seed, Starts, Whole
from tafl.cli.output import Json, print_json, print_table


def evaluate(
    run: Path,
    *,
    vs: str | None = None,
    games: Whole = 100,
    starts: Starts | None = None,
    roles: Literal["all", "first"] = "all",
    seed: Seed = 0,
    workers: int = 1,
    json: Json = False,
) -> None:
    """Play a trained agent against others.

    Parameters
    ----------
    run
        The folder of a run, or the file of an agent.
    vs
        Who plays the other roles, such as exact or "mcts(iterations=1000)" (default: random).
    games
        Number of games, rounded up until every start was played in every role.
    roles
        All roles equally often, or first: the agent always begins.
    workers
        Number of processes that play. The result is the same.
    """
    from tafl.arena import evaluate as play
    from tafl.runs.agents import load_agent

    game = load_agent(run).game
    result = play(
        f"run:{run}",
        vs,
        games,
        starts=starts,
        roles=roles,
        seed=seed,
        workers=workers,
        game=game,
    )
    document = result.document()
    if json:
        print_json({"run": str(run), "game": game.name, "seed": seed, **document})
        return
    title = f"{run} against {result.opponent}, {document['games']:,} games"
    print_table(*result.table(), title=title)
    if "win_rate" in document:
        draw = "a draw counts one half" if game.facts.players == 2 else "a shared win is shared"
        print(f"win rate {document['win_rate']:.1%}, {draw}")
