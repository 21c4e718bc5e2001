"""`tafl agents`"""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

if TYPE_CHECKING:
    from tafl.runs.champions import Strength


def agents(
    *,
    card: Annotated[
        str, Parameter(help="Show all that is known about the champion of a game.")
    ] = "",
    make: Annotated[
        str, Parameter(help="Train a champion for a game that has none; it is kept for this user.")
    ] = "",
    json: Json = False,
) -> None:
    """List the champions: trained agents that come with tafl.

    The agent `champion` is the one of the game that is played.
    """
    if make:
        _make(make, json)
        card = make
    from tafl.runs.champions import champion_file, champions, read_card
    from tafl.training.champion import card_rows

    names = [card] if card else champions()
    if card and card not in champions():
        known = ", ".join(champions()) or "none"
        raise InputError(f"--card {card}: no such champion; games that have one: {known}")
    files = [champion_file(name) for name in names]
    cards = [
        (name, file.stat().st_size, read_card(file))
        for name, file in zip(names, files, strict=True)
    ]
    if json:
        found = [{**one.model_dump(), "bytes": size} for _, size, one in cards]
        print_json(found[0] if card else found)
    elif card:
        print_table(["", ""], card_rows(files[0]), title=cards[0][2].game)
    else:
        rows = [(name, _strength(one.strength), size, one.command) for name, size, one in cards]
        print_table(["game", "strength", "bytes", "made by"], rows)


def _strength(found: list["Strength"]) -> str:
    """The most telling measurement."""
    return f"{found[0].measure}: {found[0].result}" if found else "not measured"


def _make(name: str, json: bool) -> None:
    """Trains a champion."""
    from tafl.training.champion import make_champion
    from tafl.training.progress import Progress, progress_for_person

    make_champion(name, Progress() if json else progress_for_person())
