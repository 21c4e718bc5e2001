"""`tafl tournament GAME AGENT ...`"""

from itertools import count
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.cli.contests import Starts, Workers, cores, say_progress, say_repeated
from tafl.cli.moves import Seed
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import AgentError

if TYPE_CHECKING:
    from tafl.arena import Match, Tournament


def tournament(
    game: str,
    /,
    *agents: str,
    games: int = 100,
    starts: Starts = "start",
    seed: Seed = 0,
    workers: Workers = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Let everyone play everyone in all rotations of the seats, and rate them.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    agents
        All that take part, such as random, "mcts(iterations=1000)" or run:runs/c4.
    games
        How many games at least in each match.
    out
        A folder for all records and a picture; a tournament that was stopped goes on from there.
    """
    from tafl.experiments import tournament as play
    from tafl.games import load_game

    loaded = load_game(game)
    number, all_matches = count(1), comb(len(agents), loaded.facts.players)
    processes = cores() if workers is None else workers

    def ended(_: "Match") -> None:
        say_progress(f"match {next(number)} of {all_matches}")

    try:
        found = play(loaded, agents, games, starts, seed, processes, out, ended)
    except AgentError as error:
        if out is None:
            raise
        raise AgentError(f"{error}; the same command goes on from there") from error
    finally:
        say_progress("")
    if out is not None:
        from tafl.arena.picture import draw

        draw(found, out / "tournament.png")
    if json:
        print_json(document(found))
        return
    show(found)
    if out is not None:
        print(f"records and picture: {out}")


def document(found: "Tournament") -> dict[str, Any]:
    """All about a tournament, for JSON."""
    unit, ratings = found.game.facts.score_unit, found.ratings
    agents: list[dict[str, Any]] = []
    for i, (agent, payoff) in enumerate(zip(found.agents, found.payoffs, strict=True)):
        agents.append({"agent": agent, "payoff": payoff / unit})
        if ratings is not None:
            low, high = ratings.low[i], ratings.high[i]
            agents[-1] |= {"elo": ratings.elo[i], "low": low, "high": high}
    return {
        "game": found.game.name,
        "games": sum(len(match.records) for match in found.matches.values()),
        "different_games": sum(match.different_games for match in found.matches.values()),
        "agents": agents,
        "table": [[payoff / unit for payoff in row] for row in found.table],
    }


def show(found: "Tournament") -> None:
    """Prints ratings and payoffs, the best first."""
    result = document(found)
    key = "elo" if found.ratings is not None else "payoff"
    order = sorted(range(len(found.agents)), key=lambda i: -result["agents"][i][key])
    columns = ["", "agent", "mean score"]
    if found.ratings is not None:
        columns += ["rating", "95 % confidence"]
    rows = [[place, *_row(result["agents"][i])] for place, i in enumerate(order, start=1)]
    title = f"{result['game']}, {result['games']:,} games"
    print_table(columns, rows, title=title)
    if found.game.facts.players > 1:
        numbers = [str(place) for place in range(1, len(order) + 1)]
        pairs = [
            [found.agents[i], *(f"{result['table'][i][j]:.3g}" if i != j else "" for j in order)]
            for i in order
        ]
        print_table(["mean score with", *numbers], pairs)
    say_repeated(result)


def _row(agent: dict[str, Any]) -> list[Any]:
    row = [agent["agent"], agent["payoff"]]
    if "elo" in agent:
        row += [round(agent["elo"]), f"{agent['low']:.0f} to {agent['high']:.0f}"]
    return row
