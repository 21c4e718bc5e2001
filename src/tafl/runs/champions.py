"""Champions: trained agents that come with tafl, at most one for a game, each with a card.

champions/GAME.safetensors is the file of an agent with compact weights (small.py). Its header also
holds the card: how the agent was made, and how strong it is.
studies/make/champions.py makes them. Where that file would be too large to come with tafl,
`tafl agents --make GAME` makes one for this user.
"""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from tafl.agents.learned import LearnedAgent
from tafl.agents.regret import with_network
from tafl.boards import Game
from tafl.core.games import GAMES
from tafl.errors import InputError
from tafl.files import replacing, to_json
from tafl.runs.checkpoint import read_sound
from tafl.runs.run import Run
from tafl.runs.small import POSITIONS, fewest_bits, keep_most_used, packed
from tafl.runs.tensors import DamagedError, read_metadata, write_tensors
from tafl.runs.trained_agents import load_agent, plain_weights, uses
from tafl.settings.sections import Section

FOLDER = Path(__file__).parent / "champions"
SEARCHES = FOLDER / "searches.json"  # the search that is recommended with each
LARGEST = 5_000_000  # bytes of a file that comes with tafl


class Strength(Section):
    """A measurement, for people: what, and the result with its standard error."""

    measure: str
    result: str


class Card(Section):
    """The card of a champion: its training, strength and limits."""

    game: str
    command: str  # that trains it again
    chosen: str  # why this run
    episodes: int
    seconds: float  # of training
    machine: str
    settings: dict[str, Any]
    active: int  # weights that are not 0
    left_out: int = 0  # weights that were used least, for which there was no room
    bits: int  # of each of them
    strength: list[Strength]  # the most telling first
    limits: str

    @property
    def rounding(self) -> str:
        """Describe the rounding of the weights, and how many were left out."""
        without = f"; {self.left_out:,} that were used least are left out" if self.left_out else ""
        if self.bits == 16:
            return f"16 bits a weight, which changes no move in {POSITIONS:,} positions{without}"
        return f"32 bits a weight, as 16 would change moves{without}"


def champion(game: Game, seed: int = 0) -> LearnedAgent:
    """`champion`: the agent that came with tafl for a game."""
    kind = _kind(game)
    if kind not in champions():
        known = ", ".join(champions()) or "none"
        make = f"; tafl agents --make {kind} makes one" if kind in GAMES else ""
        raise InputError(f"{game.name} has no champion; games that have one: {known}{make}")
    agent = with_network(load_agent(champion_file(kind)))
    if agent.game != game:
        raise InputError(f"the champion plays {agent.game.name}, not {game.name}")
    return LearnedAgent(agent.game, agent.net, agent.td, seed, "champion")


def has_champion(game: Game) -> bool:
    """Tell whether this game, with these parameters, has a champion."""
    kind = _kind(game)
    return kind in champions() and read_card(champion_file(kind)).game == game.name


def champions() -> list[str]:
    """Return the games that have a champion."""
    return [name for name in GAMES if champion_file(name).is_file()]


def champion_file(name: str) -> Path:
    """Return the file of a champion: the one that came with tafl, or else one made here."""
    came, made = (folder / f"{name}.safetensors" for folder in (FOLDER, made_here()))
    return made if made.is_file() and not came.is_file() else came


def made_here() -> Path:
    """Return the folder of champions that this user made, in $TAFL_DATA_DIR or the data folder."""
    from platformdirs import user_data_path

    chosen = os.environ.get("TAFL_DATA_DIR")
    return (Path(chosen) if chosen else user_data_path("tafl")) / "champions"


def _kind(game: Game) -> str:
    return game.name.partition("(")[0]


def read_card(path: Path) -> Card:
    """Return the card in a file that is what was written."""
    try:
        read_sound(path)
        with path.open("rb") as file:
            return Card.model_validate_json(read_metadata(file)["card"])
    except DamagedError as error:
        raise InputError(f"{path} is not the file of a champion: {error}") from None
    except (KeyError, ValidationError):
        raise InputError(f"{path} is not the file of a champion: it has no valid card") from None


def recommended_search(name: str) -> str:
    """Return the recommended search around a champion, with its strength, if it was measured."""
    found: dict[str, dict[str, str]] = json.loads(SEARCHES.read_text(encoding="utf-8"))
    about = found.get(name, {"command": "", "search": ""})
    same = about["command"] == read_card(champion_file(name)).command
    return about["search"] if same else ""


def save_champion(
    run: Run,
    path: Path,
    command: str,
    chosen: str,
    strength: list[Strength],
    limits: str,
    largest: float | None = None,
) -> Card:
    """Write the agent of a run with its card, in as few bits as its moves allow.

    If there is no room for all weights, those that were used least are left out.
    """
    header, weights = plain_weights(run)
    bits = fewest_bits(with_network(run.agent))
    whole = packed(weights, bits)
    arrays = _fitted(run, weights, bits, whole, LARGEST if largest is None else largest)
    where = run.environment
    card = Card(
        game=run.game.name,
        command=command,
        chosen=chosen,
        episodes=header.episode,
        seconds=round(header.seconds, 1),
        machine=where.get("gpu") or where.get("processor", "not known"),
        settings=run.settings.tree(),
        active=arrays["values"].size,
        left_out=whole["values"].size - arrays["values"].size,
        bits=bits,
        strength=strength,
        limits=limits,
    )
    with replacing(path, "wb") as file:
        write_tensors(file, arrays, header.metadata() | {"card": to_json(card.model_dump())})
    return card


def _fitted(
    run: Run, weights: np.ndarray, bits: int, arrays: dict[str, np.ndarray], largest: float
) -> dict[str, np.ndarray]:
    """Return compact weights; if they are too large, without those that were used least."""
    if _size(arrays) <= largest:
        return arrays
    kept, used = weights.copy(), uses(run)
    while (size := _size(arrays)) > largest:
        count = int(arrays["values"].size * min(0.99, largest / size))
        if count == 0:
            raise InputError(
                f"{run.path} has no room in a champion of at most {largest:,} bytes; "
                "use tafl export"
            )
        keep_most_used(kept, used, count)
        arrays = packed(kept, bits)
    return arrays


def _size(arrays: dict[str, np.ndarray]) -> int:
    return sum(array.nbytes for array in arrays.values())
