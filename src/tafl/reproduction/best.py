"""As strong as a game allows: trials, the presets `best`, and a page from what is stored.

Runs are short; each is a line of results/best.jsonl, written when it is judged.
"""

import time
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from pathlib import Path
from statistics import mean
from string import Template
from typing import Literal

from tafl.agents import make_agent
from tafl.agents.learned import LearnedAgent
from tafl.arena.expected import expected_scores
from tafl.arena.statistics import standard_error
from tafl.boards import load_game
from tafl.errors import InputError
from tafl.files import replacing
from tafl.reproduction.cells import markdown_table, with_error
from tafl.reproduction.lines import append_line, read_lines
from tafl.reproduction.played import alike, change, played_tables, seeds, time_of
from tafl.reproduction.searched import load_searches, openings, section, traps
from tafl.reproduction.strong import ERRORS, strength_table
from tafl.runs.champions import champion_file, champions, read_card, recommended_search
from tafl.runs.folder import environment
from tafl.settings.tables import Fields, joined, parse_assignments
from tafl.training.learner import Learner
from tafl.training.plan import Plan, prepare
from tafl.training.progress import Progress, duration

STORE = "best.jsonl"
PRESET = "best"
FRESH = range(101, 111)  # seeds of the preset; trials have lower ones
SAME = 1e-9  # two results that differ by less are equal


@dataclass(frozen=True)
class Goal:
    """A game, how its agents are judged, and what is tried."""

    name: str
    title: str
    starts: str
    measure: Literal["win rate", "reward"]
    ideal: float
    seeds: int
    longer: str
    trials: list[str]

    def judged(self, agent: LearnedAgent) -> float:
        """The mean over all roles against exact play, computed."""
        exact = make_agent("exact", agent.game)
        score = mean(expected_scores(agent, exact, self.starts))
        return (score + 1) / 2 if self.measure == "win rate" else score

    def cell(self, value: float, error: float = float("nan")) -> str:
        """A value as people write it."""
        if self.measure == "win rate":
            return with_error(100 * value, 100 * error, ".2f") + " %"
        return with_error(value, error, ".3f")


@dataclass(frozen=True)
class Attempt:
    """A run to be made: the preset `best`, or as-run with a change."""

    goal: Goal
    trial: str | None  # None: the preset
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """What it is stored under."""
        return self.goal.name, PRESET if self.trial is None else self.trial, self.seed

    def plan(self) -> Plan:
        """What is to be trained."""
        seed: Fields = {"seed": self.seed}
        if self.trial is None:
            return prepare(self.goal.name, PRESET, None, seed)
        return prepare(
            self.goal.name, "as-run", None, joined(parse_assignments(self.trial.split()), seed)
        )


@cache
def goals() -> dict[str, Goal]:
    """All games by their names."""
    text = files(__package__).joinpath("best.toml").read_text(encoding="utf-8")
    found = [Goal(**tree) for tree in tomllib.loads(text)["game"]]
    return {goal.name: goal for goal in found}


def attempts(names: list[str] | None = None, seeds: int | None = None) -> list[Attempt]:
    """All runs, or those of some games, or of fewer seeds; the presets first."""
    for name in names or []:
        if name not in goals():
            raise InputError(f"--rows {name}: unknown; available: {', '.join(goals())}")
    chosen = [goal for goal in goals().values() if names is None or goal.name in names]
    fresh = FRESH[:seeds]
    found = [Attempt(goal, None, seed) for goal in chosen for seed in fresh]
    for goal in chosen:
        count = min(goal.seeds, seeds or goal.seeds)
        found += [Attempt(goal, t, seed) for t in goal.trials for seed in range(1, count + 1)]
    return found


def make_missing(wanted: list[Attempt], results: Path, progress: Progress) -> None:
    """Trains and judges what is not stored; each run is stored as it ends."""
    done = {key(line) for line in load_lines(results)}
    missing = [attempt for attempt in wanted if attempt.key not in done]
    progress.say(f"{len(wanted) - len(missing)} of {len(wanted)} runs are already stored")
    for attempt in missing:
        line = outcome(attempt)
        store(results, line)
        game, trial, seed = attempt.key
        progress.say(f"{game}, {trial or 'as-run'}, seed {seed}: {line['value']:.4f}")


def store(results: Path, line: Fields) -> None:
    """Appends a run."""
    append_line(results / STORE, line)


def outcome(attempt: Attempt) -> Fields:
    """Trains a run and judges its agent."""
    plan = attempt.plan()
    settings, game = plan.settings, load_game(attempt.goal.name)
    learner = Learner(game, settings, plan.tuples)
    learner.compile()
    began = time.perf_counter()
    learner.learn(settings.episodes)
    seconds = time.perf_counter() - began
    value = attempt.goal.judged(LearnedAgent(game, learner.net, learner.td, attempt.seed))
    name, trial, seed = attempt.key
    return {
        "game": name,
        "trial": trial,
        "seed": seed,
        "episodes": settings.episodes,
        "moves": learner.moves,
        "seconds": round(seconds, 2),
        "value": value,
        "processor": environment()["processor"],
    }


def load_lines(results: Path) -> list[Fields]:
    """All stored runs."""
    return read_lines(results / STORE)


def key(line: Fields) -> tuple[str, str, int]:
    """What a line is stored under."""
    return line["game"], line["trial"], line["seed"]


def of(lines: Iterable[Fields], goal: Goal, trial: str) -> list[Fields]:
    """The stored runs of a trial, or of the preset, by seed."""
    found = [line for line in lines if (line["game"], line["trial"]) == (goal.name, trial)]
    return sorted(found, key=lambda line: int(line["seed"]))


def write_page(results: Path, docs: Path) -> Path:
    """Writes best.md from the stored runs and the champions' cards; returns the page."""
    docs.mkdir(parents=True, exist_ok=True)
    lines, searches = load_lines(results), load_searches(results)
    words = files(__package__).joinpath("best.md").read_text(encoding="utf-8")
    page = docs / "best.md"
    with replacing(page) as file:
        file.write(
            Template(words).substitute(
                best=markdown_table(*best_table(lines)),
                strong=markdown_table(*strength_table(lines, searches, FRESH)),
                trials="\n\n".join(_trials(goal, lines) for goal in goals().values()),
                connectfour=_connectfour(lines),
                search=section(searches),
                played=played_tables(lines),
                openings=openings(results),
                traps=traps(results),
                champions="\n\n".join(map(_champion, champions())),
                fresh=f"{FRESH[0]} to {FRESH[-1]}",
            )
        )
    return page


COLUMNS = ["game", "measured", "best possible", "as-run", "as-run, as long as best", "best"]
COLUMNS += ["seeds at the best possible", "episodes", "training time of a run"]


def best_table(lines: list[Fields]) -> tuple[list[str], list[list[str]]]:
    """The presets `best` beside as-run: columns and rows."""
    rows = []
    for goal in goals().values():
        runs = of(lines, goal, PRESET)
        if runs:
            rows.append(
                [
                    goal.title,
                    f"{goal.measure}, games from `{goal.starts}`",
                    goal.cell(goal.ideal),
                    *(_shown(goal, of(lines, goal, trial)) for trial in ("", goal.longer)),
                    _shown(goal, runs),
                    _perfect(goal, runs),
                    f"{runs[0]['episodes']:,}",
                    _time(mean(run["seconds"] for run in runs)),
                ]
            )
    return COLUMNS, rows


def _time(seconds: float) -> str:
    """A time as people say it, also a short one."""
    return duration(seconds) if seconds >= 60 else f"{seconds:.1f} s"


def _shown(goal: Goal, runs: list[Fields]) -> str:
    values = [run["value"] for run in runs]
    return goal.cell(mean(values), standard_error(values)) if values else "-"


def _perfect(goal: Goal, runs: list[Fields]) -> str:
    reached = sum(run["value"] > goal.ideal - SAME for run in runs)
    return f"{reached} of {len(runs)}"


def _trials(goal: Goal, lines: list[Fields]) -> str:
    """What was tried for a game, each change by itself."""
    rows = []
    for trial in goal.trials:
        runs = of(lines, goal, trial)
        if runs:
            change = f"`{trial}`" if trial else "nothing"
            worst = goal.cell(min(run["value"] for run in runs))
            moves = f"{mean(run['moves'] for run in runs):,.0f}"
            rows.append([change, _perfect(goal, runs), _shown(goal, runs), worst, moves])
    columns = ["change", "seeds at the best possible", "mean", "worst seed", "moves of a training"]
    return f"### {goal.title}\n\n{markdown_table(columns, rows)}"


def _connectfour(lines: list[Fields]) -> str:
    """Trainings of ConnectFour, each with a change: the mean of all seeds that had it."""
    rows = []
    for runs in alike(line for line in lines if line["game"] == "connectfour"):
        names = ["first", *(f"second, error {error}" for error in ERRORS)]
        rows.append(
            [
                change(runs[0]["trial"]),
                seeds(runs),
                f"{runs[0]['episodes']:,}",
                *(_share([run[name] for run in runs], runs[0]["games"]) for name in names),
                _right(runs),
                time_of(runs),
            ]
        )
    columns = ["change", "seeds", "episodes", "first, wins"]
    columns += [f"second, error {error}, wins" for error in ERRORS]
    return markdown_table([*columns, "right moves", "training time of a run"], rows)


def _share(wins: list[float], games: int) -> str:
    """A share of games in percent, with its standard error: over seeds, or of games."""
    value, error = mean(wins), standard_error(wins)
    if len(wins) == 1:
        error = sqrt(value * (1 - value) / games)
    return with_error(100 * value, 100 * error, ".1f") + " %"


def _right(runs: list[Fields]) -> str:
    """The share of right moves, likewise."""
    values = [run["right"] for run in runs]
    error = runs[0]["right, error"] if len(runs) == 1 else standard_error(values)
    return with_error(mean(values), error, ".3f")


def _champion(name: str) -> str:
    """The card of a champion."""
    file = champion_file(name)
    return f"### {read_card(file).game}\n\n{markdown_table(['', ''], card_rows(file))}"


def card_rows(file: Path) -> Iterator[tuple[str, str]]:
    """A card, line by line."""
    card = read_card(file)
    for one in card.strength:
        yield one.measure, one.result
    if search := recommended_search(file.stem):
        yield "recommended with search", search
    yield "command", card.command
    yield "training", f"{card.episodes:,} episodes, {_time(card.seconds)}, {card.machine}"
    yield "chosen", card.chosen
    yield "size", f"{file.stat().st_size:,} bytes; {card.active:,} weights, {card.rounding}"
    yield "limits", card.limits
