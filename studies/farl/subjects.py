"""The games of the study, the ways to learn them, and the runs that this makes."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from math import log
from pathlib import Path

from tafl.boards import Game, load_game
from tafl.errors import InputError
from tafl.reproduction.rows import VARIANTS, Variant
from tafl.settings.model import Settings
from tafl.settings.presets import defaults, random_tuples
from tafl.settings.tables import Fields, merged

PLAN = Path(__file__).with_name("plan.toml")
SEEDS = 10
MOST_TUPLES, MOST_BOARDS, MOST_WEIGHTS = 16, 24, 6_000_000  # of a network: runs are to be short
UNTRAINED = {
    "td": Variant("td-untrained", "TD, untrained"),
    "q": Variant("q-untrained", "Q, untrained", "q"),
}
NAMES = ["td-farl", "td-part-1", "td-part-2", "td-no-farl"]
NAMES += ["sarsa-farl", "sarsa-no-farl", "q-farl", "q-no-farl"]
WAYS = {name: VARIANTS[name] for name in NAMES} | {way.name: way for way in UNTRAINED.values()}


@dataclass(frozen=True)
class Subject:
    """A game of the study."""

    name: str
    title: str
    episodes: int
    games: int = 1000
    new: bool = False  # not used to find the rule

    @cached_property
    def game(self) -> Game:
        """Return the game itself."""
        return load_game(self.name)

    @property
    def ways(self) -> list[Variant]:
        """Return its ways to learn; with one player FARL is part 2, which SARSA and Q lack."""
        if self.game.facts.players == 1:
            return [WAYS[name] for name in ("td-farl", "td-no-farl", "td-untrained")]
        return list(WAYS.values())

    def settings(self, way: Variant, seed: int) -> Settings:
        """Return all settings of a run."""
        tree: Fields = {"game": self.game.name, "algo": way.algo, "seed": seed}
        tree["td"] = {"farl_others": way.others, "farl_terminal": way.terminal}
        usual = defaults(self.game, self.episodes)
        usual["network"] |= self._network(random_tuples(self.game.facts))
        return Settings.of(merged(usual, tree))

    def _network(self, usual: Fields) -> Fields:
        """Return random n-tuples, with number, length and symmetric boards as usual, or fewer.

        A single n-tuple has all cells: then the network is a table of all positions.
        """
        facts, number = self.game.facts, min(usual["number"], MOST_TUPLES)
        fits = int(log(MOST_WEIGHTS / (facts.players * facts.actions * number), facts.values))
        length = usual["length"] if number == 1 else max(2, min(usual["length"], fits))
        boards = MOST_BOARDS if len(facts.symmetries) > MOST_BOARDS else True
        return {**usual, "number": number, "length": length, "symmetries": boards}


@cache
def subjects() -> dict[str, Subject]:
    """Return all games by their names."""
    found = [Subject(**tree) for tree in tomllib.loads(PLAN.read_text("utf-8"))["game"]]
    return {subject.name: subject for subject in found}


@dataclass(frozen=True)
class Trial:
    """A run to be made."""

    subject: Subject
    way: Variant
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """Return what it is stored under."""
        return self.subject.name, self.way.name, self.seed


def trials(
    names: list[str] | None = None, learners: list[str] | None = None, seeds: int | None = None
) -> list[Trial]:
    """Return all runs, or those of some games, some ways to learn, or fewer seeds."""
    _check("--rows", names, subjects())
    _check("--learners", learners, WAYS)
    return [
        Trial(subject, way, seed)
        for subject in subjects().values()
        if names is None or subject.name in names
        for way in subject.ways
        if learners is None or way.name in learners
        for seed in range(1, (seeds or SEEDS) + 1)
    ]


def _check(option: str, names: list[str] | None, known: Iterable[str]) -> None:
    """Refuse a name that nothing has."""
    for name in names or []:
        if name not in known:
            raise InputError(f"{option} {name}: unknown; available: {', '.join(known)}")
