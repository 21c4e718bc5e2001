"""`tafl eval RUN --vs AGENT`"""

from typing import TYPE_CHECKING, Any, Literal

from tafl.cli.options import RunOrAgent, Seed, Starts, Whole
from tafl.cli.output import Json, print_json, print_table

if TYPE_CHECKING:
    from tafl.boards import Game


def evaluate(
    run: RunOrAgent,
    *,
    vs: str | None = None,
    games: Whole = 100,
    starts: Starts | None = None,
    roles: Literal["all", "first"] = "all",
    seed: Seed = 0,
    workers: int = 1,
    json: Json = False,
) -> None:
    """Measure how strong a trained agent is.

    Parameters
    ----------
    vs
        Opponent in all other roles, such as exact or "maxn(depth=4)" (default: random).
    games
        Number of games, rounded up so that all starts and roles are played equally often.
    roles
        all: the agent plays every role equally often; first: it always moves first.
    workers
        Number of processes. It does not change the result.
    """
    from tafl.arena import evaluate as play
    from tafl.runs.trained_agents import load_agent

    game = load_agent(run).game
    result = play(
        f"run:{run}", vs, games, starts=starts, roles=roles, seed=seed, workers=workers, game=game
    )
    document = result.document()
    if json:
        print_json({"run": str(run), "game": game.name, "seed": seed, **document})
        return
    title = f"{run} against {result.opponent}, {document['games']:,} games"
    print_table(*result.table(), title=title)
    _show_rates(game, document)


def _show_rates(game: "Game", document: dict[str, Any]) -> None:
    """Print the share of wins, and the share of games that reached each mark."""
    if "win_rate" in document:
        half = game.facts.players == 2
        draw = "a draw counts as half a win" if half else "players who tie for first share the win"
        print(f"win rate {document['win_rate']:.1%} ({draw})")
    if "reached" in document:
        shares = [f"{mark}: {share:.1%}" for mark, share in document["reached"].items()]
        print(f"best {document['best']:,.0f}; games that reached {', '.join(shares)}")
