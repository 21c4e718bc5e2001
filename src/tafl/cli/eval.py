"""`tafl eval RUN --vs AGENT`"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from tafl.cli.options import Games, RunOrAgent, Seed, Starts
from tafl.cli.output import Json, against, print_json, print_table
from tafl.errors import InputError
from tafl.numbers import number, score, share

if TYPE_CHECKING:
    from tafl.arena.result import Result

ROLES = (
    "all: play every role equally often; first or second: always that one; a number: always that "
    "player, where player 0 moves first."
)
WORKERS = "Number of processes; it does not change the result."
EXPLOITABILITY = "Measure what each player could gain by a best response to the agent."
APPROXIMATE = "With --exploitability: a lower bound by --games games per player, for large games."


def evaluate(
    run: RunOrAgent,
    *,
    vs: Annotated[
        str | None, Parameter(help="Opponent in all other roles (default: random).")
    ] = None,
    games: Games = 100,
    starts: Starts | None = None,
    roles: Annotated[Literal["all", "first", "second"] | int, Parameter(help=ROLES)] = "all",
    seed: Seed = 0,
    workers: Annotated[int, Parameter(help=WORKERS)] = 1,
    exploitability: Annotated[bool, Parameter(negative=(), help=EXPLOITABILITY)] = False,
    approximate: Annotated[bool, Parameter(negative=(), help=APPROXIMATE)] = False,
    json: Json = False,
) -> None:
    """Measure the strength of a trained agent."""
    from tafl.arena import evaluate as play
    from tafl.arena.match import role_of
    from tafl.runs.trained_agents import load_agent

    if exploitability:
        if option := "--vs" * (vs is not None) or "--starts" * (starts is not None):
            raise InputError(f"--exploitability needs no opponent or starts; remove {option}")
        measure(run, seed, json, games if approximate else None)
        return
    if approximate:
        raise InputError("--approximate needs --exploitability")
    game = load_agent(run).game
    role_of(game, roles, "--roles")
    result = play(
        f"run:{run}", vs, games, starts=starts, roles=roles, seed=seed, workers=workers, game=game
    )
    if json:
        print_json({"run": str(run), "game": game.name, "seed": seed, **result.document()})
    else:
        show(run, result)


def show(run: Path, result: "Result") -> None:
    """Print the result of an evaluation."""
    document, standing = result.document(), result.standings[0]
    title = f"{run}{against(document['opponent'])}, {document['games']:,} games"
    print_table(*result.table(), title=title)
    if "win_rate" in document:
        half = result.game.facts.players == 2
        draw = "a draw counts as half a win" if half else "players who tie for first share the win"
        print(f"win rate {share(standing.win_rate, standing.win_rate_error)} ({draw})")
    if "reached" in document:
        shares = [f"{mark}: {share(found)}" for mark, found in document["reached"].items()]
        print(f"best {number(document['best'], 12)}; games that reached {', '.join(shares)}")


def measure(run: Path, seed: int, json: bool, games: int | None) -> None:
    """Print the exploitability of a trained agent; with `games`, a lower bound."""
    from tafl.arena.exploitability import TooLarge, exploitability
    from tafl.runs.trained_agents import load_agent

    agent = load_agent(run)
    try:
        if games is None:
            found = exploitability(agent, seed=seed)
        else:
            found = exploitability(agent, approximate=True, games=games, seed=seed)
    except TooLarge as error:
        raise InputError(f"{error.__cause__}; add --approximate for a lower bound") from None
    if json:
        print_json({"run": str(run), "seed": seed, **found.document()})
        return
    print_table(*found.table(), title=f"{run} on {found.game.name}, points")
    if found.exact:
        line = f"NashConv {number(found.nash_conv)}, exploitability {number(found.exploitability)}"
        print(f"{line} ({found.information_states:,} information states)")
    else:
        line = f"lower bounds: NashConv {score(found.nash_conv, found.error)}"
        print(f"{line}, exploitability {number(found.exploitability)} ({games:,} games per player)")
