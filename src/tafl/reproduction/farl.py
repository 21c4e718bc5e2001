"""What FARL is worth, game by game: short runs with it, with each part alone, and without it.

All games are learned with the settings that any game gets, for about a second; an agent plays
naive players, which take the highest reward in sight, in all roles. Each run is a line of
results/farl.jsonl, written when it is judged.
"""

import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import log
from pathlib import Path
from statistics import mean

import numpy as np

from tafl.boards import Game, load_game
from tafl.core.learn.work import make_work
from tafl.core.play.naive import make_naive, play_naive_players
from tafl.errors import InputError
from tafl.reproduction.lines import append_line, read_lines
from tafl.reproduction.rows import VARIANTS, Variant
from tafl.runs.folder import environment
from tafl.settings.build import make_tuples
from tafl.settings.model import Settings
from tafl.settings.presets import defaults
from tafl.settings.seeds import EVALUATION, stream
from tafl.settings.tables import Fields, merged
from tafl.training.learner import Learner
from tafl.training.progress import Progress

STORE = "farl.jsonl"
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
        """The game itself."""
        return load_game(self.name)

    @property
    def ways(self) -> list[Variant]:
        """How it is learned; for one player FARL is part 2, which SARSA and Q do not have."""
        if self.game.facts.players == 1:
            return [WAYS[name] for name in ("td-farl", "td-no-farl", "td-untrained")]
        return list(WAYS.values())

    def settings(self, way: Variant, seed: int) -> Settings:
        """All settings of a run."""
        tree: Fields = {"game": self.game.name, "algo": way.algo, "seed": seed}
        tree["td"] = {"farl_others": way.others, "farl_terminal": way.terminal}
        usual = defaults(self.game, self.episodes)
        usual["network"] |= self._size(usual["network"])
        return Settings.of(merged(usual, tree))

    def _size(self, usual: Fields) -> Fields:
        """Number and length of n-tuples, and symmetric boards: as usual, or fewer.

        A single n-tuple has all cells: then the network is a table of all positions.
        """
        facts, number = self.game.facts, min(usual["number"], MOST_TUPLES)
        fits = int(log(MOST_WEIGHTS / (facts.players * facts.actions * number), facts.values))
        length = usual["length"] if number == 1 else max(2, min(usual["length"], fits))
        boards = MOST_BOARDS if len(facts.symmetries) > MOST_BOARDS else True
        return {"number": number, "length": length, "symmetries": boards}


@cache
def subjects() -> dict[str, Subject]:
    """All games by their names."""
    text = files(__package__).joinpath("farl.toml").read_text(encoding="utf-8")
    found = [Subject(**tree) for tree in tomllib.loads(text)["game"]]
    return {subject.name: subject for subject in found}


@dataclass(frozen=True)
class Trial:
    """A run to be made."""

    subject: Subject
    way: Variant
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is stored under."""
        return self.subject.name, self.way.name, self.seed


def trials(
    names: list[str] | None = None, learners: list[str] | None = None, seeds: int | None = None
) -> list[Trial]:
    """All runs, or those of some games, some ways to learn, or fewer seeds."""
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
    """Refuses a name that nothing has."""
    for name in names or []:
        if name not in known:
            raise InputError(f"{option} {name}: unknown; available: {', '.join(known)}")


def make_missing(wanted: list[Trial], results: Path, progress: Progress) -> None:
    """Trains and judges what is not stored; each run is stored as it ends."""
    done = {key(line) for line in load_runs(results)}
    missing = [trial for trial in wanted if trial.key not in done]
    progress.say(f"{len(wanted) - len(missing)} of {len(wanted)} runs are already stored")
    for trial in missing:
        line = outcome(trial)
        append_line(results / STORE, line)
        progress.say(f"{line['game']}, {line['way']}, seed {line['seed']}: {line['value']:.4f}")


def outcome(trial: Trial) -> Fields:
    """Trains a run and judges its agent."""
    subject, way = trial.subject, trial.way
    settings = subject.settings(way, trial.seed)
    learner = Learner(subject.game, settings, make_tuples(subject.game, settings))
    learner.compile()
    began = time.perf_counter()
    if way not in UNTRAINED.values():
        learner.learn(settings.episodes)
    seconds = time.perf_counter() - began
    roles = scores_by_role(learner, subject.games, stream(trial.seed, EVALUATION))
    return {
        "game": subject.name,
        "way": way.name,
        "seed": trial.seed,
        "episodes": learner.episode,
        "moves": learner.moves,
        "seconds": round(seconds, 4),
        "value": float(f"{mean(roles):.6g}"),
        "processor": environment()["processor"],
    }


def scores_by_role(learner: Learner, games: int, rng: np.ndarray) -> list[float]:
    """The mean score of an agent in each role against naive players, in points."""
    game = learner.game
    facts, rounds = game.facts, max(1, games // game.facts.players)
    totals, work = np.zeros(facts.players), make_work(facts, learner.net)
    play_naive_players(
        game.rules, learner.net, learner.td, work, make_naive(facts), rounds, rng, totals
    )
    return [game.points(total / rounds) for total in totals]


def load_runs(results: Path) -> list[Fields]:
    """All stored runs."""
    return read_lines(results / STORE)


def key(line: Fields) -> tuple[str, str, int]:
    """What a line is stored under."""
    return line["game"], line["way"], line["seed"]
