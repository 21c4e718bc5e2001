"""`tafl match GAME AGENT AGENT ...`"""

from itertools import count
from typing import Annotated

from cyclopts import Parameter

from tafl.cli.interrupts import in_any_case
from tafl.cli.options import (
    SUCH_AGENTS,
    ContestOptions,
    GameText,
    RecordFile,
    say_progress,
    say_repeated,
)
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import AgentError
from tafl.files import check_writable


def match(
    game: GameText,
    /,
    *agents: Annotated[str, Parameter(help=f"One agent for each player{SUCH_AGENTS}")],
    options: ContestOptions | None = None,
    record: RecordFile = None,
    json: Json = False,
) -> None:
    """Let agents play a match, in every rotation of the roles."""
    from tafl.arena import match as play
    from tafl.arena.records import Notes, Record

    if record is not None:
        check_writable(record, "--record")
    notes, number = Notes(record) if record is not None else None, count(1)

    def played(one: Record) -> None:
        say_progress(f"game {next(number)}")
        if notes is not None:
            notes.add(one)

    def finish() -> None:
        say_progress("")
        if notes is not None:
            notes.finish()

    try:
        with in_any_case(finish):  # games that were played stay, also after Ctrl-C
            result = play(game, agents, **(options or ContestOptions()).how, played=played)
    except AgentError as error:
        if notes is None or not notes.records:
            raise
        raise AgentError(f"{error}; they are in {record}") from error.__cause__
    if json:
        print_json(result.document())
        return
    print_table(*result.table(), title=f"{result.game.name}, {len(result.records):,} games")
    if len(result.agents) == 2:
        print(f"p = {result.p_value():.3g} for equal agents; a draw counts as half a win")
    say_repeated(result.document())
