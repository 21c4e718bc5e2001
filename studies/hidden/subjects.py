"""The games of the study, with the episodes of a training, and the ways to learn them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

RESULTS = Path(__file__).with_name("results.jsonl")
SEEDS = tuple(range(11, 21))
KUHN = "kuhn(players={})"
EXACT = {"algo": "regret"}
NO_FARL = {"algo": "regret", "td.farl_others": False}


class Points(NamedTuple):
    """Random n-tuples, without regard to neighbours."""

    number: int
    length: int

    @property
    def overrides(self) -> dict[str, Any]:
        """Return the settings that draw them."""
        network = {"tuples": "random-points", "number": self.number, "length": self.length}
        named = {f"network.{name}": value for name, value in network.items()}
        return {**EXACT, "regret.store": "n-tuples", **named}


@dataclass(frozen=True)
class Subject:
    """A game of the study."""

    title: str
    game: str
    episodes: int
    cells: int
    tuples: list[Points] = field(default_factory=list)

    @property
    def ways(self) -> list[dict[str, Any]]:
        """Return the settings of each way to learn it."""
        return [EXACT, NO_FARL, *(points.overrides for points in self.tuples)]


SUBJECTS = [
    Subject("Kuhn poker", KUHN.format(2), 1_000_000, 5, [Points(5, 3), Points(5, 4)]),
    Subject("Kuhn poker, 3 players", KUHN.format(3), 10_000_000, 8),
    Subject("Kuhn poker, 4 players", KUHN.format(4), 4_000_000, 11),
    Subject("Leduc poker", "leduc(players=2)", 20_000_000, 11),
    Subject("TicTacToe", "tictactoe", 4_000_000, 9),
    Subject("Liar's Dice", "liarsdice", 80_000_000, 14),
]


def trials() -> Iterator[tuple[Subject, dict[str, Any], int]]:
    """Yield everything to train: first what no other row needs long for."""
    for subject in SUBJECTS:
        for way in subject.ways:
            for seed in SEEDS:
                yield subject, way, seed
