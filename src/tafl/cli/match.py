"""`tafl match GAME AGENT AGENT ...`"""

from itertools import combinations, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tafl.cli.contests import Starts, Workers, check_record, cores, say_progress, say_repeated
from tafl.cli.moves import Seed
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import AgentError

if TYPE_CHECKING:
    from tafl.arena import Match


def match(
    game: str,
    /,
    *agents: str,
    games: int = 100,
    starts: Starts = "start",
    seed: Seed = 0,
    workers: Workers = None,
    record: Path | None = None,
    json: Json = False,
) -> None:
    """Let agents play each other in all rotations of the seats.

    Parameters
    ----------
    game
        A name such as hex(size=6), or a file of your own.
    agents
        As many as the game has players, such as random, "mcts(iterations=1000)" or run:runs/c4.
    games
        How many games at least; every start gets as many in every rotation.
    record
        A file for the records of all games, as `tafl replay` reads it.
    """
    from tafl.arena.records import Notes, Record
    from tafl.experiments import match as play

    check_record(record)
    notes, number = Notes(record) if record is not None else None, count(1)

    def played(one: Record) -> None:
        say_progress(f"game {next(number)}")
        if notes is not None:
            notes.add(one)

    processes = cores() if workers is None else workers
    try:
        result = play(game, agents, games, starts, seed, processes, played)
    except AgentError as error:
        if notes is None or not notes.records:
            raise
        raise AgentError(f"{error}, and are in {record}") from error.__cause__
    finally:  # what was played stays, also after Ctrl-C
        say_progress("")
        if notes is not None:
            notes.finish()
    if json:
        print_json(document(result))
    else:
        show(result)


def document(result: "Match") -> dict[str, Any]:
    """All about a match, for JSON."""
    unit = result.game.facts.score_unit
    measures = (result.payoffs, result.standard_errors, result.win_rates, result.roles)
    return {
        "game": result.game.name,
        "games": len(result.records),
        "different_games": result.different_games,
        "starts": result.starts,
        "seed": result.seed,
        "agents": [
            {
                "agent": agent,
                "payoff": payoff / unit,
                "standard_error": error / unit,
                **({"win_rate": wins} if len(result.agents) > 1 else {}),
                "roles": [mean / unit for mean in roles],
            }
            for agent, payoff, error, wins, roles in zip(result.agents, *measures, strict=True)
        ],
        "p_values": [
            {"agents": pair, "p": result.p_value(*pair)}
            for pair in combinations(range(len(result.agents)), 2)
        ],
    }


def show(result: "Match") -> None:
    """Prints a match as a table."""
    found = document(result)
    seats = range(len(result.agents))
    columns = ["agent", "mean score", "standard error", "win rate"]
    rows = [
        [a["agent"], a["payoff"], a["standard_error"], a.get("win_rate", ""), *a["roles"]]
        for a in found["agents"]
    ]
    title = f"{found['game']}, {found['games']:,} games"
    print_table([*columns, *(f"as player {seat}" for seat in seats)], rows, title=title)
    if len(seats) == 2:
        p = found["p_values"][0]["p"]
        print(f"p = {p:.3g} for equal agents; a draw counts half a win")
    say_repeated(found)
