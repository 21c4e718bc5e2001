"""The trainings of games that are judged by computation, as plan.toml has them."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any, Literal

from studies.best.expected import expected_scores
from studies.records import Measurement, parse_overrides
from tafl.agents import make_agent
from tafl.agents.learned import LearnedAgent
from tafl.errors import InputError
from tafl.reproduction.cells import with_error

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

    @property
    def metric(self) -> str:
        """Return the name of the measure in records."""
        return "win_rate" if self.measure == "win rate" else "score"

    def judged(self, agent: LearnedAgent) -> float:
        """Return the mean over all roles against exact play, computed."""
        exact = make_agent("exact", agent.game)
        score = mean(expected_scores(agent, exact, self.starts))
        return (score + 1) / 2 if self.measure == "win rate" else score

    def cell(self, value: float, error: float = float("nan")) -> str:
        """Return a value as tables have it."""
        if self.measure == "win rate":
            return with_error(100 * value, 100 * error, ".2f") + " %"
        return with_error(value, error, ".3f")


@cache
def goals() -> dict[str, Goal]:
    """Return all games by their names."""
    text = Path(__file__).with_name("plan.toml").read_text(encoding="utf-8")
    found = [Goal(**tree) for tree in tomllib.loads(text)["game"]]
    return {goal.name: goal for goal in found}


def attempts(names: list[str] | None = None, seeds: int | None = None) -> list[Measurement]:
    """Return all runs, or those of some games, or of fewer seeds, not yet measured.

    The presets come first.
    """
    for name in names or []:
        if name not in goals():
            raise InputError(f"--rows {name}: unknown; available: {', '.join(goals())}")
    chosen = [goal for goal in goals().values() if names is None or goal.name in names]
    found = [attempt(goal, PRESET, seed) for goal in chosen for seed in FRESH[:seeds]]
    for goal in chosen:
        count = min(goal.seeds, seeds or goal.seeds)
        found += [attempt(goal, t, seed) for t in goal.trials for seed in range(1, count + 1)]
    return found


def attempt(goal: Goal, trial: str, seed: int) -> Measurement:
    """Return the record of a run, without its value."""
    return Measurement(
        study="best",
        game=goal.name,
        metric=goal.metric,
        value=0.0,
        **setup(trial),
        seed=seed,
        against="exact",
        condition={"starts": goal.starts},
    )


def setup(trial: str) -> dict[str, Any]:
    """Return the preset and the overrides of a trial: as-run, or best, with changes.

    >>> setup("best td.alpha=0.5"), setup("")
    ({'preset': 'best', 'overrides': {'td.alpha': 0.5}}, {'preset': 'as-run', 'overrides': {}})
    """
    words = trial.split()
    preset = PRESET if words[:1] == [PRESET] else "as-run"
    changes = words[1:] if preset == PRESET else words
    return {"preset": preset, "overrides": parse_overrides(changes)}
