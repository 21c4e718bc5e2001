"""What is trained: the games, the networks, and how long they learn."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tafl
from studies.records import Measurement
from tafl.settings.presets import compose
from tafl.settings.values import LINES

RESULTS = Path(__file__).with_name("results.jsonl")
RUNS = Path("runs") / "approximators"  # references
REFERENCE_SEED, PART = 1000, 6  # a reference has this part of the episodes that are usual
FARL_OFF = {"td.farl_others": False, "td.farl_terminal": False}

# Networks by their names on the page, as overrides of the settings that `tafl train GAME` uses.
NETWORKS: dict[str, dict[str, Any]] = {
    "n-tuples": {},
    "random": {"network.tuples": "random-walk", "network.length": 8},  # and one for each cell
    "lines": {"network.tuples": "lines"},
    "linear": {"network.kind": "linear"},
    "mlp 16": {"network.kind": "mlp", "network.units": 16},
    "mlp 64": {"network.kind": "mlp", "network.units": 64},
    "mlp 256": {"network.kind": "mlp", "network.units": 256},
}
WITHOUT_FARL = ("n-tuples", "lines", "linear", "mlp 64")
EQUAL_EPISODES = ("lines", "linear", "mlp 64")  # trained once more, as long as n-tuples
MORE = ("n-tuples", "mlp 64")


@dataclass(frozen=True)
class Subject:
    """A game, how its agents are measured, and how long they learn."""

    name: str
    measure: str  # "solved": right moves; "exact", "reference": mean score against these agents
    seconds: float  # of processor time
    seeds: int
    games: int = 0  # of the measurement
    more_seeds: int = 0  # of the networks in MORE

    @property
    def folder(self) -> Path:
        """Return the folder of the reference: an agent with usual settings."""
        return RUNS / self.name.partition("(")[0]

    @property
    def opponent(self) -> str:
        """Return what agents play against."""
        return f"run:{self.folder}" if self.measure == "reference" else self.measure

    @property
    def has_lines(self) -> bool:
        """Tell whether the rules state lines."""
        return bool(tafl.game(self.name).facts.lines)

    @property
    def uses_lines(self) -> bool:
        """Tell whether the usual n-tuples are lines of the game, and cells around them."""
        return compose(tafl.game(self.name)).network.tuples == LINES

    @property
    def networks(self) -> list[str]:
        """Return the networks that suit the game."""
        unfit = {"random"} if not self.uses_lines else set[str]()
        return [n for n in NETWORKS if n not in unfit and (n != "lines" or self.has_lines)]

    def overrides(self, network: str) -> dict[str, Any]:
        """Return the settings of a network for this game."""
        cells = tafl.game(self.name).facts.cells
        return NETWORKS[network] | ({"network.number": cells} if network == "random" else {})


SUBJECTS = [
    Subject("tictactoe", "exact", seconds=2, seeds=5, games=200, more_seeds=10),
    Subject("connectfour", "solved", seconds=12, seeds=5, more_seeds=10),
    Subject("hex(size=6)", "solved", seconds=5, seeds=5),
    Subject("othello", "solved", seconds=5, seeds=5),
    Subject("nim3p", "exact", seconds=2, seeds=5, games=240),
    Subject("connectfour3p", "reference", seconds=5, seeds=5, games=300),
    Subject("gomoku", "reference", seconds=5, seeds=5, games=200),
    Subject("yavalath", "reference", seconds=5, seeds=5, games=200),
    Subject("breakthrough", "reference", seconds=5, seeds=5, games=200),
    Subject("kalah", "reference", seconds=5, seeds=5, games=200),
]


@dataclass(frozen=True)
class Trial:
    """One training."""

    subject: Subject
    network: str
    farl: bool
    seed: int
    equal: str  # time; or episodes, those that n-tuples had in the time with the same seed

    @property
    def overrides(self) -> dict[str, Any]:
        """Return the settings that differ from the usual ones."""
        return {**self.subject.overrides(self.network), **({} if self.farl else FARL_OFF)}

    @property
    def condition(self) -> dict[str, Any]:
        """Return what stands in the records besides fields of their own."""
        return {"network": self.network, "equal": self.equal}

    def is_of(self, one: Measurement) -> bool:
        """Tell whether a measurement is of this training."""
        mine = self.subject.name, self.seed, self.overrides
        known = {name: one.condition.get(name) for name in self.condition}
        return (one.game, one.seed, one.overrides) == mine and known == self.condition


def trials() -> Iterator[Trial]:
    """Yield all trainings: every seed of all games before the next one."""
    for seed in range(1, 1 + max(max(one.seeds, one.more_seeds) for one in SUBJECTS)):
        for equal in ("time", "episodes"):  # n-tuples come first
            for network in NETWORKS:
                for subject in SUBJECTS:
                    yield from _of_seed(subject, network, seed, equal)


def _of_seed(subject: Subject, network: str, seed: int, equal: str) -> Iterator[Trial]:
    more = network in MORE and equal == "time"
    if network not in subject.networks or seed > (
        max(subject.seeds, subject.more_seeds) if more else subject.seeds
    ):
        return
    if equal == "time" or network in EQUAL_EPISODES:
        yield Trial(subject, network, True, seed, equal)
    if equal == "time" and network in WITHOUT_FARL:
        yield Trial(subject, network, False, seed, equal)
