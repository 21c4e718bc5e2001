"""`tafl replay FILE --game N`"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError
from tafl.numbers import player as named
from tafl.numbers import points

if TYPE_CHECKING:
    from tafl.arena.records import Record


File = Annotated[Path, Parameter(help="File written by --record, or a match of a tournament.")]


def replay(
    file: File,
    /,
    *,
    game: Annotated[int | None, Parameter(help="Number of the game (default: list all).")] = None,
    step: Annotated[bool, Parameter(help="Wait for Enter after each position.")] = False,
    json: Json = False,
) -> None:
    """List recorded games, or show one of them move by move."""
    from tafl.arena.records import read_records

    records = {record.number: record for record in read_records(file)}
    if game is not None:
        if game not in records:
            known = f"games {min(records)} to {max(records)}" if records else "no games"
            raise InputError(f"--game {game}: {file} has {known}")
        _show(records[game], step, json)
    elif json:
        print_json({"file": str(file), "games": [asdict(r) for r in records.values()]})
    else:
        rows = [
            [r.number, ", ".join(r.agents), len(r.start) + len(r.moves), points(r.scores)]
            for r in records.values()
        ]
        print_table(["game", "agents", "moves", "scores"], rows, title=str(file))


def _show(record: "Record", step: bool, json: bool) -> None:
    positions: list[dict[str, Any]] = []
    player = 0
    for number, (move, state) in enumerate(record.replay()):
        positions.append({"move": move, "cells": state.cells, "drawing": str(state)})
        if json:
            continue
        if move is not None:
            who = "opening" if number <= len(record.start) else record.agents[player]
            mover = named(player)
            print(f"{number}. {mover} ({who}): {state.game.action_name(move)}")
        print(f"{state}\n")
        player = state.player
        if step and not state.over:
            sys.stdin.readline()
    if json:
        print_json({**asdict(record), "positions": positions})
    else:
        print("scores", points(record.scores))
