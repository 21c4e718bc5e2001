"""Train the games beyond the paper and measure their agents.

    python -m studies new_games run [GAME ...]                 what is not stored
    python -m studies new_games run GAME --seed 1 --set episodes=100000     with other settings

A run is `tafl train GAME --seed SEED`; runs are kept in runs/new_games and not trained again. Times
are those of the processor, without the compiler.
"""

import shutil
import time
from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import tafl
from studies.new_games.plan import (
    GAMES,
    ITSELF,
    MATCHES,
    OWN_GAMES,
    PLAN,
    RESULTS,
    SEEDS,
    SLOW,
    Pair,
    uses_trained,
)
from studies.records import Measurement, append, machine, read
from tafl.agents import Agent
from tafl.arena import Result, evaluate
from tafl.arena.starts import Starts
from tafl.arena.statistics import standard_error
from tafl.errors import InputError
from tafl.runs.run import Run
from tafl.settings.tables import Fields, joined, nested, parse_value, split_assignment
from tafl.training.learner import Learner
from tafl.training.plan import prepare

RUNS = Path(__file__).resolve().parents[2] / "runs" / "new_games"


@dataclass(frozen=True)
class Training:
    """A training to be measured."""

    game: str
    seed: int
    preset: str = ""
    overrides: Fields = field(default_factory=dict)

    def record(self, metric: str, value: float, **rest: Any) -> Measurement:
        """Return a measurement of it, or of its agent."""
        about = {"preset": self.preset, "overrides": self.overrides, "seed": self.seed}
        rest = {**machine(), **about, **rest}
        return Measurement(study="new_games", game=self.game, metric=metric, value=value, **rest)

    def is_of(self, one: Measurement) -> bool:
        """Say whether a measurement is of this training."""
        return (one.game, one.seed, one.preset, one.overrides) == (
            self.game,
            self.seed,
            self.preset,
            self.overrides,
        )

    @property
    def folder(self) -> Path:
        """Return where the run is kept."""
        changes = [f"{key}={value}" for key, value in self.overrides.items()]
        return RUNS / "-".join(
            filter(None, [self.game, self.preset, *changes, f"seed-{self.seed}"])
        )


def main(arguments: list[str]) -> None:
    """Train and measure what is not stored: all seeds of these games, or one with a change."""
    parser = ArgumentParser(prog="python -m studies new_games run")
    parser.add_argument("games", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--seed", type=int, help="only this seed")
    parser.add_argument("--preset", default="", help="instead of the default settings")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")
    options = parser.parse_args(arguments)
    for name in options.games:
        if name not in PLAN:
            raise InputError(f"unknown game {name}; available: {', '.join(PLAN)}")
    overrides = {key: parse_value(text) for key, text in map(split_assignment, options.set)}
    for seed in SEEDS if options.seed is None else [options.seed]:
        for name in options.games or PLAN:
            if options.seed is not None or seed == SEEDS[0] or name not in SLOW:
                make_missing(Training(name, seed, options.preset, overrides))


def make_missing(training: Training) -> None:
    """Train and measure what is not stored; agents that learn nothing are measured once."""
    once = training == Training(training.game, SEEDS[0])
    stored = {(one.agent, one.against) for one in read(RESULTS) if training.is_of(one)}
    for pair in PLAN[training.game]:
        if pair not in stored and (once or uses_trained(pair[0])):
            store(measured(training, trained(training), pair))


def store(found: list[Measurement]) -> None:
    """Add measurements to the file."""
    append(RESULTS, found)
    for one in found:
        print(f"{one.game}, seed {one.seed}, {one.agent} against {one.against}: ", end="")
        print(f"{one.metric} {one.value:.4g}", flush=True)


def trained(training: Training) -> Run:
    """Return the run; if it is not there, it is trained, and its time stored."""
    path = training.folder
    if (path / "settings.toml").exists() and Run.open(path).finished:
        return Run.open(path)
    shutil.rmtree(path, ignore_errors=True)  # an interrupted one would not tell its time
    own = {"seed": training.seed, "evaluation": {"every": 0}}
    given = joined(nested(training.overrides), own)
    preset = training.preset or None
    plan = prepare(training.game, preset, None, given)
    learner = Learner(tafl.game(training.game), plan.settings, plan.tuples)
    learner.compile()
    network = {"tuples": len(plan.tuples), "length": plan.settings.network.length}
    network["boards"] = learner.net.symmetries
    del learner
    began = time.process_time()
    run = tafl.train(training.game, preset=preset, out=path, **given)
    seconds, about = round(time.process_time() - began, 2), run.summary()
    done = {"episodes": about["episodes"], "moves": about["moves"], "seconds": seconds}
    store([training.record("training_seconds", seconds, agent="", condition=network, **done)])
    return run


def measured(training: Training, run: Run, pair: Pair) -> list[Measurement]:
    """Let an agent play in all roles, or alone."""
    agent, opponent = pair
    if opponent == ITSELF:
        return [choices(training, run)]
    text = f"'run:{run.path}'"
    player: str | Agent = run.agent if agent == "A" else agent.replace("(A,", f"({text},")
    result = evaluate(player, opponent or None, GAMES, seed=MATCHES, game=run.game)
    about = {"agent": agent, "against": opponent, "n": len(result.records)}
    if opponent:
        return against(training, result, about)
    points = result.scores[:, 0]
    done = points == 31 if result.game.name == "solitaire" else points > -100
    values = {"solved": done.astype(float), "score": points}
    return [
        training.record(metric, float(np.mean(of)), error=standard_error(of), **about)
        for metric, of in values.items()
    ]


def against(training: Training, result: Result, about: Fields) -> list[Measurement]:
    """Return the win rate and the score of the evaluated agent, and its score in each role."""
    won = result.wins[:, 0]
    rate, error = float(np.mean(won)), standard_error(won)
    return [
        training.record("win_rate", rate, error=error, **about),
        training.record("score", result.mean, error=result.error, **about),
        *(
            training.record("score", score, condition={"role": role}, **about)
            for role, score in enumerate(result.roles)
        ),
    ]


def choices(training: Training, run: Run) -> Measurement:
    """Return how many actions are legal in games of the agent with itself, on average."""
    players = run.game.facts.players
    # random moves, without which all games would be the same
    starts: Starts = 2 if players > 1 else "start"
    result = tafl.match(run.game, [run.agent] * players, OWN_GAMES, starts, seed=MATCHES)
    states = [state for record in result.records for _, state in record.replay()]
    found = [len(state.legal_actions) for state in states if not state.over]
    n = len(result.records)
    return training.record("choices", float(np.mean(found)), n=n, against=ITSELF)
