"""The reproduction as data: rows, variants of learning, and evaluations (table1.toml)."""

import json
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from tafl.boards import load_game
from tafl.errors import InputError
from tafl.settings.model import Settings
from tafl.settings.presets import compose
from tafl.settings.tables import Fields

Cell = tuple[float, float]  # mean and standard error
Points = list[list[float]]  # episodes, mean, standard error


@dataclass(frozen=True)
class Judgement:
    """An evaluation of an agent."""

    opponent: str
    games: int
    starts: str | int | None
    roles: Literal["all", "first"]


@dataclass(frozen=True)
class Number:
    """A number of the table; pairs are with and without FARL."""

    opponent: str
    games: int
    label: str = ""
    starts: str | int | None = None
    roles: Literal["all", "first"] = "all"
    sharp: int = 0
    sharp_starts: str | int | None = None
    curve: int = 0
    slow: bool = False  # left out of quick runs
    ideal: float | None = None
    paper: tuple[str, str] | None = None
    log: tuple[Cell, Cell] | None = None
    log_between: tuple[int, int] | None = None  # episodes
    log_curves: tuple[str, str] | None = None
    sarsa_log: tuple[Cell, Cell] | None = None
    sarsa_log_curves: tuple[str, str] | None = None
    other: str = ""

    @property
    def name(self) -> str:
        """Return the name in tables."""
        return self.label or f"against `{self.opponent}`"

    @property
    def as_authors(self) -> Judgement:
        """Return the evaluation of the authors."""
        return Judgement(self.opponent, self.games, self.starts, self.roles)

    @property
    def sharply(self) -> Judgement:
        """Return an evaluation whose error is smaller than the spread of runs."""
        starts = self.sharp_starts or self.starts
        return Judgement(self.opponent, self.sharp or self.games, starts, self.roles)


@dataclass(frozen=True)
class Row:
    """A game of the table."""

    name: str
    game: str
    title: str
    measure: Literal["score", "win rate", "reward"]
    every: int
    quick: int
    moves: tuple[int, int]
    numbers: Annotated[tuple[Number, ...], Field(alias="number")]
    seeds: int = 10
    extra_seeds: int = 10
    episodes: int | None = None
    at_a_time: int = 26  # games of an agent on a GPU, where twenty agents train at a time
    td: Fields = field(default_factory=dict)

    @property
    def of_curve(self) -> list[Number]:
        """Return the numbers of the learning curve."""
        return [number for number in self.numbers if number.curve]


@dataclass(frozen=True)
class Variant:
    """A variant of learning."""

    name: str
    title: str
    algo: str = "td"
    others: bool = True  # part 1 of FARL
    terminal: bool = True  # part 2
    preset: str = "as-run"

    @property
    def farl(self) -> bool:
        """Tell whether a part of FARL is on."""
        return self.others or (self.terminal and self.algo == "td")


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("td-farl", "TD, FARL"),
        Variant("td-no-farl", "TD, no FARL", others=False, terminal=False),
        Variant("sarsa-farl", "SARSA, FARL", "sarsa"),
        Variant("sarsa-no-farl", "SARSA, no FARL", "sarsa", others=False),
        Variant("q-farl", "Q, FARL", "q"),
        Variant("q-no-farl", "Q, no FARL", "q", others=False),
        Variant("td-part-1", "TD, only the other players' adaptation", terminal=False),
        Variant("td-part-2", "TD, only the terminal state's adaptation", others=False),
        Variant("paper-farl", "TD, FARL, preset paper", preset="paper"),
        Variant(
            "paper-no-farl", "TD, no FARL, preset paper", others=False, terminal=False,
            preset="paper",
        ),
    )
}  # fmt: skip
MAIN = ("td-farl", "td-no-farl")
WITH_ACTIONS = ("tictactoe", "nim", "nim3p", "connectfour", "hex")  # SARSA and Q, too
FIGURE_3 = "fig3"  # the only row that is not one of Table 1


@cache
def rows() -> dict[str, Row]:
    """Return all rows by their names."""
    text = files(__package__).joinpath("table1.toml").read_text(encoding="utf-8")
    found = TypeAdapter(list[Row]).validate_python(tomllib.loads(text)["row"])
    return {row.name: row for row in found}


def table_rows() -> list[Row]:
    """Return the rows of Table 1."""
    return [row for row in rows().values() if row.name != FIGURE_3]


def numbers() -> list[tuple[Row, Number]]:
    """Return the numbers of Table 1, row by row."""
    return [(row, number) for row in table_rows() for number in row.numbers]


@cache
def authors_curves() -> dict[str, Points]:
    """Return the authors' learning curves by their names."""
    text = files(__package__).joinpath("authors.json").read_text(encoding="utf-8")
    curves: dict[str, Points] = json.loads(text)["curves"]
    return curves


@dataclass(frozen=True)
class Job:
    """A run to train, evaluate and store."""

    row: Row
    variant: Variant
    seed: int
    quick: bool = False
    device: str = "cpu"

    @property
    def name(self) -> str:
        """Return the path of its result, below the folder of results."""
        return f"{self.row.name}/{self.variant.name}/seed-{self.seed}"

    def settings(self) -> Settings:
        """Return all settings of the run."""
        row, variant = self.row, self.variant
        # all numbers of a curve have the same evaluation
        ((games, starts, roles),) = {(n.curve, n.starts, n.roles) for n in row.of_curve}
        opponents = [number.opponent for number in row.of_curve]
        every, episodes = (row.quick, row.quick) if self.quick else (row.every, row.episodes)
        judged: Fields = {"every": every, "opponents": opponents, "games": games}
        judged |= {"starts": starts, "roles": roles}
        tree: Fields = {"algo": variant.algo, "seed": self.seed, "episodes": episodes}
        if self.device == "cuda":
            tree |= {"device": "cuda", "threads": row.at_a_time}
        tree["evaluation"] = _given(judged)
        farl = {"farl_others": variant.others, "farl_terminal": variant.terminal}
        if variant.algo == "td":
            tree["td"] = {**row.td, **farl}
        elif not variant.others:
            tree["td"] = dict.fromkeys(farl, False)
        return compose(load_game(row.game), variant.preset, None, _given(tree))


def _given(tree: Fields) -> Fields:
    return {key: value for key, value in tree.items() if value is not None}


FARLS = ("farl", "no-farl")
PARTS = ("td-part-1", "td-part-2")


def pairs_of(what: str) -> list[tuple[str, str]]:
    """Return rows and variants of a result of the paper, the most important first.

    The parts of FARL come last; they are trained only on request.
    """
    table = [row.name for row in table_rows()]
    if what == "fig3":
        return [(FIGURE_3, f"{algo}-{farl}") for algo in ("td", "sarsa") for farl in FARLS]
    if what == "report":
        return []
    if what == "fig4":
        return [("connectfour", variant) for variant in MAIN]
    main = [(row, variant) for variant in MAIN for row in table]
    actions = [f"{algo}-{farl}" for algo in ("sarsa", "q") for farl in FARLS]
    main += [(row, variant) for variant in actions for row in WITH_ACTIONS]
    main += [(row, f"paper-{farl}") for farl in FARLS for row in table]
    # with a single player, part 2 is all of FARL
    return [*main, *((row, part) for part in PARTS for row in table if row != "2048")]


def jobs_of(
    what: str,
    names: list[str] | None = None,
    seeds: int | None = None,
    quick: bool = False,
    learners: list[str] | None = None,
    device: str = "cpu",
) -> list[Job]:
    """Return the runs of a result of the paper, or those of some rows and variants."""
    pairs = pairs_of(what)
    _check("--rows", names, [row for row, _ in pairs])
    _check("--learners", learners, [variant for _, variant in pairs])
    pairs = [
        (row, way) for row, way in pairs if (way in learners if learners else way not in PARTS)
    ]
    jobs = []
    for name, variant in pairs:
        row = rows()[name]
        main = variant in MAIN or what == "fig3"
        usual = row.seeds if main else row.extra_seeds
        if quick:
            usual = 2 if main else 1
        count = seeds or usual
        if names is None or name in names:
            way = VARIANTS[variant]
            jobs += [Job(row, way, seed, quick, device) for seed in range(1, count + 1)]
    return jobs


def _check(option: str, names: list[str] | None, known: list[str]) -> None:
    """Refuse an unknown name."""
    there = list(dict.fromkeys(known))
    for name in names or []:
        if name not in there:
            raise InputError(f"{option} {name}: unknown; available: {', '.join(there)}")
