"""`tafl replay FILE --game N`"""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from tafl.cli.options import AsPlayer, checked_view
from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError
from tafl.numbers import player as named
from tafl.numbers import points

if TYPE_CHECKING:
    from tafl.arena.records import Record
    from tafl.boards import State


File = Annotated[Path, Parameter(help="File written by --record, or a match of a tournament.")]


def replay(
    file: File,
    /,
    *,
    game: Annotated[int | None, Parameter(help="Number of the game (default: list all).")] = None,
    as_player: AsPlayer = None,
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
        _show(records[game], as_player, step, json)
    elif as_player is not None:
        raise InputError("--as-player shows one game: name it with --game")
    elif json:
        print_json({"file": str(file), "games": [asdict(r) for r in records.values()]})
    else:
        rows = [
            [r.number, ", ".join(r.agents), len(r.start) + len(r.moves), points(r.scores)]
            for r in records.values()
        ]
        print_table(["game", "agents", "moves", "scores"], rows, title=str(file))


def _show(record: "Record", viewer: int | None, step: bool, json: bool) -> None:
    positions: list[dict[str, Any]] = []
    before: State | None = None
    for number, (move, state) in enumerate(record.replay()):
        checked_view(state.game, viewer)
        told = move
        if before is not None and viewer is not None and move is not None:
            told = move if before.notices(viewer, move) else None
        drawing = state.drawn(viewer)
        cells = state.cells if viewer is None else state.seen_by(viewer)
        positions.append({"move": told, "cells": cells, "drawing": drawing})
        if not json:
            if before is not None:
                who = "opening" if number <= len(record.start) else record.agents[before.player]
                what = "a move it does not see" if told is None else state.game.action_name(told)
                print(f"{number}. {named(before.player)} ({who}): {what}")
            print(f"{drawing}\n")
            if step and not state.over:
                sys.stdin.readline()
        before = state
    if json:
        whole = asdict(record)
        if viewer is not None and before is not None and before.game.hides:
            whole |= dict.fromkeys(("start", "moves", "seed", "words"))  # they tell all
        print_json({**whole, "positions": positions})
    else:
        print("scores", points(record.scores))
