"""`tafl agents`"""

from typing import Annotated

from cyclopts import Parameter

from tafl.cli.output import Json, print_json, print_table
from tafl.errors import InputError

CARD = "Show the card of this game's champion: training, strength, recommended search."
MAKE = "Train a champion for this game, which has none."


def agents(
    *,
    card: Annotated[str, Parameter(show_default=False, help=CARD)] = "",
    make: Annotated[str, Parameter(show_default=False, help=MAKE)] = "",
    json: Json = False,
) -> None:
    """List the champions: trained agents that come with tafl.

    Write `champion` wherever an agent is expected. --make stores its champion in your data folder.
    """
    from tafl.runs.champions import champion_file, champions, read_card
    from tafl.training.champion import card_rows, make_champion
    from tafl.training.progress import Progress, progress_for_person

    if make:
        make_champion(make, Progress() if json else progress_for_person())
        card = make
    if card and card not in champions():
        known = ", ".join(champions()) or "none"
        raise InputError(f"--card {card}: no such champion; games that have one: {known}")
    files = {name: champion_file(name) for name in ([card] if card else champions())}
    cards = {name: read_card(file) for name, file in files.items()}
    sizes = {name: file.stat().st_size for name, file in files.items()}
    if json:
        found = [{**cards[name].model_dump(), "bytes": sizes[name]} for name in cards]
        print_json(found[0] if card else found)
    elif card:
        print_table(["", ""], card_rows(files[card]), title=cards[card].game)
    else:
        rows = []
        for name, one in cards.items():
            best = one.strength[0] if one.strength else None  # the most telling measurement
            strength = f"{best.measure}: {best.result}" if best else "not measured"
            rows.append([name, strength, sizes[name], one.command])
        print_table(["game", "strength", "bytes", "made by"], rows)
