"""`tafl tournament GAME AGENT ...`"""

from itertools import count
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.options import SUCH_AGENTS, ContestOptions, GameText, say_progress, say_repeated
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import AgentError
from tafl.numbers import number, score

if TYPE_CHECKING:
    from tafl.arena import Result, Tournament

OUT = "Folder for the records and a plot; the same command continues an interrupted tournament."


def tournament(
    game: GameText,
    /,
    *agents: Annotated[str, Parameter(help=f"Agents that take part{SUCH_AGENTS}")],
    options: ContestOptions | None = None,
    out: Annotated[Path | None, Parameter(help=OUT)] = None,
    json: Json = False,
) -> None:
    """Play a round-robin tournament and rate the agents."""
    from tafl.arena import tournament as play
    from tafl.boards import load_game

    loaded = load_game(game)
    match, all_matches = count(1), comb(len(agents), loaded.facts.players)

    def ended(_: "Result") -> None:
        say_progress(f"match {next(match)} of {all_matches}")

    try:
        found = play(loaded, agents, **(options or ContestOptions()).how, out=out, ended=ended)
    except AgentError as error:
        if out is None:
            raise
        raise AgentError(f"{error}; run the same command to continue") from error
    finally:
        say_progress("")
    if out is not None:
        from tafl.pictures.tournament import draw

        draw(found, out / "tournament.png")
    if json:
        print_json(found.document())
        return
    show(found)
    if out is not None:
        print(f"records and plot saved in {out}")


def show(found: "Tournament") -> None:
    """Print ratings and means, the best first."""
    result = found.document()
    key = "elo" if found.ratings is not None else "mean"
    order = sorted(range(len(found.agents)), key=lambda i: -result["agents"][i][key])
    rating = ["rating", "95% confidence"] if found.ratings is not None else []
    rows: list[list[Any]] = []
    for place, i in enumerate(order, start=1):
        one = result["agents"][i]
        rows.append([place, one["agent"], score(one["mean"], one["standard_error"])])
        if rating:
            interval = f"{one['low']:,.0f} to {one['high']:,.0f}"
            rows[-1] += [round(one["elo"]), interval]
    title = f"{result['game']}, {result['games']:,} games"
    print_table(["", "agent", "mean score", *rating], rows, title=title)
    if found.game.facts.players > 1:
        numbers = [str(place) for place in range(1, len(order) + 1)]
        pairs = [
            [found.agents[i], *(number(result["table"][i][j]) if i != j else "" for j in order)]
            for i in order
        ]
        print_table(["mean score with", *numbers], pairs)
    say_repeated(result)
